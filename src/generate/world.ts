// The made-up projects, their components, and the teams that private projects are open to. They are few, so they are
// written as the rows of a seed are.
import { type Db, type NextIds, setCounters } from '../load/queries.ts';
import { putLinks, upsertRows } from '../load/write-queries.ts';
import { initialValues } from '../seed/kinds.ts';
import type { SeedGroup } from '../seed/seed-types.ts';
import { componentOf, projectOf } from './made-up-names.ts';
import { targetsFor } from './patterns.ts';
import { type Random, randomOf } from './random.ts';

export type Project = ReturnType<typeof makeProjects>[number];

interface WorldOptions {
  readonly sandboxId: number;
  readonly users: number;
  readonly subscriptions: number;
  readonly seed: string;
}

const privateEvery = 9;

// Rows of their tables, with the components and the team beside each project.
function makeProjects(count: number, next: NextIds, random: Random) {
  let nextComponent = next.components;
  let nextTeam = next.groups;
  return Array.from({ length: count }, (_, i) => {
    const id = next.projects + i;
    const { slug, name } = projectOf(id);
    const isPrivate = i % privateEvery === privateEvery >> 1;
    const team = { ...initialValues('groups', name), name: `${name} team`, language_selection: 1 };
    return {
      id,
      slug,
      name,
      web: `https://example.com/${slug}/`,
      private: isPrivate,
      team: isPrivate ? { ...team, id: nextTeam++ } : undefined,
      components: Array.from({ length: 2 + random(4) }, (_unused, n) => ({
        id: nextComponent++,
        project_id: id,
        ...componentOf(n + 1),
      })),
    };
  });
}

/**
 * Writes the projects with their components and teams, and sets the counters to what they will be after the users.
 * @param groups that the sandbox lacks, with fixed ids
 * @param next the ids that new rows begin with
 */
export async function writeWorld(
  db: Db,
  { sandboxId, users, subscriptions, seed }: WorldOptions,
  groups: readonly SeedGroup[],
  next: NextIds,
): Promise<readonly Project[]> {
  const firstTeam = Math.max(next.groups, ...groups.map(({ id = 0 }) => id + 1));
  const open = Math.max(targetsFor(subscriptions), Math.min(40, 4 + Math.floor(users / 1000)));
  const count = open + Math.ceil(open / (privateEvery - 1));
  const projects = makeProjects(count, { ...next, groups: firstTeam }, randomOf(`${seed} world`));
  const components = projects.flatMap((project) => project.components);
  const teams = projects.flatMap(({ team }) => team ?? []);
  const missing = groups.map(({ id, name, fields }) => ({ ...initialValues('groups', name), ...fields, id }));
  await upsertRows(db, sandboxId, 'projects', projects);
  await upsertRows(db, sandboxId, 'components', components);
  await upsertRows(db, sandboxId, 'groups', [...missing, ...teams]);
  const opened = projects.flatMap(({ id, team }) => (team ? [{ owner: team.id, others: [id], isNew: true }] : []));
  await putLinks(db, sandboxId, 'group_projects', opened);
  await setCounters(db, sandboxId, {
    users: next.users + users,
    groups: firstTeam + teams.length,
    projects: next.projects + projects.length,
    components: next.components + components.length,
    subscriptions: next.subscriptions + users * subscriptions,
  });
  return projects;
}
