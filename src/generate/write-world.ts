// What users and subscriptions point to goes in as a seed's rows do; there is little of it.
import { automaticGroups } from '../seed/automatic-groups.ts';
import { type Db, listGroups } from '../load/queries.ts';
import type { Kind } from '../seed/seed-schema.ts';
import { insertLinks, insertRows, setCounters } from '../load/write-queries.ts';
import { targetsFor } from './patterns.ts';
import { randomOf } from './random.ts';
import { makeWorld, type World } from './world.ts';

interface WorldOptions {
  readonly sandboxId: number;
  readonly users: number;
  readonly subscriptions: number;
  readonly seed: string;
}

export type NextIds = Readonly<Record<Kind, number>>;

/** Writes the world and sets the counters to what they will be after the users. `next` are the ids that new rows begin with. */
export async function writeWorld(
  db: Db,
  { sandboxId, users, subscriptions, seed }: WorldOptions,
  next: NextIds,
): Promise<World> {
  const groups = (await listGroups(db, sandboxId)).length === 0 ? automaticGroups : [];
  const afterThose = Math.max(next.groups, ...groups.map(({ id = 0 }) => id + 1));
  const projects = Math.max(targetsFor(subscriptions), Math.min(40, 4 + Math.floor(users / 1000)));
  const world = makeWorld(projects, { ...next, groups: afterThose }, randomOf(`${seed} world`).random);
  await insertRows(
    db,
    sandboxId,
    'projects',
    world.projects.map((project) => ({ ...project, web: `https://example.com/${project.slug}/` })),
  );
  await insertRows(
    db,
    sandboxId,
    'components',
    world.components.map(({ project, ...component }) => ({ ...component, project_id: project.id })),
  );
  await insertRows(db, sandboxId, 'groups', [
    ...groups.map(({ id, fields }) => ({ id, permissions: [], ...fields })),
    ...world.teams.map(({ id, name }) => ({
      id,
      name,
      automatic: false,
      project_selection: 0,
      language_selection: 1,
      roles: [],
      permissions: [],
    })),
  ]);
  const opened = world.teams.map(({ id, project }) => ({ owner: id, other: project.id }));
  await insertLinks(db, sandboxId, 'group_projects', opened);
  await setCounters(db, sandboxId, {
    users: next.users + users,
    groups: afterThose + world.teams.length,
    projects: next.projects + world.projects.length,
    components: next.components + world.components.length,
    subscriptions: next.subscriptions + users * subscriptions,
  });
  return world;
}
