// Turns what was read of a server into a seed.
import { isDeepStrictEqual } from 'node:util';
import { Document, isScalar, visit } from 'yaml';
import { notificationNames } from '../resources/notifications/names.ts';
import { linkLists, profileDefaults } from '../resources/users/profile.ts';
import { idOf, namesOf, projectSlug, targetOf } from './import-targets.ts';
import { isAutomatic, type ReadServer, type ReadUser } from './read-server.ts';
import type { WireGroup, WireSubscription } from './wire.ts';

const known = new Set<string>(notificationNames);
const defaults: Readonly<Record<string, unknown>> = profileDefaults;
// Their values may be URLs of what a seed can't hold.
const linkingKeys = new Set(['language', 'dashboard_component_list']);

/** The seed's text, and a phrase for each thing that it can't hold. */
export function buildSeed({ users, groups, projects, components }: ReadServer, baseUrl: string) {
  const groupIds = new Set(groups.map(({ id }) => id));
  const document = {
    users: users.map((user) => userEntry(user, groupIds)),
    // Without the key a sandbox gets the groups that the real system is set up with.
    groups: givenList(groups.map(groupEntry)),
    projects: projects.map(({ id, slug, name, web, isHidden }) => ({
      id: given(id),
      slug,
      name,
      web: given(web),
      private: given(isHidden),
    })),
    components: components.map(({ id, project, slug, name }) => ({ id: given(id), project, slug, name })),
  };

  const all = users.flatMap(({ subscriptions }) => subscriptions);
  const unknown = all.filter(({ notification }) => !known.has(notification));
  const untargeted = all.filter((one) => known.has(one.notification) && targetOf(one) === undefined);
  const unsure = projects.filter(({ isHidden }) => isHidden === undefined);
  const leftOut: string[] = [];
  if (unknown.length > 0) {
    const names = joinUnique(unknown.map(({ notification }) => notification));
    leftOut.push(`${unknown.length} subscriptions to what is not known here: ${names}`);
  }
  if (untargeted.length > 0) {
    const urls = joinUnique(untargeted.map(({ project, component }) => project ?? component));
    leftOut.push(`${untargeted.length} subscriptions to components in categories, which are not known here: ${urls}`);
  }
  if (unsure.length > 0) {
    const slugs = joinUnique(unsure.map(({ slug }) => slug));
    leftOut.push(`whether these projects are private: ${slugs}; they are written as public`);
  }
  return { text: writeSeed(document, baseUrl), leftOut };
}

const joinUnique = (values: readonly unknown[]): string => [...new Set(values)].join(', ');

function writeSeed(document: unknown, baseUrl: string): string {
  const yaml = new Document(document, { aliasDuplicateObjects: false });
  // Short entries stand on one line, as in seeds written by hand.
  visit(yaml, {
    Map: (_key, node) => void (node.flow = node.has('notification')),
    Seq: (_key, node) => void (node.flow = node.items.every((item) => isScalar(item))),
  });
  const head = `# Imported from ${baseUrl} (bin/understudy import). docs/reference/seed-format.md explains the format.\n`;
  return head + yaml.toString({ lineWidth: 0 });
}

// YAML leaves out what is undefined.
const given = <T>(value: T) => (value === null || value === '' || value === false ? undefined : value);
const givenList = <T>(list: readonly T[]) => (list.length > 0 ? list : undefined);

function userEntry(user: ReadUser, groupIds: ReadonlySet<number>) {
  const groups = user.groups?.flatMap((url) => idOf(url) ?? []).filter((id) => groupIds.has(id));
  const profile = Object.entries(user.profile ?? {})
    .map(([key, value]) => [key, Object.hasOwn(linkLists, key) ? namesOf(value) : value] as const)
    .filter(
      ([key, value]) =>
        Object.hasOwn(defaults, key) && !linkingKeys.has(key) && !isDeepStrictEqual(value, defaults[key]),
    );
  return {
    id: user.id,
    username: user.username,
    full_name: given(user.full_name),
    email: given(user.email),
    is_superuser: given(user.is_superuser),
    is_bot: given(user.is_bot),
    is_active: user.is_active === false ? false : undefined,
    date_joined: given(user.date_joined),
    date_expires: given(user.date_expires),
    last_login: given(user.last_login),
    profile: profile.length > 0 ? Object.fromEntries(profile) : undefined,
    groups: groups?.toSorted((a, b) => a - b),
    subscriptions: givenList(user.subscriptions.flatMap(subscriptionEntry)),
  };
}

function subscriptionEntry(one: WireSubscription) {
  const { id, notification, scope, frequency } = one;
  const target = targetOf(one);
  return target !== undefined && known.has(notification) ? { id, notification, scope, frequency, ...target } : [];
}

function groupEntry(group: WireGroup) {
  const { id, name, project_selection, language_selection, defining_project } = group;
  return {
    id,
    name,
    automatic: given(isAutomatic(group)),
    project_selection,
    language_selection,
    roles: givenList((group.roles ?? []).flatMap((url) => idOf(url) ?? [])),
    defining_project: defining_project ? projectSlug(defining_project) : undefined,
    projects: givenList((group.projects ?? []).flatMap((url) => projectSlug(url) ?? [])),
  };
}
