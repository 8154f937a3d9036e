// The SQL of expiry.
import { sql } from 'kysely';
import { dropUnusedTemplate } from '../load/copy-queries.ts';
import type { Db } from './queries.ts';

/** Starts the lifetime of used sandboxes anew. Skips locked ones rather than wait, and returns their names. */
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

export async function listExpired(db: Db, graceSeconds: number): Promise<{ id: number; name: string }[]> {
  const query = sql<{ id: number; name: string }>`select id, name from understudy.sandboxes
    where name is not null and expires_at < now() - make_interval(secs => ${graceSeconds}::int4) order by id`;
  return (await query.execute(db)).rows;
}

/** False if the sandbox was used or dropped since it was listed. */
export async function dropIfExpired(db: Db, id: number, graceSeconds: number): Promise<boolean> {
  const { rows } = await sql<{ dropped: boolean }>`select understudy.drop_sandbox(${id}::int4,
    now() - make_interval(secs => ${graceSeconds}::int4)) as dropped`.execute(db);
  return rows[0]?.dropped === true;
}

/** Drops templates that no sandbox resets to, and what a stopped process left unfinished. */
export async function dropUnusedTemplates(db: Db, olderThanSeconds: number): Promise<void> {
  const unused = await sql<{ id: number }>`select t.id from understudy.sandboxes t
    where t.name is null and t.snapshot_of is null and t.created_at < now() - make_interval(secs => ${olderThanSeconds}::int4)
      and not exists (select from understudy.sandboxes s where s.baseline_id = t.id) order by t.id`.execute(db);
  for (const { id } of unused.rows) await dropUnusedTemplate(db, id);
}
