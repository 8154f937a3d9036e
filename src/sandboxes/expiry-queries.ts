// The SQL of sandboxes that come to their end.
import { sql } from 'kysely';
import { dropUnusedTemplate } from '../load/copy-queries.ts';
import type { Db } from './queries.ts';

/**
 * Gives sandboxes that were used their whole lifetime again. Waits for no lock: gives the names of those that are locked by others and so
 * are still to be renewed.
 */
export async function renew(db: Db, names: readonly string[]): Promise<string[]> {
  const locked = await sql<{ name: string }>`with used as (
      select id from understudy.sandboxes where name = any(${names}::text[]) and lifetime_seconds is not null
      order by id for no key update skip locked),
    renewed as (
      update understudy.sandboxes s set expires_at = now() + make_interval(secs => s.lifetime_seconds)
      from used where s.id = used.id returning s.id)
    select s.name from understudy.sandboxes s where s.name = any(${names}::text[]) and s.lifetime_seconds is not null
      and not exists (select from renewed where renewed.id = s.id) order by s.name`.execute(db);
  return locked.rows.map(({ name }) => name);
}

/** Those that expired longer ago than that. */
export async function listExpired(db: Db, graceSeconds: number): Promise<{ id: number; name: string }[]> {
  const query = sql<{ id: number; name: string }>`select id, name from understudy.sandboxes
    where name is not null and expires_at < now() - make_interval(secs => ${graceSeconds}::int4) order by id`;
  return (await query.execute(db)).rows;
}

/** False where it was used, or went, since it was listed. */
export async function dropIfExpired(db: Db, id: number, graceSeconds: number): Promise<boolean> {
  const { rows } = await sql<{ dropped: boolean }>`select understudy.drop_sandbox(${id}::int4,
    now() - make_interval(secs => ${graceSeconds}::int4)) as dropped`.execute(db);
  return rows[0]?.dropped === true;
}

/** Drops templates that no sandbox resets to and what a stopped process left unfinished. Gives how many. */
export async function dropUnusedTemplates(db: Db, olderThanSeconds: number): Promise<number> {
  const unused = await sql<{ id: number }>`select t.id from understudy.sandboxes t
    where t.name is null and t.snapshot_of is null and t.created_at < now() - make_interval(secs => ${olderThanSeconds}::int4)
      and not exists (select from understudy.sandboxes s where s.baseline_id = t.id) order by t.id`.execute(db);
  let dropped = 0;
  for (const { id } of unused.rows) {
    if (await dropUnusedTemplate(db, id)) dropped++;
  }
  return dropped;
}
