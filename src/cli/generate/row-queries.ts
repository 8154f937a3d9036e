// The rows of users, which the database makes. A user's random values come from one SHA-512 of the seed and the id,
// which every version of PostgreSQL computes alike.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../seeds/load/queries.ts';
import { notificationNames } from '../../model/notifications.ts';
import { personOf } from './made-up-names.ts';
import { componentsEach, privateAt, privateEvery, targetsFor, type World } from './world.ts';

interface Batch {
  readonly sandboxId: number;
  readonly seed: string;
  /** The ids of the first user and of the last. */
  readonly from: number;
  readonly to: number;
  readonly world: World;
  /** Ids of the groups that every user joins. */
  readonly everybodysGroups: readonly number[];
  /** The number of subscriptions of each user, and the id of the first user's first. */
  readonly subscriptions: number;
  readonly firstSubscription: number;
}

type Sql = RawBuilder<unknown>;

/** Returns the number of rows. */
export async function insertRows(db: Db, table: keyof typeof inserts, batch: Batch): Promise<number> {
  return Number((await inserts[table](batch).execute(db)).numAffectedRows ?? 0n);
}

/** A whole number from 0 to below `limit`. Each place uses three random bytes of its own, from the first 32. */
function draw(place: number, limit: Sql | number): Sql {
  const [high, middle, low] = [0, 1, 2].map((i) => sql`get_byte(random, ${sql.lit(place * 3 + i)})`);
  const below = typeof limit === 'number' ? sql.lit(limit) : limit;
  return sql`(((${high} << 16) + (${middle} << 8) + ${low})::int8 * ${below} >> 24)::int4`;
}

// Materialised, or each draw would compute the hash again. One user in eight is in a team, a number from 0.
const people = ({ seed, from, to, world: { teams } }: Batch): Sql => sql`
  with hashed as materialized (
    select
      id,
      sha512(convert_to(${seed}::text || ' ' || id, 'UTF8')) as random
    from generate_series(${from}::int4, ${to}::int4) as id
  ), people as materialized (
    select *, case when ${draw(0, 8)} = 0 then ${draw(1, teams)} end as team
    from hashed
  )`;

// In minutes since the first of January 2020. Users join until 2025, and their last log-in is before October 2026.
const firstDay = Date.UTC(2020, 0, 1);
const joinedSpan = (Date.UTC(2026, 0, 1) - firstDay) / 60_000;
const lastMoment = sql.lit((Date.UTC(2026, 9, 1) - firstDay) / 60_000);
const moment = (minutes: Sql): Sql => sql`timestamptz '2020-01-01T00:00:00Z' + ${minutes} * interval '1 minute'`;

// Names aren't made in the database, because import gives people the same ones.
function users(batch: Batch): Sql {
  const { from, to } = batch;
  const named = Array.from({ length: to - from + 1 }, (_, i) => ({ id: from + i, ...personOf(from + i) }));
  return sql`
    insert into understudy.users (
      sandbox_id, id, username, full_name, email, is_active, date_joined, last_login)
    ${people(batch)}
    select
      ${batch.sandboxId}::int4, id, username, full_name, email,
      ${draw(2, 40)} > 0,
      ${moment(sql`joined`)},
      case
        when ${draw(3, 12)} > 0
          then ${moment(sql`(joined + ${draw(4, sql`(${lastMoment} - joined)`)})`)}
      end
    from (select *, ${draw(5, joinedSpan)} as joined from people) p
    join jsonb_to_recordset(${JSON.stringify(named)}::jsonb)
      as n(id int4, username text, full_name text, email text)
      using (id)
    order by id`;
}

const memberships = (batch: Batch): Sql => sql`
  insert into understudy.user_groups (sandbox_id, user_id, group_id)
  ${people(batch)}
  select
    ${batch.sandboxId}::int4,
    id,
    unnest(array_remove(
      ${batch.everybodysGroups}::int4[] || (${sql.lit(batch.world.next.groups)} + team),
      null))
  from people
  order by id`;

const tokens = ({ sandboxId, from, to }: Batch): Sql => sql`
  insert into understudy.tokens (sandbox_id, hash, user_id)
  select
    ${sandboxId}::int4,
    sha256(convert_to('wlu_generated_public_sample_' || lpad(id::text, 12, '0'), 'UTF8')),
    id
  from generate_series(${from}::int4, ${to}::int4) as id`;

// Each user goes through the notifications in steps of its own size. Their number is prime, so each round has every
// one once, and the next round takes the next place, so no two subscriptions are alike. Places are the scopes 0, 10
// and 20, then 30 and 40 for each of the user's targets, the first of which is a team's project. A random byte for
// each notification gives its first place (most often watched projects) and its frequency (most often instant).
// `offset 0` keeps PostgreSQL from computing an expression again wherever it is used.
function subscriptions(batch: Batch): Sql {
  const { sandboxId, subscriptions: each, world } = batch;
  const names = sql.lit(notificationNames.length);
  const [every, at, components] = [privateEvery, privateAt, componentsEach].map((count) => sql.lit(count));
  return sql`
    insert into understudy.subscriptions (
      sandbox_id, id, user_id, notification, scope, frequency,
      project_id, component_id, target_path, private_project_id)
    ${people(batch)}, numbered as (
      select
        id as user_id, i, team, first,
        1 + (start + i * step) % ${names} as name,
        ('{1,1,1,1,1,1,1,1,2,2,2,2,3,3,4,0}'::int4[])
          [1 + (get_byte(random, 32 + i % ${names}) & 15)] as frequency,
        (
          ('{0,1,1,1,1,1,1,1,2,2,2,3,3,4,5,6}'::int4[])
            [1 + (get_byte(random, 32 + i % ${names}) >> 4)]
          + i / ${names}
        ) % ${sql.lit(3 + 2 * targetsFor(each))} as place
      from (
        select
          *,
          ${draw(6, 2 ** 20)} as first,
          ${draw(7, notificationNames.length)} as start,
          1 + ${draw(8, notificationNames.length - 1)} as step
        from people
        offset 0
      ) p
      cross join lateral generate_series(0 * p.id, ${each}::int4 - 1) as i
      offset 0
    ), scoped as (
      select
        *,
        case when place < 3 then place * 10 else 30 + (place - 3) % 2 * 10 end as scope,
        (first + (place - 3) / 2) % ${sql.lit(world.openProjects)} as open
      from numbered
      offset 0
    )
    select
      ${sandboxId}::int4,
      ${batch.firstSubscription}::int4 + (user_id - ${batch.from}::int4) * ${each}::int4 + i,
      user_id,
      (${notificationNames}::text[])[s.name], scope, frequency,
      case scope when 30 then p.id end,
      c.id,
      p.slug || coalesce('/' || c.slug, ''),
      case when p.private then p.id end
    from scoped s
    left join understudy.projects p
      on p.sandbox_id = ${sandboxId}
      and p.id = case
        when scope >= 30
          then ${sql.lit(world.next.projects)} + case
            when place in (3, 4) and team is not null
              then team * ${every} + ${at}
            else open + (open + ${at}) / (${every} - 1)
          end
      end
    left join understudy.components c
      on c.sandbox_id = ${sandboxId}
      and c.id = case scope
        when 40
          then ${sql.lit(world.next.components)}
            + (p.id - ${sql.lit(world.next.projects)}) * ${components}
            + first % ${components}
      end`;
}

const inserts = { users, memberships, tokens, subscriptions };

export const listGroups = (db: Db, sandboxId: number) =>
  db
    .selectFrom('understudy.groups')
    .select(['id', 'automatic'])
    .where('sandbox_id', '=', sandboxId)
    .orderBy('id')
    .execute();

/**
 * Skips the checks of foreign keys for the rest of this transaction, if the role may: looking up every user, group,
 * project and component takes two thirds of the time. While the counters are locked, none of them is deleted.
 */
export async function spareForeignKeys(db: Db): Promise<void> {
  await sql`
    select set_config('session_replication_role', 'replica', true)
    where has_parameter_privilege(current_user, 'session_replication_role', 'SET')`.execute(db);
}
