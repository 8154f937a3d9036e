// Makes up projects, components, teams and users. A user's random choices come from the SHA-512 of seed
// and id.
import { createHash } from 'node:crypto';
import { initialValues } from '../../model/kinds.ts';
import { notificationNames } from '../../model/notifications.ts';
import type { automaticGroups } from '../../seeds/format/seed-types.ts';
import { type Db, type NextIds, setCounters } from '../../seeds/load/queries.ts';
import { componentOf, personOf, projectOf } from './made-up-names.ts';
import { insertRows } from './row-queries.ts';

type World = Awaited<ReturnType<typeof writeWorld>>;

/** Of nine projects, the fifth is private. */
const privateEvery = 9;
const privateAt = 4;
const componentsEach = 4;

/** The number of projects, and of components, from which each user chooses. */
const targetsFor = (subscriptions: number) => Math.max(2, Math.ceil(subscriptions / notificationNames.length - 1.5));

/** Writes projects, components and teams, and sets the counters as if the users were written. */
export async function writeWorld(
  db: Db,
  { sandboxId, users, subscriptions }: Readonly<Record<'sandboxId' | 'users' | 'subscriptions', number>>,
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

type Choices = World & { seed: string; everybodysGroups: readonly number[]; subscriptions: number };

// Moments are minutes since 2020. Users join before 2026; all logins are before October 2026.
const firstDay = Date.UTC(2020, 0, 1);
const joinedSpan = (Date.UTC(2026, 0, 1) - firstDay) / 60_000;
const lastMoment = (Date.UTC(2026, 9, 1) - firstDay) / 60_000;
const momentOf = (minutes: number) => new Date(firstDay + minutes * 60_000).toISOString();

// Half of a random byte picks a digit. Most often it is 1: frequency instant, scope watched.
const frequencies = '1111111122223340';
const firstPlaces = '0111111122233456';

/** Returns a user's rows. One user in eight is in a team. */
export function makeRows(id: number, firstSubscription: number, choices: Choices) {
  const { seed, teams, openProjects, everybodysGroups, subscriptions: each } = choices;
  const random = createHash('sha512').update(`${seed} ${id}`).digest();
  /** A whole number below `limit`. Each `index` uses three random bytes of its own, among the first 32. */
  const draw = (index: number, limit: number) => Math.floor((random.readUIntBE(index * 3, 3) * limit) / 2 ** 24);

  const person = personOf(id);
  const joined = draw(5, joinedSpan);
  const user = {
    ...initialValues('users', person.username),
    ...person,
    id,
    is_active: draw(2, 40) > 0,
    date_joined: momentOf(joined),
    last_login: draw(3, 12) > 0 ? momentOf(joined + draw(4, lastMoment - joined)) : null,
  };
  const token = `wlu_generated_public_sample_${String(id).padStart(12, '0')}`;
  const team = draw(0, 8) === 0 ? teams[draw(1, teams.length)] : undefined;
  const groups = team ? [...everybodysGroups, team.id] : everybodysGroups;

  // A place is a scope, or a scope with a project: 0, 10 and 20, then 30 and 40 for each project, the team's
  // project first. A user's subscriptions take the notifications in steps. The number of notifications is
  // prime, so each round has every notification once. In a later round, a notification gets its next place, so
  // no two subscriptions are alike.
  const names = notificationNames.length;
  const places = 3 + 2 * targetsFor(each);
  const [first, start, step] = [draw(6, 2 ** 20), draw(7, names), 1 + draw(8, names - 1)];
  const subscriptions = Array.from({ length: each }, (_, i) => {
    const byte = random.readUInt8(32 + (i % names));
    const place = (Number(firstPlaces[byte >> 4]) + Math.floor(i / names)) % places;
    const scope = place < 3 ? place * 10 : 30 + ((place - 3) % 2) * 10;
    const open = openProjects[(first + Math.floor((place - 3) / 2)) % openProjects.length];
    const project = place < 3 ? undefined : ((place < 5 ? team?.project : undefined) ?? open);
    const component = scope === 40 ? project?.components[first % componentsEach] : undefined;
    return {
      id: firstSubscription + i,
      user_id: id,
      notification: notificationNames[(start + i * step) % names],
      scope,
      frequency: Number(frequencies[byte & 15]),
      project_id: component === undefined ? project?.id : null,
      component_id: component?.id,
      project: component === undefined ? project?.slug : null,
      component: component && `${project?.slug}/${component.slug}`,
      private_project_id: project?.private ? project.id : null,
    };
  });
  return {
    users: [user],
    memberships: groups.map((group) => ({ user_id: id, group_id: group })),
    tokens: [{ user_id: id, hash: `\\x${createHash('sha256').update(token).digest('hex')}` }],
    subscriptions,
  };
}
