// What users and subscriptions refer to is little, and goes in as the rows of a seed do.
import { type Db, type NextIds, setCounters } from '../load/queries.ts';
import { putLinks, upsertRows } from '../load/write-queries.ts';
import { initialValues } from '../seed/kinds.ts';
import type { SeedGroup } from '../seed/seed-types.ts';
import { targetsFor } from './patterns.ts';
import { randomOf } from './random.ts';
import { makeWorld, type World } from './world.ts';

interface WorldOptions {
  readonly sandboxId: number;
  readonly users: number;
  readonly subscriptions: number;
  readonly seed: string;
  /** Groups that the sandbox lacks, with fixed ids. */
  readonly groups: readonly SeedGroup[];
}

/** Writes the world, and sets the counters to what they will be after the users. `next` are the ids that new rows begin with. */
export async function writeWorld(
  db: Db,
  { sandboxId, users, subscriptions, seed, groups }: WorldOptions,
  next: NextIds,
): Promise<World> {
  const firstTeam = Math.max(next.groups, ...groups.map(({ id = 0 }) => id + 1));
  const count = Math.max(targetsFor(subscriptions), Math.min(40, 4 + Math.floor(users / 1000)));
  const world = makeWorld(count, { ...next, groups: firstTeam }, randomOf(`${seed} world`).random);
  const { projects, components, teams } = world;
  await upsertRows(
    db,
    sandboxId,
    'projects',
    projects.map((project) => ({ ...project, web: `https://example.com/${project.slug}/` })),
  );
  await upsertRows(
    db,
    sandboxId,
    'components',
    components.map(({ project, ...component }) => ({ ...component, project_id: project.id })),
  );
  await upsertRows(db, sandboxId, 'groups', [
    ...groups.map(({ id, name, fields }) => ({ ...initialValues('groups', name), ...fields, id })),
    ...teams.map(({ id, name }) => ({ ...initialValues('groups', name), id, name, language_selection: 1 })),
  ]);
  const opened = teams.map(({ id, project }) => ({ owner: id, others: [project.id], isNew: true }));
  await putLinks(db, sandboxId, 'group_projects', opened);
  await setCounters(db, sandboxId, {
    users: next.users + users,
    groups: firstTeam + teams.length,
    projects: next.projects + projects.length,
    components: next.components + components.length,
    subscriptions: next.subscriptions + users * subscriptions,
  });
  return world;
}
