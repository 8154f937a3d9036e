// The SQL of browser sessions and of who is at the browser.
import { sql } from 'kysely';
import type { Handle } from '../database/prepare.ts';
import { prepare } from '../database/prepare.ts';

// Further ones replace the oldest.
const mostSessions = 1000;

interface NewSession {
  readonly sandbox: string;
  /** SHA-256 of what the cookie holds. */
  readonly hash: Buffer;
  readonly token_hash: Buffer;
  readonly lifetime_seconds: number;
}

// As every writer does, it locks the sandbox's counters first (docs/decisions/0009), so that no sandbox is dropped or
// replaced around it. Services that delete the same old sessions skip each other's.
const insertSession = prepare<NewSession, { sandbox_id: number }>(
  (_db, slot) => sql`with s as materialized (select x.id from understudy.sandboxes x
      join understudy.counters c on c.sandbox_id = x.id
      where x.name = ${slot('sandbox', 'text')} for key share of c),
    old as (delete from understudy.browser_sessions b using s where b.sandbox_id = s.id
      and b.hash = any(array(select x.hash from understudy.browser_sessions x where x.sandbox_id = s.id
        and (x.expires_at < now() or x.expires_at <= (select y.expires_at from understudy.browser_sessions y
          where y.sandbox_id = s.id order by y.expires_at desc offset ${sql.lit(mostSessions - 1)} limit 1))
        for update skip locked)))
    insert into understudy.browser_sessions (sandbox_id, hash, token_hash, expires_at)
      select s.id, ${slot('hash', 'bytea')}, ${slot('token_hash', 'bytea')},
        now() + make_interval(secs => ${slot('lifetime_seconds', 'int4')})
      from s returning sandbox_id`,
);

/** False if there is no such sandbox. */
export const addSession = async (db: Handle, session: NewSession): Promise<boolean> =>
  (await insertSession(db, session)).length > 0;

export const dropSession = prepare<{ sandbox: string; hash: Buffer }, never>(
  (_db, slot) => sql`delete from understudy.browser_sessions b using understudy.sandboxes s
    where s.name = ${slot('sandbox', 'text')} and b.sandbox_id = s.id and b.hash = ${slot('hash', 'bytea')}`,
);

interface FoundVisitor {
  /** Of the session; null without one. */
  readonly session_token_hash: Buffer | null;
  /** The active user of the token, which is the request's or else the session's. */
  readonly username: string | null;
}

/** No row if there is no such sandbox. */
export const findVisitor = prepare<
  { sandbox: string; session_hash: Buffer | null; token_hash: Buffer | null },
  FoundVisitor
>(
  (_db, slot) => sql`select b.token_hash as session_token_hash, u.username
    from (select x.id from understudy.sandboxes x where x.name = ${slot('sandbox', 'text')}) s
    left join lateral (select x.token_hash from understudy.browser_sessions x
      where x.sandbox_id = s.id and x.hash = ${slot('session_hash', 'bytea')} and x.expires_at > now() offset 0) b on true
    left join lateral (select x.user_id from understudy.tokens x
      where x.sandbox_id = s.id and x.hash = coalesce(${slot('token_hash', 'bytea')}, b.token_hash) offset 0) k on true
    left join lateral (select x.username from understudy.users x
      where x.sandbox_id = s.id and x.id = k.user_id and x.is_active offset 0) u on true`,
);

export interface SampleState {
  readonly username: string;
  /** The token's SHA-256 in hex. */
  readonly hash: string;
  readonly is_superuser: boolean;
  readonly subscriptions: number;
  /** Those of them that are limited to a project or component. */
  readonly targeted: number;
}

/** The active users of a sandbox that the tokens belong to now. */
export const listSampleStates = prepare<{ sandbox: string; hashes: readonly string[] }, SampleState>(
  (_db, slot) => sql`select u.username, encode(k.hash, 'hex') as hash, u.is_superuser, n.subscriptions, n.targeted
    from unnest(${slot('hashes', 'text[]')}) given(hex)
    cross join (select x.id from understudy.sandboxes x where x.name = ${slot('sandbox', 'text')}) s
    join lateral (select * from understudy.tokens x
      where x.sandbox_id = s.id and x.hash = decode(given.hex, 'hex') offset 0) k on true
    join lateral (select * from understudy.users x
      where x.sandbox_id = s.id and x.id = k.user_id offset 0) u on u.is_active
    cross join lateral (select count(*)::int as subscriptions, count(*) filter (where x.scope >= 30)::int as targeted
      from understudy.subscriptions x where x.sandbox_id = s.id and x.user_id = u.id) n
    order by u.id`,
);
