// The made-up projects, their components, and the teams of private projects.
import { type Db, type NextIds, setCounters } from '../../seeds/load/queries.ts';
import { notificationNames } from '../../model/notifications.ts';
import { initialValues } from '../../model/kinds.ts';
import type { automaticGroups } from '../../seeds/format/seed-types.ts';
import { componentOf, projectOf } from './made-up-names.ts';
import { insertRows } from './row-queries.ts';

export type World = Awaited<ReturnType<typeof writeWorld>>;

/** The fifth of every nine projects is private. */
const privateEvery = 9;
const privateAt = 4;
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
  next: NextIds,
) {
  const open = Math.max(targetsFor(subscriptions), Math.min(40, 4 + Math.floor(users / 1000)));
  const projects = Array.from({ length: open + Math.ceil(open / (privateEvery - 1)) }, (_, i) => {
    const { slug, name } = projectOf(next.projects + i);
    const id = next.projects + i;
    const components = Array.from({ length: componentsEach }, (_component, n) => ({
      id: next.components + i * componentsEach + n,
      project_id: id,
      ...componentOf(n + 1),
    }));
    return { id, slug, name, web: `https://example.com/${slug}/`, private: i % privateEvery === privateAt, components };
  });
  const components = projects.flatMap((project) => project.components);
  const firstTeam = Math.max(next.groups, ...missing.map(({ id }) => id + 1));
  const teams = projects
    .filter((project) => project.private)
    .map((project, i) => ({ id: firstTeam + i, name: `${project.name} team`, language_selection: 1, project }));
  const groups = [...missing, ...teams].map((group) => ({ ...initialValues('groups', group.name), ...group }));
  await insertRows(db, sandboxId, 'projects', projects);
  await insertRows(db, sandboxId, 'components', components);
  await insertRows(db, sandboxId, 'groups', groups);
  const links = teams.map(({ id, project }) => ({ group_id: id, project_id: project.id }));
  await insertRows(db, sandboxId, 'group_projects', links);
  await setCounters(db, sandboxId, {
    users: next.users + users,
    groups: firstTeam + teams.length,
    projects: next.projects + projects.length,
    components: next.components + components.length,
    subscriptions: next.subscriptions + users * subscriptions,
  });
  const written = { projects: projects.length, components: components.length, groups: teams.length };
  return { openProjects: projects.filter((project) => !project.private), teams, written };
}
