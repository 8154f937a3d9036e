// The SQL of templates: hidden sandboxes that others are copied from and reset to.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { version } from '../version.ts';

/** Seeds that say the same give the same rows, as far as one version of this program goes. */
export const templateKey = (seedDigest: string): string => `${version} ${seedDigest}`;

/** After a load that left exactly what a seed says: the sandbox resets to it, and its own tokens are usable again. */
export async function settleSeed(db: Kysely<Tables>, sandboxId: number, seedDigest: string): Promise<void> {
  await sql`select understudy.settle_seed(${sandboxId}::int4, ${templateKey(seedDigest)}::text)`.execute(db);
}

export async function findTemplate(db: Kysely<Tables>, key: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('understudy.sandboxes')
    .where('template_key', '=', key)
    .select('id')
    .executeTakeFirst();
  return row?.id;
}

/** An empty sandbox without a name. */
export async function addHidden(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ id: number }>`with made as (insert into understudy.sandboxes default values returning id)
    insert into understudy.counters (sandbox_id) select id from made returning sandbox_id as id`.execute(db);
  return (rows[0] as { id: number }).id;
}

/** Makes a hidden sandbox the key's template. Gives the template's id: another's where that one was quicker. */
export async function nameTemplate(db: Kysely<Tables>, id: number, key: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select understudy.name_template(${id}::int4, ${key}) as id`.execute(db);
  return (rows[0] as { id: number }).id;
}

/** False where some sandbox resets to it. */
export async function dropUnusedTemplate(db: Kysely<Tables>, id: number): Promise<boolean> {
  const { rows } = await sql<{
    dropped: boolean;
  }>`select understudy.drop_unused_template(${id}::int4) as dropped`.execute(db);
  return rows[0]?.dropped === true;
}
