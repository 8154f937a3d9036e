// Turns what was read of a server into a seed, in the words of an export.
import { isDeepStrictEqual } from 'node:util';
import { entryText, layouts, lists, listText } from '../../seeds/export/export-sandbox.ts';
import { notificationNames } from '../../model/notifications.ts';
import { linkLists, profileDefaults } from '../../weblate/users/profile.ts';
import {
  idOf,
  isAutomatic,
  type ReadGroup,
  type ReadServer,
  type ReadSubscription,
  type ReadUser,
} from './read-server.ts';

const known = new Set<string>(notificationNames);
const defaults: Readonly<Record<string, unknown>> = profileDefaults;
// Their values may be URLs of what a seed can't hold.
const linkingKeys = new Set(['language', 'dashboard_component_list']);
const { yaml } = layouts;

/** The seed's text, and the targets of the subscriptions that it can't hold. */
export function buildSeed({ users, groups }: ReadServer, baseUrl: string) {
  const all = users.flatMap(({ subscriptions }) => subscriptions);
  const leftOut = all
    .filter((one) => !isHeld(one))
    .map(({ notification, project, component }) => (known.has(notification) ? (component ?? project) : notification));
  const targets = [...new Set(all.flatMap((one) => targetOf(one) ?? []))].map((path) => path.split('/'));
  const ofGroups = groups.flatMap((group) => [...group.projects, group.defining_project ?? ''].flatMap(slugOf));
  const slugs = [...new Set([...targets.map(([slug]) => slug), ...ofGroups])].map((slug) => ({ slug }));
  const components = targets.filter(({ length }) => length === 2).map(([project, slug]) => ({ project, slug }));
  const sameName = Map.groupBy(groups, ({ name }) => name);
  // Others are named by their ids.
  const names = new Map(groups.flatMap(({ id, name }) => (sameName.get(name)?.length === 1 ? [[id, name]] : [])));
  const ids = new Set(groups.map(({ id }) => id));
  const rows = {
    users: users.map((user) => userRow(user, ids)),
    groups: groups.map(groupRow),
    projects: slugs,
    components,
  };
  const parts = lists.map((list) => {
    const entries = rows[list].map((row: object) => entryText(list, { ...row }, names, yaml));
    return yaml.key(list) + listText(yaml.list, entries);
  });
  return { text: [`# Imported from ${baseUrl} (weblate-understudy import).\n`, ...parts].join(''), leftOut };
}

const isHeld = (one: ReadSubscription): boolean => known.has(one.notification) && targetOf(one) !== undefined;

const userRow = ({ fields, profile, groups, subscriptions, ...user }: ReadUser, knownGroups: ReadonlySet<number>) => ({
  ...user,
  ...fields,
  profile: changedIn(profile),
  groups: groups.map(idOf).filter((id) => knownGroups.has(id)),
  subscriptions: subscriptions
    .filter(isHeld)
    .map((one) => ({ ...one, [one.project === null ? 'component' : 'project']: targetOf(one) })),
});

/** The keys that a seed can hold, where they differ from the defaults. */
function changedIn(profile: ReadUser['profile']): Record<string, unknown> {
  const entries = Object.entries(profile)
    .filter(([key]) => Object.hasOwn(defaults, key) && !linkingKeys.has(key))
    .map(([key, value]) => [key, Object.hasOwn(linkLists, key) ? namesOf(value) : value] as const);
  return Object.fromEntries(entries.filter(([key, value]) => !isDeepStrictEqual(value, defaults[key])));
}

const groupRow = (group: ReadGroup) => ({
  ...group,
  automatic: isAutomatic(group),
  roles: group.roles.map(idOf),
  projects: group.projects.flatMap(slugOf),
  defining_project: slugOf(group.defining_project ?? '')[0],
});

/** The project or the component (`demo/app`) that a subscription is limited to; undefined if a seed can't name it. */
function targetOf({ project, component }: ReadSubscription): string | null | undefined {
  if (project !== null) return slugOf(project)[0];
  // A component in a category: the real system writes both as one step, `app%252Fmain`.
  return component === null ? null : /\/api\/components\/([^/%]+\/[^/%]+)\/?$/u.exec(component)?.[1];
}

/** `demo` of …/api/projects/demo/ */
const slugOf = (url: string): string[] => /\/api\/projects\/([^/]+)\/?$/u.exec(url)?.slice(1) ?? [];

/** The codes or slugs of links to languages or projects. */
const namesOf = (urls: unknown): string[] =>
  (Array.isArray(urls) ? urls : []).flatMap(
    (url) => /\/api\/(?:languages|projects)\/([^/%]+)\/?$/u.exec(String(url))?.[1] ?? [],
  );
