// What a sandbox holds already, read as a seed: only as far as the seeds that are loaded name it, and only the columns that decide
// which thing is which.
import { type RawBuilder, sql } from 'kysely';
import { type Kind } from '../seed/kinds.ts';
import {
  hashOf,
  inSandbox,
  itemsOf,
  nameOf,
  referencesOf,
  type Seed,
  type SeedComponent,
  type SeedGroup,
  type SeedProject,
  type SeedSubscription,
  type SeedUser,
} from '../seed/seed-types.ts';
import type { Db } from './queries.ts';

// What is looked for stands in arrays, not in subselects: those would be filters beside an `or`, and read the whole sandbox.
type Ids = readonly number[];
type Texts = readonly string[];

export async function readExisting(db: Db, sandboxId: number, seeds: readonly Seed[]): Promise<Seed> {
  const all = async <T, R>(query: RawBuilder<T>, itemOf: (row: T) => R): Promise<R[]> =>
    (await query.execute(db)).rows.map(itemOf);
  const ids = (kind: Kind): number[] => seeds.flatMap((seed) => itemsOf(seed, kind).flatMap(({ id }) => id ?? []));
  const names = namesOf(seeds);
  const given = seeds.flatMap(({ users }) => users);
  const emails = given.map(({ fields }) => fields['email']).filter((email) => typeof email === 'string');

  const groups = await all(selectGroups(sandboxId), ({ automatic, ...row }): SeedGroup => ({
    ...row,
    place: inSandbox(row.name),
    fields: { automatic },
  }));
  const ofGroups = groups.flatMap((group) => group.defining_project ?? []);
  const projects = await all(
    selectProjects(sandboxId, [...names.projects, ...ofGroups], ids('projects')),
    (row): SeedProject => ({
      ...row,
      place: inSandbox(row.slug),
      fields: {},
    }),
  );
  const components = await all(
    selectComponents(sandboxId, names.components, ids('components')),
    (row): SeedComponent => ({
      ...row,
      place: inSandbox(`${row.project}/${row.slug}`),
      fields: {},
    }),
  );
  const tokens = await all(
    selectTokens(
      sandboxId,
      given.flatMap((user) => user.tokens.map(hashOf)),
    ),
    (row) => row,
  );
  const ofUser = Map.groupBy(tokens, ({ user_id }) => user_id);
  const userIds = [...ids('users'), ...ofUser.keys()];
  const users = await all(selectUsers(sandboxId, names.users, emails, userIds), ({ id, username, email }): SeedUser => {
    const place = inSandbox(username);
    const known = (ofUser.get(id) ?? []).map(({ hash }) => ({ place, hash }));
    return { place, id, username, fields: { email }, tokens: known };
  });
  const subscriptions = await all(
    selectSubscriptions(sandboxId, names.users, ids('subscriptions')),
    ({ target, ...row }): SeedSubscription => ({
      ...row,
      place: inSandbox(`the subscription of ${row.user} to ${row.notification}`),
      project: target?.includes('/') === false ? target : null,
      component: target?.includes('/') === true ? target : null,
    }),
  );
  return { projects, components, groups: groups.length === 0 ? undefined : groups, users, subscriptions, next_id: {} };
}

/** The names that seeds give to their own things and to those that they refer to. */
function namesOf(seeds: readonly Seed[]): Readonly<Record<'projects' | 'components' | 'users', string[]>> {
  const names = { projects: new Set<string>(), components: new Set<string>(), users: new Set<string>() };
  const isNamed = (kind: Kind): kind is keyof typeof names => Object.hasOwn(names, kind);
  for (const seed of seeds) {
    for (const kind of ['projects', 'components', 'users'] as const)
      for (const item of itemsOf(seed, kind)) names[kind].add(nameOf(kind, item));
    for (const { to, value } of referencesOf(seed)) if (isNamed(to)) names[to].add(String(value));
  }
  return { projects: [...names.projects], components: [...names.components], users: [...names.users] };
}

const selectProjects = (sandboxId: number, slugs: Texts, ids: Ids) =>
  sql<{ id: number; slug: string }>`select id, slug from understudy.projects
    where sandbox_id = ${sandboxId} and (slug = any(${slugs}::text[]) or id = any(${ids}::int4[])) order by id`;

const selectComponents = (sandboxId: number, paths: Texts, ids: Ids) =>
  sql<{ id: number; project: string; slug: string }>`select c.id, p.slug as project, c.slug
    from understudy.components c join understudy.projects p on p.sandbox_id = c.sandbox_id and p.id = c.project_id
    where c.sandbox_id = ${sandboxId} and (c.id = any(${ids}::int4[]) or (p.slug, c.slug) in
      (select split_part(path, '/', 1), split_part(path, '/', 2) from unnest(${paths}::text[]) path))
    order by c.id`;

/** All of them: new users join those that are automatic, and names must be unambiguous. */
const selectGroups = (sandboxId: number) =>
  sql<{
    id: number;
    name: string;
    automatic: boolean;
    defining_project: string | null;
  }>`select g.id, g.name, g.automatic,
      (select p.slug from understudy.projects p where p.sandbox_id = g.sandbox_id and p.id = g.defining_project_id) as defining_project
    from understudy.groups g where g.sandbox_id = ${sandboxId} order by g.id`;

const selectTokens = (sandboxId: number, hashes: Texts) =>
  sql<{ hash: string; user_id: number }>`select encode(hash, 'hex') as hash, user_id from understudy.tokens
    where sandbox_id = ${sandboxId} and hash = any(array(select decode(hex, 'hex') from unnest(${hashes}::text[]) hex))
    order by hash`;

const selectUsers = (sandboxId: number, names: Texts, emails: Texts, ids: Ids) =>
  sql<{ id: number; username: string; email: string | null }>`select id, username, email from understudy.users
    where sandbox_id = ${sandboxId} and (id = any(${ids}::int4[])
      or username_key = any(array(select understudy.username_key(name) from unnest(${names}::text[]) name))
      or email_key = any(array(select understudy.username_key(email) from unnest(${emails}::text[]) email)))
    order by id`;

interface SubscriptionRow {
  readonly id: number;
  readonly user: string;
  readonly notification: string;
  readonly scope: number;
  readonly frequency: number;
  readonly target: string | null;
}
const selectSubscriptions = (sandboxId: number, users: Texts, ids: Ids) =>
  sql<SubscriptionRow>`select s.id, u.username as user, s.notification, s.scope, s.frequency, s.target_path as target
    from understudy.subscriptions s join understudy.users u on u.sandbox_id = s.sandbox_id and u.id = s.user_id
    where s.sandbox_id = ${sandboxId} and (s.id = any(${ids}::int4[]) or s.user_id = any(array(
      select o.id from understudy.users o where o.sandbox_id = ${sandboxId}
        and o.username_key = any(array(select understudy.username_key(name) from unnest(${users}::text[]) name)))))
    order by s.id`;
