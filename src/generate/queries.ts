// The SQL that generate needs beside that of every seed.
import { sql } from 'kysely';
import type { Db } from '../load/queries.ts';

/** Keeps the sandbox from being dropped until the transaction ends. */
export async function keepSandbox(db: Db, sandboxId: number): Promise<void> {
  await sql`select from understudy.sandboxes where id = ${sandboxId} for key share`.execute(db);
}

/** The ids of the groups that new users join. No group of the sandbox can be removed until the transaction ends. */
export async function keepGroups(db: Db, sandboxId: number): Promise<number[]> {
  const groups = await db
    .selectFrom('understudy.groups')
    .select(['id', 'automatic'])
    .where('sandbox_id', '=', sandboxId)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return groups.flatMap(({ id, automatic }) => (automatic ? [id] : []));
}

/**
 * Leaves the look-up of foreign keys out for the rest of this transaction, where the role may say so. It would look every user, group,
 * project and component up again, which takes two thirds of the time. The caller has written or locked all of them.
 */
export async function spareForeignKeys(db: Db): Promise<void> {
  await sql`select set_config('session_replication_role', 'replica', true)
    where has_parameter_privilege(current_user, 'session_replication_role', 'SET')`.execute(db);
}
