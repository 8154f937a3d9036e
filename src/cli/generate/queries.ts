// The SQL around the rows that generate writes: locks and foreign keys.
import { sql } from 'kysely';
import type { Db } from '../../seeds/load/queries.ts';

/** Keeps the sandbox from being dropped until the transaction ends. */
export async function keepSandbox(db: Db, sandboxId: number): Promise<void> {
  await sql`select from understudy.sandboxes where id = ${sandboxId} for key share`.execute(db);
}

/** All groups of the sandbox. None of them can be removed until the transaction ends. */
export const keepGroups = (db: Db, sandboxId: number) =>
  db
    .selectFrom('understudy.groups')
    .select(['id', 'automatic'])
    .where('sandbox_id', '=', sandboxId)
    .orderBy('id')
    .forKeyShare()
    .execute();

/**
 * Skips the checks of foreign keys for the rest of this transaction, where the role may do that: looking up every user,
 * group, project and component takes two thirds of the time. The caller has written or locked all of them.
 */
export async function spareForeignKeys(db: Db): Promise<void> {
  await sql`select set_config('session_replication_role', 'replica', true)
    where has_parameter_privilege(current_user, 'session_replication_role', 'SET')`.execute(db);
}
