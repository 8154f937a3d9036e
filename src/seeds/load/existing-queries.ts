// What a sandbox holds already, read as a seed, as far as the seeds name it.
import { type RawBuilder, sql } from 'kysely';
import type { Kind } from '../../model/kinds.ts';
import { hashOf, inSandbox, itemsOf, nameOf, referencesOf, type Seed } from '../format/seed-types.ts';
import type { Db } from './queries.ts';

export async function readExisting(db: Db, sandboxId: number, seeds: readonly Seed[]): Promise<Seed> {
  const rows = async <T>(query: RawBuilder<T>) => (await query.execute(db)).rows;
  const ids = (kind: Kind) => seeds.flatMap((seed) => itemsOf(seed, kind).flatMap(({ id }) => id ?? []));
  /** Those that the seeds give to their own things, and those that they refer to. */
  const names = (kind: Kind) => {
    const all = seeds.flatMap((seed) => [
      ...itemsOf(seed, kind).map((item) => nameOf(kind, item)),
      ...[...referencesOf(seed)].flatMap(({ to, value }) => (to === kind ? [String(value)] : [])),
    ]);
    return [...new Set(all)];
  };
  const seedUsers = seeds.flatMap((seed) => seed.users);
  const emails = seedUsers.map((user) => user['email']).filter((email) => typeof email === 'string');
  const hashes = seedUsers.flatMap((user) => user.tokens.map(hashOf));

  // All of them: new users join those that are automatic, and a name must be unambiguous.
  const groups = await rows(sql<{ id: number; name: string; defining_project: string | null }>`
    select g.id, g.name, g.automatic, p.slug as defining_project
    from understudy.groups g
    left join understudy.projects p
      on p.sandbox_id = g.sandbox_id and p.id = g.defining_project_id
    where g.sandbox_id = ${sandboxId}
    order by g.id`);
  // Names are in arrays: subselects would be filters beside an `or`, and read the whole sandbox.
  const slugs = [...names('projects'), ...groups.flatMap((group) => group.defining_project ?? [])];
  const projects = await rows(sql<{ id: number; slug: string }>`
    select id, slug
    from understudy.projects
    where sandbox_id = ${sandboxId}
      and (slug = any(${slugs}::text[]) or id = any(${ids('projects')}::int4[]))
    order by id`);
  const components = await rows(sql<{ id: number; project: string; slug: string }>`
    select c.id, p.slug as project, c.slug
    from understudy.components c
    join understudy.projects p on p.sandbox_id = c.sandbox_id and p.id = c.project_id
    where c.sandbox_id = ${sandboxId}
      and (
        c.id = any(${ids('components')}::int4[])
        or (p.slug, c.slug) in (
          select split_part(path, '/', 1), split_part(path, '/', 2)
          from unnest(${names('components')}::text[]) path))
    order by c.id`);
  const tokens = await rows(sql<{ hash: string; user_id: number }>`
    select encode(hash, 'hex') as hash, user_id
    from understudy.tokens
    where sandbox_id = ${sandboxId}
      and hash = any(array(select decode(hex, 'hex') from unnest(${hashes}::text[]) hex))
    order by hash`);
  const users = await rows(sql<{ id: number; username: string }>`
    select id, username, email
    from understudy.users
    where sandbox_id = ${sandboxId}
      and (
        id = any(${[...ids('users'), ...tokens.map((token) => token.user_id)]}::int4[])
        or username_key = any(array(
          select understudy.username_key(name) from unnest(${names('users')}::text[]) name))
        or email_key = any(array(
          select understudy.username_key(email) from unnest(${emails}::text[]) email)))
    order by id`);
  const subscriptions = await rows(sql<{ id: number; user: string; notification: string }>`
    select
      s.id, u.username as user, s.notification, s.scope,
      case s.scope when 30 then s.target_path end as project,
      case s.scope when 40 then s.target_path end as component
    from understudy.subscriptions s
    join understudy.users u on u.sandbox_id = s.sandbox_id and u.id = s.user_id
    where s.sandbox_id = ${sandboxId}
      and (
        s.id = any(${ids('subscriptions')}::int4[])
        or s.user_id = any(array(
          select o.id
          from understudy.users o
          where o.sandbox_id = ${sandboxId}
            and o.username_key = any(array(
              select understudy.username_key(name) from unnest(${names('users')}::text[]) name)))))
    order by s.id`);

  const placed = <T>(rowsOfKind: readonly T[], name: (row: T) => string) =>
    rowsOfKind.map((row) => ({ ...row, place: inSandbox(name(row)) }));
  const tokensOf = Map.groupBy(tokens, (token) => token.user_id);
  return {
    projects: placed(projects, ({ slug }) => slug),
    components: placed(components, ({ project, slug }) => `${project}/${slug}`),
    groups: groups.length === 0 ? undefined : placed(groups, ({ name }) => name),
    users: placed(users, ({ username }) => username).map((user) => {
      const own = tokensOf.get(user.id) ?? [];
      return { ...user, tokens: own.map(({ hash }) => ({ place: user.place, hash })) };
    }),
    subscriptions: placed(subscriptions, ({ user, notification }) => `the subscription of ${user} to ${notification}`),
    next_id: {},
  };
}

export interface HeldToken {
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly username: string;
  /** Made for the sandbox, so that no seed ends it. */
  readonly is_own: boolean;
}

export async function listHeldTokens(db: Db, sandboxId: number): Promise<readonly HeldToken[]> {
  const { rows } = await sql<HeldToken>`
    select encode(t.hash, 'hex') as hash, u.username, o.hash is not null as is_own
    from understudy.tokens t
    join understudy.users u on u.sandbox_id = t.sandbox_id and u.id = t.user_id
    left join understudy.sandbox_tokens o on o.sandbox_id = t.sandbox_id and o.hash = t.hash
    where t.sandbox_id = ${sandboxId}
    order by u.id, t.hash`.execute(db);
  return rows;
}
