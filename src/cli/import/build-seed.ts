// Turns what was read of a server into a seed, in the words of an export.
import { isDeepStrictEqual } from 'node:util';
import { entryOf, userEntry } from '../../seeds/export/export-text.ts';
import { type Layout, layouts } from '../../seeds/export/export-write.ts';
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
  const part = (name: string, entries: readonly object[]) =>
    yaml.key(name) + textOf(yaml.list, entries.map(yaml.entry));
  const text = [
    `# Imported from ${baseUrl} (weblate-understudy import).\n`,
    yaml.key('users') + textOf(yaml.list, users.map(userText(groups))),
    part('groups', groups.map(groupEntry)),
    part('projects', slugs),
    part('components', components),
  ];
  return { text: text.join(''), leftOut };
}

const textOf = ({ first, next, close, empty }: Layout['list'], entries: readonly string[]): string =>
  entries.length === 0 ? empty : first + entries.join(next) + close;

const isHeld = (one: ReadSubscription): boolean => known.has(one.notification) && targetOf(one) !== undefined;

function userText(groups: readonly ReadGroup[]) {
  const ids = new Set(groups.map(({ id }) => id));
  const sameName = Map.groupBy(groups, ({ name }) => name);
  // Others are named by their ids.
  const names = new Map(groups.flatMap(({ id, name }) => (sameName.get(name)?.length === 1 ? [[id, name]] : [])));
  return ({ id, username, fields, profile, groups: urls, subscriptions }: ReadUser): string => {
    const row = {
      id,
      username,
      ...fields,
      profile: changedIn(profile),
      groups: urls.map(idOf).filter((one) => ids.has(one)),
    };
    const entries = subscriptions
      .filter(isHeld)
      .map((one) =>
        yaml.entry(
          entryOf('subscriptions', { ...one, [one.project === null ? 'component' : 'project']: targetOf(one) }),
        ),
      );
    return yaml.user(userEntry(row, names)) + textOf(yaml.subscriptions, entries);
  };
}

/** The keys that a seed can hold, where they differ from the defaults. */
function changedIn(profile: ReadUser['profile']): Record<string, unknown> {
  const entries = Object.entries(profile)
    .filter(([key]) => Object.hasOwn(defaults, key) && !linkingKeys.has(key))
    .map(([key, value]) => [key, Object.hasOwn(linkLists, key) ? namesOf(value) : value] as const);
  return Object.fromEntries(entries.filter(([key, value]) => !isDeepStrictEqual(value, defaults[key])));
}

const groupEntry = (group: ReadGroup) =>
  entryOf('groups', {
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
