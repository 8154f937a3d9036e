// The SQL of sandboxes that come to their end.
import { sql } from 'kysely';
import { dropUnusedTemplate } from './copy-queries.ts';
import type { Db } from './sandboxes-queries.ts';

/** Gives sandboxes that were used their whole lifetime again. Locked in one order, for other services do the same. */
export async function renew(db: Db, names: readonly string[]): Promise<void> {
  await sql`with used as (
      select id from understudy.sandboxes where name = any(${names}::text[]) and lifetime_seconds is not null
      order by id for no key update)
    update understudy.sandboxes s set expires_at = now() + make_interval(secs => s.lifetime_seconds)
    from used where s.id = used.id`.execute(db);
}

/** Drops those that expired longer ago than that, one act each. Gives their names. */
export async function dropExpired(db: Db, graceSeconds: number): Promise<string[]> {
  const expired = await sql<{ id: number; name: string }>`select id, name from understudy.sandboxes
    where name is not null and expires_at < now() - make_interval(secs => ${graceSeconds}::int4) order by id`.execute(
    db,
  );
  const dropped: string[] = [];
  for (const { id, name } of expired.rows) {
    const { rows } = await sql<{ dropped: boolean }>`select understudy.drop_sandbox(${id}::int4,
      now() - make_interval(secs => ${graceSeconds}::int4)) as dropped`.execute(db);
    if (rows[0]?.dropped === true) dropped.push(name);
  }
  return dropped;
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
