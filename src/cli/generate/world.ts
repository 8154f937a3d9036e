// The made-up projects, their components, and the teams of private projects: few, so written like the rows of a
// seed.
import { type Db, type NextIds, setCounters } from '../../seeds/load/queries.ts';
import { writeRows } from '../../seeds/load/write-queries.ts';
import { notificationNames } from '../../model/notifications.ts';
import { initialValues, type TableName } from '../../model/kinds.ts';
import type { automaticGroups } from '../../seeds/format/seed-types.ts';
import { componentOf, projectOf } from './made-up-names.ts';

export type World = Awaited<ReturnType<typeof writeWorld>>;

/** The fifth of every nine projects is private. */
export const privateEvery = 9;
export const privateAt = 4;
export const componentsEach = 4;

/** How many projects, and how many components, a user needs to choose from for so many subscriptions. */
export function targetsFor(subscriptions: number): number {
  // Twice as many choices as subscriptions, so that users differ.
  return Math.max(2, Math.ceil(subscriptions / notificationNames.length - 1.5));
}

/**
 * Writes the projects with their components and teams, and sets the counters to what they will be after the users.
 * @param missing groups, with fixed ids
 */
export async function writeWorld(
  db: Db,
  { sandboxId, users, subscriptions }: { sandboxId: number; users: number; subscriptions: number },
  missing: typeof automaticGroups,
  counters: NextIds,
) {
  const next = { ...counters, groups: Math.max(counters.groups, ...missing.map(({ id }) => id + 1)) };
  const openProjects = Math.max(targetsFor(subscriptions), Math.min(40, 4 + Math.floor(users / 1000)));
  const projects = Array.from({ length: openProjects + Math.ceil(openProjects / (privateEvery - 1)) }, (_, i) => {
    const { slug, name } = projectOf(next.projects + i);
    const isPrivate = i % privateEvery === privateAt;
    return { id: next.projects + i, slug, name, web: `https://example.com/${slug}/`, private: isPrivate };
  });
  const components = projects.flatMap(({ id }, i) =>
    Array.from({ length: componentsEach }, (_, n) => ({
      id: next.components + i * componentsEach + n,
      project_id: id,
      ...componentOf(n + 1),
    })),
  );
  const teams = projects
    .filter((project) => project.private)
    .map(({ id, name }, i) => ({
      group: { id: next.groups + i, name: `${name} team`, language_selection: 1 },
      opens: id,
    }));
  const groups = [...missing.map(({ place: _place, ...group }) => group), ...teams.map(({ group }) => group)];
  const put = (table: TableName, rows: readonly object[]) => writeRows(db, sandboxId, table, JSON.stringify(rows));
  await put('projects', projects);
  await put('components', components);
  await put(
    'groups',
    groups.map((group) => ({ ...initialValues('groups', group.name), ...group })),
  );
  await put(
    'group_projects',
    teams.map(({ group, opens }) => ({ owner: group.id, others: [opens], isNew: true })),
  );
  await setCounters(db, sandboxId, {
    users: next.users + users,
    groups: next.groups + teams.length,
    projects: next.projects + projects.length,
    components: next.components + components.length,
    subscriptions: next.subscriptions + users * subscriptions,
  });
  const written = { projects: projects.length, components: components.length, groups: teams.length };
  return { next, openProjects, teams: teams.length, written };
}
