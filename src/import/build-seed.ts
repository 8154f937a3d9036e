// Turns what was read of a server into a seed.
import { Document, isScalar, visit } from 'yaml';
import { notificationNames } from '../resources/notifications/names.ts';
import { profileDefaults } from '../resources/users/profile.ts';
import type { GroupEntry, SeedDocument, SubscriptionEntry, UserEntry } from '../seed/seed-schema.ts';
import { isAutomatic, type ReadServer, type ReadUser } from './read-server.ts';
import { componentPath, hasNameableTarget, idOf, projectSlug } from './import-targets.ts';
import type { WireGroup, WireSubscription } from './wire.ts';

export interface SeedDraft {
  readonly document: SeedDocument;
  /** What the seed can't hold, a phrase each. */
  readonly leftOut: readonly string[];
}

const known = new Set<string>(notificationNames);
const defaults: Readonly<Record<string, unknown>> = profileDefaults;
// Their values are URLs of the server that was read.
const linkingKeys = new Set(['language', 'languages', 'secondary_languages', 'watched', 'dashboard_component_list']);

export function draftSeed({ users, groups, projects, components }: ReadServer): SeedDraft {
  const all = users.flatMap(({ subscriptions }) => subscriptions);
  const unknown = all.filter(({ notification }) => !known.has(notification));
  const untargeted = all.filter((one) => known.has(one.notification) && !hasNameableTarget(one));
  const unsure = projects.filter(({ isHidden }) => isHidden === undefined).map(({ slug }) => slug);
  const groupIds = new Set(groups.map(({ id }) => id));
  const document: SeedDocument = {
    users: users.map((user) => userEntry(user, groupIds)),
    // Without the key a sandbox gets the groups that the real system is set up with.
    ...(groups.length === 0 ? {} : { groups: groups.map(groupEntry) }),
    projects: projects.map(({ id, slug, name, web, isHidden }) => ({
      ...(id ? { id } : {}),
      slug,
      name,
      ...(web ? { web } : {}),
      ...(isHidden === true ? { private: true } : {}),
    })),
    components: [...components].map(([path, { id, name }]) => {
      const [project = '', slug = ''] = path.split('/');
      return { ...(id ? { id } : {}), project, slug, name };
    }),
  };
  const listed = (names: readonly unknown[]) => [...new Set(names)].join(', ');
  const leftOut: [readonly unknown[], string][] = [
    [
      unknown,
      `${unknown.length} subscriptions to what is not known here: ${listed(unknown.map((one) => one.notification))}`,
    ],
    [
      untargeted,
      `${untargeted.length} subscriptions to components in categories, which are not known here: ` +
        listed(untargeted.map(({ project, component }) => project ?? component)),
    ],
    [unsure, `whether these projects are private: ${listed(unsure)}; they are written as public`],
  ];
  return { document, leftOut: leftOut.flatMap(([found, words]) => (found.length > 0 ? [words] : [])) };
}

/** @param from the server, for the first line */
export function writeSeed(document: SeedDocument, from: string): string {
  const yaml = new Document(document, { aliasDuplicateObjects: false });
  // Short entries stand on one line, as in seeds written by hand.
  visit(yaml, {
    Map: (_key, node) => void (node.flow = node.has('notification')),
    Seq: (_key, node) => void (node.flow = node.items.every((item) => isScalar(item))),
  });
  const head = `# Imported from ${from} (bin/understudy import). docs/seeds.md explains the format.\n`;
  return head + yaml.toString({ lineWidth: 0 });
}

function userEntry(user: ReadUser, groupIds: ReadonlySet<number>): UserEntry {
  const { id, username, subscriptions } = user;
  const flags = (['is_superuser', 'is_bot'] as const).filter((key) => user[key] === true);
  const dates = (['date_joined', 'date_expires', 'last_login'] as const).filter((key) => typeof user[key] === 'string');
  const groups = user.groups
    ?.map((url) => idOf(url, 'groups'))
    .filter((group) => group !== undefined && groupIds.has(group));
  const profile = profileOf(user);
  return {
    id,
    username,
    ...(user.full_name ? { full_name: user.full_name } : {}),
    ...(user.email ? { email: user.email } : {}),
    ...Object.fromEntries(flags.map((key) => [key, true])),
    ...(user.is_active === false ? { is_active: false } : {}),
    ...Object.fromEntries(dates.map((key) => [key, user[key]])),
    ...(Object.keys(profile).length > 0 ? { profile } : {}),
    ...(groups === undefined ? {} : { groups: (groups as number[]).toSorted((a, b) => a - b) }),
    ...(subscriptions.length > 0 ? { subscriptions: subscriptions.filter(isExpressible).map(subscriptionEntry) } : {}),
  };
}

const isExpressible = (one: WireSubscription): boolean => known.has(one.notification) && hasNameableTarget(one);

function subscriptionEntry({ id, notification, scope, frequency, project, component }: WireSubscription) {
  const target = project ? { project: projectSlug(project) } : component ? { component: componentPath(component) } : {};
  return { id, notification, scope, frequency, ...target } as Omit<SubscriptionEntry, 'user'>;
}

function profileOf({ profile }: ReadUser): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(profile ?? {}).filter(
      ([key, value]) =>
        Object.hasOwn(defaults, key) &&
        !linkingKeys.has(key) &&
        JSON.stringify(value) !== JSON.stringify(defaults[key]),
    ),
  );
}

function groupEntry(group: WireGroup): GroupEntry {
  const { id, name, project_selection, language_selection, defining_project } = group;
  const roles = (group.roles ?? []).map((url) => idOf(url, 'roles')).filter((role) => role !== undefined);
  const projects = (group.projects ?? []).map(projectSlug).filter((slug) => slug !== undefined);
  return {
    id,
    name,
    ...(isAutomatic(group) ? { automatic: true } : {}),
    project_selection,
    language_selection,
    ...(roles.length > 0 ? { roles } : {}),
    ...(defining_project ? { defining_project: projectSlug(defining_project) ?? null } : {}),
    ...(projects.length > 0 ? { projects } : {}),
  };
}
