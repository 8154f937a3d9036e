// The sandbox that a load writes into: its lock, its counters, and the name of its seed.
import { addAbortListener } from 'node:events';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { counterOf, type Kind, kindNames } from '../../model/kinds.ts';

export type Db = Transaction<Tables>;
/** The id of the next new thing of each kind. */
export type NextIds = Readonly<Record<Kind, number>>;
export const firstIds = Object.fromEntries(kindNames.map((kind) => [kind, 1])) as NextIds;

/** Thrown if the sandbox was deleted after its id was found. */
export class SandboxGone extends Error {
  override readonly name = 'SandboxGone';
}

const counters = kindNames.map((kind) => sql.ref(counterOf(kind)));

/** Locks the counters: the sandbox's other writers wait (docs/decisions/0009). Throws SandboxGone. */
export async function lockCounters(db: Db, sandboxId: number) {
  const named = kindNames.map((kind, i) => sql`${counters[i]} as ${sql.ref(kind)}`);
  const { rows } = await sql<NextIds>`
    select ${sql.join(named)}
    from understudy.counters
    where sandbox_id = ${sandboxId}
    for update`.execute(db);
  if (rows[0] === undefined) throw new SandboxGone(`there is no sandbox ${sandboxId}`);
  return rows[0];
}

/** @param now sets the clock; null keeps it */
export async function setCounters(db: Db, sandboxId: number, next: NextIds, now: string | null = null) {
  const columns = sql.join([...counters, sql.ref('clock')]);
  const values = sql.join([
    ...kindNames.map((kind) => sql`${next[kind]}::int4`),
    sql`coalesce(${now}::timestamptz, clock)`,
  ]);
  await sql`
    update understudy.counters
    set (${columns}) = row(${values})
    where sandbox_id = ${sandboxId} and (${columns}) is distinct from (${values})`.execute(db);
}

/** If `signal` aborts, another connection cancels the statement. Throws the signal's reason. */
export async function transact<T>(db: Kysely<Tables>, signal: AbortSignal | undefined, work: (db: Db) => Promise<T>) {
  const run = async (transaction: Db) => {
    const { rows } = await prepareLoad.execute(transaction);
    const cancel = () => void sql`select pg_cancel_backend(${rows[0]?.backend})`.execute(db).catch(() => undefined);
    signal?.throwIfAborted();
    using _cancelling = signal && addAbortListener(signal, cancel);
    const result = await work(transaction);
    signal?.throwIfAborted();
    return result;
  };
  try {
    return await db.transaction().setIsolationLevel('read committed').execute(run);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** Undoes and ends the transaction. The commit that follows does nothing. */
export const rollBack = (db: Db) => sql`rollback`.execute(db);

// A load sets the id counters itself (`counts_ids`). Generic plans use indexes for foreign keys: without
// statistics, custom plans would read the whole sandbox for each deleted row.
const prepareLoad = sql<{ backend: number }>`
  select
    pg_backend_pid() as backend,
    set_config('understudy.counts_ids', 'on', true),
    set_config('statement_timeout', '0', true),
    set_config('client_connection_check_interval', '100', true),
    set_config('plan_cache_mode', 'force_generic_plan', true)`;

/** A merge doesn't replace another seed's name. `default` counts as created when it is first filled. */
export const recordSeed = (db: Db, sandboxId: number, name: string, digest: string, replaced: boolean) =>
  sql`
    update understudy.sandboxes
    set seed_name = ${name}, seed_digest = ${digest}, seeded_at = now(),
      created_at = case
        when seeded_at is null and name = 'default' then now()
        else created_at
      end
    where id = ${sandboxId}
      and (${replaced}::boolean or seed_name is null or seed_name = ${name})
      and (seed_name, seed_digest, seeded_at is null)
        is distinct from (${name}::text, ${digest}::text, false)
  `.execute(db);

// Any number; the same in all services.
const seedingLock = sql`7362011510`;

/** Locks until the transaction ends: only one service fills a new database. Calls `onWait` before a wait. */
export async function lockSeeding(db: Db, onWait: () => void) {
  const trying = sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${seedingLock}) as locked,
      set_config('lock_timeout', '0', true)`;
  if ((await trying.execute(db)).rows[0]?.locked === true) return;
  onWait();
  await sql`select pg_advisory_xact_lock(${seedingLock})`.execute(db);
}

export const getDefaultSandbox = (db: Kysely<Tables>) =>
  db
    .selectFrom('understudy.sandboxes')
    .where('name', '=', 'default')
    .select(['id', 'seeded_at', 'seed_digest'])
    .executeTakeFirstOrThrow();

/** True at the first start on a database that the build filled with this seed. Sets its sandboxes' dates. */
export async function startClocks(db: Kysely<Tables>, seedName: string, digest: string) {
  const { numAffectedRows = 0n } = await sql`
    update understudy.sandboxes s
    set created_at = now(),
      seed_name = case s.id when d.id then ${seedName} else s.seed_name end,
      seeded_at = case when s.id = d.id or s.seeded_at is not null then now() end
    from understudy.sandboxes d
    where d.name = 'default' and d.seeded_at is null and d.seed_digest = ${digest}
  `.execute(db);
  return numAffectedRows > 0n;
}
