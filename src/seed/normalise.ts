// From what people write to seed.ts's one form: names to codes, inline and compact subscriptions to single ones. Reports what a
// schema can't: values that exclude or need each other, and dates that no calendar has.
import { frequencies, scopes } from '../resources/notifications/codes.ts';
import { notificationNames } from '../resources/notifications/names.ts';
import { toTimestamp } from './dates.ts';
import {
  faultAt,
  type Place,
  type Seed,
  type SeedFault,
  type SeedGroup,
  type SeedSubscription,
  type SeedToken,
  type SeedUser,
} from './seed-types.ts';
import type { GroupEntry, SeedDocument, SubscriptionEntry, UserEntry } from './seed-schema.ts';
import type { SeedSource } from './source.ts';

const dates = ['date_joined', 'date_expires', 'last_login'] as const;
const userFields = [
  'full_name',
  'email',
  'is_superuser',
  'is_active',
  'is_bot',
  'is_internal',
  ...dates,
  'profile',
] as const;
const groupFields = ['automatic', 'project_selection', 'language_selection', 'roles', 'permissions'] as const;

/**
 * Takes a document that the schema's check has pruned: what it lacks was reported there, and what needs it is left out.
 * @param most subscriptions and memberships that few words may stand for
 */
export function normalise(
  document: SeedDocument,
  source: SeedSource,
  most = Infinity,
): { seed: Seed; faults: SeedFault[] } {
  const faults: SeedFault[] = [];
  if (countImplied(document) > most) {
    const place: Place = { source, path: [] };
    const fault = faultAt(
      place,
      `stands for more than ${most} subscriptions and memberships; \`understudy seed\` loads it`,
    );
    return { seed: normalise({}, source).seed, faults: [fault] };
  }
  const entries = <T, R>(list: readonly T[] | undefined, key: string, convert: (entry: T, place: Place) => R[]): R[] =>
    Object.entries(list ?? []).flatMap(([i, entry]) => convert(entry, { source, path: [key, Number(i)] }));

  const inline: SeedSubscription[] = [];
  const users = entries(document.users, 'users', (entry, place) => {
    if (entry.username === undefined) return [];
    for (const [i, subscription] of Object.entries(entry.subscriptions ?? [])) {
      const at = { source, path: [...place.path, 'subscriptions', Number(i)] };
      inline.push(...expand({ ...subscription, user: entry.username }, at, faults));
    }
    return [userOf(entry, place, faults)];
  });
  const groups = entries(document.groups, 'groups', (entry, place) =>
    entry.name === undefined ? [] : [groupOf(entry, place)],
  );
  const projects = entries(document.projects, 'projects', (entry, place) =>
    entry.slug === undefined
      ? []
      : [{ place, id: entry.id, slug: entry.slug, fields: given(entry, ['name', 'web', 'private']) }],
  );
  const components = entries(document.components, 'components', (entry, place) =>
    entry.slug === undefined || entry.project === undefined
      ? []
      : [{ place, id: entry.id, project: entry.project, slug: entry.slug, fields: given(entry, ['name']) }],
  );
  const listed = entries(document.subscriptions, 'subscriptions', (entry, place) => expand(entry, place, faults));
  const seed: Seed = {
    users,
    groups: document.groups === undefined ? undefined : groups,
    projects,
    components,
    subscriptions: [...inline, ...listed],
    next_id: document.next_id ?? {},
  };
  return { seed, faults };
}

type Compact = Pick<SubscriptionEntry, 'scopes' | 'notifications'>;

// At most: of lists and words that stand for several, the product.
function countImplied({ users, groups, subscriptions }: SeedDocument): number {
  const lists: (readonly Compact[] | undefined)[] = [
    subscriptions,
    ...present(users).map((user) => user.subscriptions),
  ];
  const automatic = present(groups).filter((group) => group.automatic === true).length;
  const joining = present(users).filter((user) => user.groups === undefined).length;
  let count = automatic * joining;
  for (const list of lists)
    for (const { scopes: several, notifications } of present<Compact>(list))
      count +=
        Math.max(1, several?.length ?? 1) *
        (notifications === 'all' ? notificationNames.length : (notifications?.length ?? 1));
  return count;
}

function userOf(entry: UserEntry, place: Place, faults: SeedFault[]): SeedUser {
  const fields: Record<string, unknown> = { username: entry.username, ...given(entry, userFields) };
  for (const key of dates) {
    const written = entry[key];
    if (typeof written !== 'string') continue;
    fields[key] = toTimestamp(written);
    if (fields[key] === undefined) faults.push(faultAt(place, `is no date: ${written}`, key));
  }
  const tokenAt = (text: string, ...path: (string | number)[]): SeedToken => ({
    place: { source: place.source, path: [...place.path, ...path] },
    text,
  });
  const single = typeof entry.token === 'string' ? [tokenAt(entry.token, 'token')] : [];
  const tokens = [
    ...single,
    ...Object.entries(entry.tokens ?? []).map(([i, text]) => tokenAt(text, 'tokens', Number(i))),
  ];
  const groups = entry.groups === undefined ? undefined : present(entry.groups);
  return { place, id: entry.id, username: entry.username, fields, groups, tokens };
}

function groupOf(entry: GroupEntry, place: Place): SeedGroup {
  return {
    place,
    id: entry.id,
    name: entry.name,
    definingProject: entry.defining_project,
    fields: { name: entry.name, ...given(entry, groupFields) },
    projects: entry.projects === undefined ? undefined : [...new Set(present(entry.projects))],
  };
}

/** One entry may stand for several subscriptions: by scope, and in each by name. */
function expand(entry: SubscriptionEntry, place: Place, faults: SeedFault[]): SeedSubscription[] {
  const fault = (message: string, key?: string): void => void faults.push(faultAt(place, message, key));
  const { project = null, component = null } = entry;
  const written = entry.scope === undefined ? present(entry.scopes) : [entry.scope];
  let codes = written.map(codeOf);
  if (entry.scope !== undefined && entry.scopes !== undefined) fault('takes either scope or scopes', 'scopes');
  if (project !== null && component !== null) fault('takes either a project or a component, not both', 'component');
  if (codes.length === 0 && project !== null) codes = [scopes.project];
  if (codes.length === 0 && component !== null) codes = [scopes.component];
  if (codes.length === 0 && wasWhole(place, ['scope', 'scopes', 'project', 'component']))
    fault('needs a scope, a project or a component');
  for (const code of codes) {
    if (code === scopes.project && project === null) missing('project');
    if (code === scopes.component && component === null) missing('component');
    if (code !== scopes.project && project !== null)
      fault('takes no project in this scope; it is for scope project', 'project');
    if (code !== scopes.component && component !== null)
      fault('takes no component in this scope; it is for scope component', 'component');
  }
  function missing(key: string): void {
    if (wasWhole(place, [key])) fault(`needs a ${key}, because its scope is ${key}`);
  }

  const many = entry.notifications === 'all' ? notificationNames : present(entry.notifications);
  const names = entry.notification === undefined ? many : [entry.notification];
  if (entry.notification !== undefined && entry.notifications !== undefined)
    fault('takes either notification or notifications', 'notifications');
  if (names.length === 0 && wasWhole(place, ['notification', 'notifications']))
    fault('needs a notification (or notifications, a list of names)');
  if (entry.id !== undefined && codes.length * names.length > 1)
    fault("stands for several subscriptions, which can't share an id", 'id');
  if (entry.user === undefined) return [];
  const frequency = entry.frequency === undefined ? frequencies.instant : frequencyOf(entry.frequency);
  const id = codes.length * names.length > 1 ? undefined : entry.id;
  const common = { place, id, user: entry.user, project, component, frequency };
  return codes.flatMap((scope) => names.map((notification) => ({ ...common, scope, notification })));
}

/** False where one of the keys was written but pruned: its fault has been reported, and what follows from it would only confuse. */
const wasWhole = (place: Place, keys: readonly string[]): boolean =>
  !keys.some((key) => place.source.has([...place.path, key]));

const codeOf = (scope: string | number): number =>
  typeof scope === 'number' ? scope : scopes[scope as keyof typeof scopes];
const frequencyOf = (frequency: string | number): number =>
  typeof frequency === 'number' ? frequency : frequencies[frequency as keyof typeof frequencies];

// Lists keep holes where faulty entries stood.
const present = <T>(list: readonly T[] | undefined): T[] => Object.values(list ?? []);

function given<T extends object>(entry: T, keys: readonly (keyof T & string)[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => entry[key] !== undefined).map((key) => [key, entry[key]]));
}
