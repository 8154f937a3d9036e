// Turns a checked document into a Seed: names into codes, lists of subscriptions into single ones. Reports what a
// schema can't: values that exclude or need each other, impossible dates, usernames that the API would reject.
import { notificationNames, scopes } from '../../model/notifications.ts';
import { usernameRules } from '../../model/usernames.ts';
import { toUtc } from '../../base/utc.ts';
import type { YamlText } from '../yaml/yaml-text.ts';
import { type Kind, propertiesOf } from '../../model/kinds.ts';
import { errorAt, type Place, type PlacedError } from './seed-errors.ts';
import type { SeedDocument, SubscriptionEntry, UserEntry } from './seed-schema.ts';
import { emptySeed, type Seed, type SeedItem, type SeedSubscription, type SeedUser } from './seed-types.ts';

/** @param most subscriptions and memberships that a short text may stand for */
export function normalise(document: SeedDocument, source: YamlText, most = Infinity) {
  const errors: PlacedError[] = [];
  const itemsOf = (kind: Kind): SeedItem[] =>
    (document[kind] ?? []).map((entry, i) => itemOf(kind, entry, { source, path: [kind, i] }, errors));

  const subscriptions: SeedSubscription[] = [];
  let implied = 0;
  const addSubscriptions = (entry: SubscriptionEntry, place: Place): void => {
    if (implied > most) return;
    const several = expand(entry, place, errors);
    subscriptions.push(...several);
    implied += Math.max(1, several.length);
  };
  const users = (document.users ?? []).map((entry, i) => {
    for (const [j, subscription] of (entry.subscriptions ?? []).entries())
      addSubscriptions({ ...subscription, user: entry.username }, { source, path: ['users', i, 'subscriptions', j] });
    return userOf(entry, { source, path: ['users', i] }, errors);
  });
  for (const [i, entry] of (document.subscriptions ?? []).entries())
    addSubscriptions(entry, { source, path: ['subscriptions', i] });
  const groups = itemsOf('groups');
  const automatic = groups.filter((group) => group['automatic'] === true).length;
  const joining = users.filter((user) => user['groups'] === undefined).length;
  if (implied + automatic * joining > most) {
    const message = `stands for more than ${most} subscriptions and memberships; \`weblate-understudy seed\` loads it`;
    return { seed: emptySeed, errors: [errorAt({ source, path: [] }, message)] };
  }
  const now = document.now === undefined ? undefined : toTimestamp(document.now);
  if (now === undefined && document.now !== undefined)
    errors.push(errorAt({ source, path: ['now'] }, `is no date: ${document.now}`));
  const seed: Seed = {
    users,
    groups: document.groups === undefined ? undefined : groups,
    projects: itemsOf('projects'),
    components: itemsOf('components'),
    subscriptions,
    next_id: document.next_id ?? {},
    now,
  };
  return { seed, errors };
}

function itemOf(kind: Kind, entry: object, place: Place, errors: PlacedError[]): SeedItem {
  const given = entry as Readonly<Record<string, unknown>>;
  const values: Record<string, unknown> = {};
  for (const [name, { type = '', codes, links }] of propertiesOf(kind)) {
    const written = given[name];
    if (written === undefined) continue;
    const isMoment = type.startsWith('timestamptz') && typeof written === 'string';
    const value = isMoment ? toTimestamp(written) : codeOf(codes, written);
    if (value === undefined) errors.push(errorAt(place, `is no date: ${written as string}`, [name]));
    values[name] = links === undefined ? value : [...new Set(value as unknown[])];
  }
  return { ...values, place, id: given['id'] as number | undefined };
}

const dateForm = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d))?$/;

/** `2026-01-02T04:04:05+01:00` to `2026-01-02T03:04:05.000000Z`; undefined where there is no such day or time. */
export function toTimestamp(text: string): string | undefined {
  const [, day, time = '00:00:00', fraction = '', offset = 'Z'] = dateForm.exec(text) ?? [];
  return day === undefined ? undefined : toUtc(day, time, fraction, offset);
}

function userOf(entry: UserEntry, place: Place, errors: PlacedError[]): SeedUser {
  // The real system makes bots and internal users itself, with names such as addon:cleanup.
  if (entry.is_bot !== true && entry.is_internal !== true)
    for (const { pattern, detail } of usernameRules)
      if (!new RegExp(pattern, 'u').test(entry.username))
        errors.push(errorAt(place, `is not valid: ${detail}`, ['username']));
  const at = (...path: (string | number)[]): Place => ({ source: place.source, path: [...place.path, ...path] });
  const tokens = [
    ...(typeof entry.token === 'string' ? [{ place: at('token'), text: entry.token }] : []),
    ...(entry.tokens ?? []).map((text, i) => ({ place: at('tokens', i), text })),
  ];
  return { ...(itemOf('users', entry, place, errors) as SeedUser), tokens };
}

/** One entry may stand for several subscriptions: by scope, and in each by name. */
function expand(entry: SubscriptionEntry, place: Place, errors: PlacedError[]): SeedSubscription[] {
  const error = (message: string, ...steps: string[]): void => void errors.push(errorAt(place, message, steps));
  const { project = null, component = null } = entry;
  const written = entry.scope === undefined ? (entry.scopes ?? []) : [entry.scope];
  let codes = written.map((value) => codeOf(scopes, value) as number);
  if (entry.scope !== undefined && entry.scopes !== undefined) error('takes either scope or scopes', 'scopes');
  if (project !== null && component !== null) error('takes either a project or a component, not both', 'component');
  if (codes.length === 0 && project !== null) codes = [scopes.project];
  if (codes.length === 0 && component !== null) codes = [scopes.component];
  if (codes.length === 0) error('needs a scope, a project or a component');
  for (const code of codes) {
    if (code === scopes.project && project === null) error('needs a project, because its scope is project');
    if (code === scopes.component && component === null) error('needs a component, because its scope is component');
    if (code !== scopes.project && project !== null)
      error('takes no project in this scope; it is for scope project', 'project');
    if (code !== scopes.component && component !== null)
      error('takes no component in this scope; it is for scope component', 'component');
  }

  const many = entry.notifications === 'all' ? notificationNames : (entry.notifications ?? []);
  const names = entry.notification === undefined ? many : [entry.notification];
  if (entry.notification !== undefined && entry.notifications !== undefined)
    error('takes either notification or notifications', 'notifications');
  if (names.length === 0) error('needs a notification (or notifications, a list of names)');
  if (entry.id !== undefined && codes.length * names.length > 1)
    error("stands for several subscriptions, which can't share an id", 'id');
  const item = itemOf('subscriptions', entry, place, errors) as SeedSubscription;
  const id = codes.length * names.length > 1 ? undefined : entry.id;
  const common = { ...item, id, project, component };
  return codes.flatMap((scope) => names.map((notification) => ({ ...common, scope, notification })));
}

const codeOf = (codes: Readonly<Record<string, number>> = {}, value: unknown): unknown =>
  typeof value === 'string' ? (codes[value] ?? value) : value;
