// The SQL of the sandboxes and users that a browser can choose.
import { sql } from 'kysely';
import { prepare } from '../../database/prepare.ts';

/** Names of the sandboxes that were created or used last, `default` first. */
export const listRecent = prepare<{ most: number }, { readonly name: string }>(
  (_db, slot) => sql`
    select name
    from understudy.sandboxes
    where name is not null
    order by
      name <> 'default',
      coalesce(expires_at - make_interval(secs => lifetime_seconds), created_at) desc,
      name
    limit ${slot('most', 'int4')}`,
);

export interface SampleState {
  readonly username: string;
  /** The token's SHA-256 in hex. */
  readonly hash: string;
  readonly is_superuser: boolean;
  readonly subscriptions: number;
  readonly targeted: number;
}

export const listSampleStates = prepare<{ sandbox: string; hashes: readonly string[] }, SampleState>(
  (_db, slot) => sql`
    select
      u.username, encode(k.hash, 'hex') as hash, u.is_superuser,
      n.subscriptions, n.targeted
    from unnest(${slot('hashes', 'text[]')}) given(hex)
    cross join (select x.id from understudy.sandboxes x where x.name = ${slot('sandbox', 'text')}) s
    join lateral (
      select *
      from understudy.tokens x
      where x.sandbox_id = s.id and x.hash = decode(given.hex, 'hex')
      offset 0
    ) k on true
    join lateral (
      select *
      from understudy.users x
      where x.sandbox_id = s.id and x.id = k.user_id
      offset 0
    ) u on u.is_active
    cross join lateral (
      select
        count(*)::int as subscriptions,
        count(*) filter (where x.scope >= 30)::int as targeted
      from understudy.subscriptions x
      where x.sandbox_id = s.id and x.user_id = u.id
    ) n
    order by u.id`,
);
