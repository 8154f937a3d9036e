// Reads the first seed of a merge: the sandbox's content, as far as the files name it.
import { type RawBuilder, sql } from 'kysely';
import { factsOf, type Kind } from '../../model/kinds.ts';
import { columnsAsSeed } from '../export/queries.ts';
import { inSandbox, itemsOf, nameOf, referencesOf, type Seed, type SeedItem } from '../format/seed-types.ts';
import type { Db } from './queries.ts';

/** Reads what identifies things, and whether groups are automatic. */
export async function readExisting(db: Db, sandboxId: number, seeds: readonly Seed[]): Promise<Seed> {
  async function read(kind: Kind, condition: RawBuilder<unknown>): Promise<(SeedItem & { readonly id: number })[]> {
    const { key, unique = 'automatic' } = factsOf(kind);
    const { rows } = await sql<{ id: number }>`
      select t.id, ${sql.raw(columnsAsSeed(kind, (property) => [...key, unique].includes(property)))}
      from ${sql.table(`understudy.${kind}`)} t
      where t.sandbox_id = ${sandboxId} and (${condition})`.execute(db);
    // Sorted here: without statistics, `order by id` would read the whole sandbox.
    return rows.toSorted((a, b) => a.id - b.id).map((row) => ({ ...row, place: inSandbox(kind, row) }));
  }
  const ids = (kind: Kind) => seeds.flatMap((seed) => itemsOf(seed, kind).flatMap(({ id }) => id ?? []));
  /** The names of the seeds' things, and of things that the seeds refer to. */
  const names = (kind: Kind) => {
    const all = seeds.flatMap((seed) => [
      ...itemsOf(seed, kind).map((item) => nameOf(kind, item)),
      ...[...referencesOf(seed)].flatMap(({ to, value }) => (to === kind ? [String(value)] : [])),
    ]);
    return [...new Set(all)];
  };
  // Arrays: with an `or` of subselects, the database would read the whole sandbox.
  const folded = (texts: readonly string[]) =>
    sql`any(array(select understudy.username_key(given) from unnest(${texts}::text[]) given))`;
  const seedUsers = seeds.flatMap((seed) => seed.users);
  const emails = seedUsers.map((user) => user['email']).filter((email) => typeof email === 'string');
  const hashes = seedUsers.flatMap((user) => user.tokens.map(({ hash }) => hash));
  const paths = names('components').map((path) => path.split('/'));

  // All groups: new users join automatic ones, and a group's name must be unambiguous.
  const groups = await read('groups', sql`true`);
  const defining = groups.flatMap((group) => group['defining_project'] ?? []);
  const slugs = [...names('projects'), ...paths.map(([project]) => project), ...defining];
  const projects = await read(
    'projects',
    sql`t.slug = any(${slugs}::text[]) or t.id = any(${ids('projects')}::int4[])`,
  );
  const components = await read(
    'components',
    sql`t.id = any(${ids('components')}::int4[])
      or t.project_id = any(${projects.map(({ id }) => id)}::int4[])
        and t.slug = any(${paths.map(([, slug]) => slug)}::text[])`,
  );
  const { rows: tokens } = await sql<{ hash: string; user_id: number }>`
    select encode(hash, 'hex') as hash, user_id
    from understudy.tokens
    where sandbox_id = ${sandboxId}
      and hash = any(array(select decode(hex, 'hex') from unnest(${hashes}::text[]) hex))
    order by hash`.execute(db);
  const users = await read(
    'users',
    sql`t.id = any(${[...ids('users'), ...tokens.map((token) => token.user_id)]}::int4[])
      or t.username_key = ${folded(names('users'))}
      or t.email_key = ${folded(emails)}`,
  );
  const subscriptions = await read(
    'subscriptions',
    sql`t.id = any(${ids('subscriptions')}::int4[]) or t.user_id = any(${users.map(({ id }) => id)}::int4[])`,
  );

  const tokensOf = Map.groupBy(tokens, (token) => token.user_id);
  return {
    projects,
    components,
    groups: groups.length === 0 ? undefined : groups,
    users: (users as Seed['users'][number][]).map((user) => {
      const own = tokensOf.get(user.id as number) ?? [];
      return { ...user, tokens: own.map(({ hash }) => ({ place: user.place, hash })) };
    }),
    subscriptions,
    next_id: {},
  };
}
