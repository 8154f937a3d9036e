// The statements of `generate`.
import { sql } from 'kysely';
import { columnsOf, type TableName } from '../../model/kinds.ts';
import type { Db } from '../../seeds/load/queries.ts';

/** Sends the rows as one JSON parameter. Missing columns become null; unknown keys are ignored. */
export async function insertRows(db: Db, sandboxId: number, table: TableName, rows: readonly object[]) {
  const { key, others } = columnsOf(table);
  const columns = sql.join([...key, ...Object.keys(others)].map((column) => sql.ref(column)));
  const target = sql.table(`understudy.${table}`);
  await sql`
    insert into ${target} (sandbox_id, ${columns})
    select ${sandboxId}::int4, ${columns}
    from json_populate_recordset(null::${target}, ${JSON.stringify(rows)}::json)`.execute(db);
}

export const listGroups = (db: Db, sandboxId: number) =>
  db.selectFrom('understudy.groups').select(['id', 'automatic']).where('sandbox_id', '=', sandboxId).execute();

/**
 * Skips the checks of foreign keys until the transaction ends, if the role may do so. The checks would
 * take two thirds of the time, and aren't needed: while the counters are locked, no referenced row is
 * deleted.
 */
export async function spareForeignKeys(db: Db) {
  await sql`
    select set_config('session_replication_role', 'replica', true)
    where has_parameter_privilege(current_user, 'session_replication_role', 'SET')`.execute(db);
}
