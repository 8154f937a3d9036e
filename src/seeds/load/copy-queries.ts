// The SQL of templates: hidden sandboxes that others are copied from and reset to.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { version } from '../../base/version.ts';
import type { Db } from './queries.ts';

/** Equal seeds give equal rows within one version of this program. */
export const templateKey = (seedDigest: string): string => `${version} ${seedDigest}`;

/** Within a transaction the template stays until its end. */
export async function findTemplate(db: Kysely<Tables>, key: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('understudy.sandboxes')
    .where('template_key', '=', key)
    .select('id')
    .forKeyShare()
    .executeTakeFirst();
  return row?.id;
}

export async function addHidden(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`with made as (insert into understudy.sandboxes default values returning id)
    insert into understudy.counters (sandbox_id) select id from made returning sandbox_id as id`.execute(db);
  return (rows[0] as { id: number }).id;
}

/** Gives a hidden sandbox the key and returns its id. If another one has the key, returns that one's id and deletes the first. */
export async function nameTemplate(db: Db, id: number, key: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select understudy.name_template(${id}::int4, ${key}) as id`.execute(db);
  const shared = (rows[0] as { id: number }).id;
  if (shared !== id) await deleteUnusedTemplate(db, id);
  return shared;
}

/** Makes the rows of a locked sandbox those of the template; equal ones stay untouched. */
export const resetTo = (db: Db, sandboxId: number, template: number) =>
  sql`select understudy.sync_rows(${template}::int4, ${sandboxId}::int4)`.execute(db);

/** For Undo, unless the locked sandbox has more users and subscriptions than `maxRows`. */
export const keepUndo = (db: Db, sandboxId: number, maxRows: number) =>
  sql`select understudy.keep_undo(${sandboxId}::int4, ${maxRows}::int4)`.execute(db);

/** From now on the sandbox resets to the template. */
export const setBaseline = (db: Db, sandboxId: number, template: number) =>
  sql`select understudy.set_baseline(${sandboxId}::int4, ${template}::int4)`.execute(db);

/** A template that a sandbox resets to stays. */
export const deleteUnusedTemplate = (db: Kysely<Tables>, id: number) =>
  sql`select understudy.drop_unused_template(${id}::int4)`.execute(db);
