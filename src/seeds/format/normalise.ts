// Turns a checked document into a Seed: names into codes, entries into single subscriptions. Reports what a
// schema can't: values that exclude or need each other, impossible dates, invalid usernames.
import { hash } from 'node:crypto';
import { notificationNames, scopes } from '../../model/notifications.ts';
import { usernameRules } from '../../model/usernames.ts';
import { attempt } from '../../base/failure.ts';
import type { Path } from '../../base/check-value.ts';
import type { YamlText } from '../yaml/yaml-text.ts';
import { type Kind, propertiesOf } from '../../model/kinds.ts';
import { errorAt, type Place, type PlacedError } from './seed-errors.ts';
import type { SeedDocument, SubscriptionEntry, UserEntry } from './seed-schema.ts';
import type { Seed, SeedItem, SeedUser } from './seed-types.ts';

/** Undefined if the document stands for over `maxImplied` subscriptions and memberships. */
export function normalise(document: SeedDocument, source: YamlText, maxImplied: number) {
  const errors: PlacedError[] = [];
  const at = (...path: Path): Place => ({ source, path });
  const itemsOf = (kind: Kind) => (document[kind] ?? []).map((entry, i) => itemOf(kind, entry, at(kind, i), errors));
  const { users = [], groups = [] } = document;

  const entries = users.flatMap(({ username, subscriptions = [] }, i) =>
    subscriptions.map((entry, j) => ({
      entry: { ...entry, user: username },
      place: at('users', i, 'subscriptions', j),
    })),
  );
  for (const [i, entry] of (document.subscriptions ?? []).entries())
    entries.push({ entry, place: at('subscriptions', i) });
  const automatic = groups.filter((group) => group.automatic === true).length;
  const memberships = automatic * users.filter((user) => user.groups === undefined).length;
  const subscriptions: SeedItem[] = [];
  for (const { entry, place } of entries) {
    if (memberships + subscriptions.length > maxImplied) break;
    subscriptions.push(...expand(entry, place, errors));
  }
  if (memberships + subscriptions.length > maxImplied) return undefined;
  const now = document.now && toTimestamp(document.now);
  if (document.now && !now) errors.push(errorAt(at('now'), `is no date: ${document.now}`));
  const seed: Seed = {
    users: users.map((entry, i) => userOf(entry, at('users', i), errors)),
    groups: document.groups && itemsOf('groups'),
    projects: itemsOf('projects'),
    components: itemsOf('components'),
    subscriptions,
    next_id: document.next_id ?? {},
    now,
  };
  return { seed, errors };
}

function itemOf(kind: Kind, entry: object, place: Place, errors: PlacedError[]): SeedItem {
  const properties = entry as Readonly<Record<string, unknown>>;
  const values: Record<string, unknown> = {};
  for (const [name, { type = '', codes, known }] of propertiesOf(kind)) {
    const written = properties[name];
    if (written === undefined) continue;
    for (const [i, one] of known ? (written as unknown[]).entries() : [])
      if (!known?.().has(one))
        errors.push(errorAt(place, `is not one of Weblate's ${name}: ${String(one)}`, [name, i]));
    const isMoment = type.startsWith('timestamptz') && typeof written === 'string';
    const value = isMoment ? toTimestamp(written) : codeOf(written, codes);
    if (value === undefined) errors.push(errorAt(place, `is no date: ${written as string}`, [name]));
    // A list, in a column or as links, has each value once.
    values[name] = Array.isArray(value) ? [...new Set<unknown>(value)] : value;
  }
  return { ...values, place, id: properties['id'] as number | undefined };
}

const dateForm = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d))?$/;

/** `2026-01-02T04:04:05+01:00` to `2026-01-02T03:04:05.000000Z`; undefined for a wrong day or time. */
export function toTimestamp(text: string) {
  const [, day = '', time = '00:00:00', fraction = '', offset = 'Z'] = dateForm.exec(text) ?? [];
  return attempt(() => {
    const utc = new Date(`${day}T${time}${offset}`).toISOString();
    // Date turns 31 February into 3 March: the day changes.
    const isDay = new Date(`${day}T${time}Z`).toISOString().startsWith(day);
    // PostgreSQL has no year 0. The offset may lead to the year 10000.
    return isDay && /^(?!0000)\d{4}-/.test(utc) ? `${utc.slice(0, 19)}.${fraction.padEnd(6, '0')}Z` : undefined;
  });
}

function userOf(entry: UserEntry, place: Place, errors: PlacedError[]): SeedUser {
  // Weblate itself names bots and internal users, and some names break these rules: `addon:cleanup`.
  if (entry.is_bot !== true && entry.is_internal !== true)
    for (const { pattern, detail } of usernameRules)
      if (!new RegExp(pattern, 'u').test(entry.username))
        errors.push(errorAt(place, `is not valid: ${detail}`, ['username']));
  const tokenAt = (text: string, ...path: Path) => ({
    place: { ...place, path: [...place.path, ...path] },
    text,
    hash: hash('sha256', text),
  });
  const tokens = [
    ...(typeof entry.token === 'string' ? [tokenAt(entry.token, 'token')] : []),
    ...(entry.tokens ?? []).map((text, i) => tokenAt(text, 'tokens', i)),
  ];
  return { ...(itemOf('users', entry, place, errors) as SeedUser), tokens };
}

/** The subscriptions that an entry stands for: one for each scope and notification. */
function expand(entry: SubscriptionEntry, place: Place, errors: PlacedError[]): SeedItem[] {
  const report = (message: string, ...steps: string[]) => void errors.push(errorAt(place, message, steps));
  for (const one of ['scope', 'notification'] as const)
    if (entry[one] !== undefined && entry[`${one}s`] !== undefined) report(`can't be combined with ${one}`, `${one}s`);
  const { project = null, component = null, scope, notification } = entry;
  const targets = { project, component };
  const kindsOfTarget = (['project', 'component'] as const).filter((kind) => targets[kind] !== null);
  if (kindsOfTarget.length > 1) report("can't be combined with project", 'component');
  const written = scope === undefined ? (entry.scopes ?? kindsOfTarget.slice(0, 1)) : [scope];
  const codes = codeOf(written, scopes) as number[];
  if (codes.length === 0) report('needs a scope, a project or a component');
  for (const code of codes)
    for (const kind of ['project', 'component'] as const) {
      const [isTarget, isGiven] = [code === scopes[kind], targets[kind] !== null];
      if (isTarget && !isGiven) report(`needs a ${kind}, because its scope is ${kind}`);
      if (!isTarget && isGiven) report(`is only for scope ${kind}`, kind);
    }

  const several = entry.notifications === 'all' ? notificationNames : (entry.notifications ?? []);
  const names = notification === undefined ? several : [notification];
  if (names.length === 0) report('needs a notification (or notifications, a list of names)');
  const isSingle = codes.length * names.length <= 1;
  if (entry.id !== undefined && !isSingle) report("can't be the id of several subscriptions", 'id');
  const item = itemOf('subscriptions', entry, place, errors);
  const common = { ...item, id: isSingle ? entry.id : undefined, ...targets };
  return codes.flatMap((code) => names.map((name) => ({ ...common, scope: code, notification: name })));
}

/** Replaces a name, or the names in a list, by codes. Values without a code stay. */
function codeOf(value: unknown, codes?: Readonly<Record<string, number>>): unknown {
  if (codes === undefined) return value;
  return Array.isArray(value) ? value.map((one) => codeOf(one, codes)) : (codes[value as string] ?? value);
}
