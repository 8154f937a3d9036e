// Makes a seed from what read-server.ts read, with the code of exports.
import { isDeepStrictEqual } from 'node:util';
import { attempt } from '../../base/failure.ts';
import { entryText, layouts, lists, listText } from '../../seeds/export/export-sandbox.ts';
import { languages } from '../../model/languages.ts';
import { notificationNames } from '../../model/notifications.ts';
import { roles } from '../../model/roles.ts';
import { columnsOf, type Kind } from '../../model/kinds.ts';
import { linkLists, profileDefaults } from '../../weblate/users/profile.ts';
import { personOf } from '../generate/made-up-names.ts';
import { idOf, isAutomatic, type ReadGroup, type readServer, type ReadSubscription } from './read-server.ts';

type ReadServer = Awaited<ReturnType<typeof readServer>>;
type ReadUser = ReadServer['users'][number];

const known = new Set<string>(notificationNames);
const defaults: Readonly<Record<string, unknown>> = profileDefaults;
// Keys whose values may be URLs of objects that a seed can't hold.
const linkingKeys = new Set(['language', 'dashboard_component_list']);
const { yaml } = layouts;

/** Returns the seed's text, and the target or notification of each subscription that a seed can't hold. */
export function buildSeed({ users: read, groups }: ReadServer, baseUrl: string, keepsPersonalData = false) {
  const users = keepsPersonalData ? read : read.map(disguise);
  const all = users.flatMap(({ subscriptions }) => subscriptions);
  const leftOut = all
    .filter((one) => !isHeld(one))
    .map((one) => (known.has(one.notification) ? (one.component ?? one.project) : one.notification));
  const paths = [...all.flatMap((one) => targetOf(one) ?? []), ...groups.flatMap((one) => namesOf(one.components))];
  const targets = [...new Set(paths)].map((path) => path.split('/'));
  const shownNames = new Map(read.map(({ username }, n) => [username, users[n]?.username ?? username]));
  const ofGroups = groups.flatMap((group) => namesOf([...group.projects, group.defining_project]));
  const slugs = [...new Set([...targets.map(([slug]) => slug), ...ofGroups])].map((slug) => ({ slug }));
  const components = targets.filter(({ length }) => length === 2).map(([project, slug]) => ({ project, slug }));
  const sameName = Map.groupBy(groups, ({ name }) => name);
  // Groups that share a name are referred to by id.
  const names = new Map(groups.flatMap(({ id, name }) => (sameName.get(name)?.length === 1 ? [[id, name]] : [])));
  const ids = new Set(groups.map(({ id }) => id));
  const rows = {
    users: users.map((user) => userRow(user, ids)),
    groups: groups.map((group) => groupRow(group, shownNames)),
    projects: slugs,
    components,
  };
  const parts = lists.map((list) => {
    const entries = rows[list].map((row: object) => entryText(list, { ...row }, names, yaml));
    return yaml.key(list) + listText(yaml.list, entries);
  });
  return { text: [`# Imported from ${baseUrl}.\n`, ...parts].join(''), leftOut };
}

const isHeld = (one: ReadSubscription) => known.has(one.notification) && targetOf(one) !== undefined;

const userRow = ({ fields, profile, groups, subscriptions, ...user }: ReadUser, ids: ReadonlySet<number>) => ({
  ...user,
  ...fields,
  profile: changedIn(profile),
  groups: groups.map(idOf).filter((id) => ids.has(id)),
  subscriptions: subscriptions
    .filter(isHeld)
    .map((one) => ({ ...one, [one.project === null ? 'component' : 'project']: targetOf(one) })),
});

/** The values that a seed can hold and that differ from the defaults. */
function changedIn(profile: ReadUser['profile']) {
  const entries = Object.entries(profile)
    .filter(([key]) => Object.hasOwn(defaults, key) && !linkingKeys.has(key))
    .map(([key, value]) => [key, linkLists.includes(key) ? namesOf(value) : value] as const);
  return Object.fromEntries(entries.filter(([key, value]) => !isDeepStrictEqual(value, defaults[key])));
}

/** Leaves out roles and languages that only the server knows, and admins who weren't read. */
const groupRow = (group: ReadGroup, shownNames: ReadonlyMap<string, string>) => ({
  ...group,
  automatic: isAutomatic(group),
  internal: isAutomatic(group),
  roles: group.roles.map(idOf).filter((role) => roles[role - 1] !== undefined),
  languages: namesOf(group.languages).filter((code) => languages().byCode.has(code)),
  projects: namesOf(group.projects),
  components: namesOf(group.components),
  admins: (group.admins ?? []).flatMap((url) => shownNames.get(usernameOf(url)) ?? []),
  defining_project: namesOf([group.defining_project])[0],
});

/** A subscription's target, `demo` or `demo/app`; null for none, undefined if a seed can't name it. */
function targetOf({ project, component }: ReadSubscription) {
  const url = project ?? component;
  return url === null ? null : namesOf([url])[0];
}

const usernameOf = (url: string) =>
  attempt(() => decodeURIComponent(/\/api\/users\/([^/]+)\/?$/u.exec(url)?.[1] ?? '')) ?? '';

/** Names in URLs: `demo/app` in …/components/demo/app/; none in …/demo/app%252Fmain/, with a category. */
const namesOf = (urls: unknown) =>
  (Array.isArray(urls) ? urls : []).flatMap((url) => nameInUrl.exec(String(url))?.[0] ?? []);
const nameInUrl = /(?<=\/api\/(?:languages|projects)\/)[^/%]+(?=\/?$)|(?<=\/api\/components\/)[^/%]+\/[^/%]+(?=\/?$)/u;

// Flags, numbers, dates and the listed keys of profiles are kept. All else could describe the person, even in
// keys that this version doesn't know.
function publicColumns(kind: Kind) {
  const { others } = columnsOf(kind);
  return Object.keys(others).filter((name) => /^(?:boolean|smallint|timestamptz)/.test(others[name] ?? ''));
}
const userKeys = new Set(publicColumns('users'));
const linked = ['id', 'notification', 'project', 'component'];
const subscriptionKeys = new Set([...linked, ...publicColumns('subscriptions')]);
const profileKeys = new Set(
  `languages secondary_languages watched theme hide_completed secondary_in_zen hide_source_secondary wide_tables
  listing_columns translate_mode zen_mode nearby_strings auto_watch contribute_personal_tm dashboard_view`.split(/\s+/),
);
// A user of the system, not a person.
const anonymous = { username: 'anonymous', full_name: 'Anonymous', email: 'noreply@example.com' };

/** Replaces the person. The names depend on the id alone, so all imports give the same names. */
function disguise({ id, fields, profile, subscriptions, ...user }: ReadUser): ReadUser {
  const { username, ...person } = user.username === 'anonymous' ? anonymous : personOf(id);
  return {
    ...user,
    id,
    username,
    fields: { ...person, ...pick(fields, userKeys) },
    profile: pick(profile, profileKeys),
    subscriptions: subscriptions.map((one) => pick(one, subscriptionKeys) as ReadSubscription),
  };
}

const pick = (from: Readonly<Record<string, unknown>>, keys: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(from).filter(([key]) => keys.has(key)));
