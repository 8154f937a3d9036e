// The locks of statements that write: first the sandbox, then the user.
import { type QueryCreator, sql } from 'kysely';
import type { Slots } from '../database/prepare.ts';
import type { Tables } from '../database/tables.ts';
import { type CallerParams, isAllowed, ofAccess, usernameKey, withAccess } from './caller-queries.ts';
import type { Intent } from './permissions.ts';

/**
 * Adds `locked`, the sandbox's row of counters. Writers lock the row before anything else of the sandbox, and
 * write nothing if the row is missing (docs/decisions/0009). A reset locks the row for update, and so waits
 * for writers that share the lock.
 */
export const withLock = <P extends CallerParams>(
  db: QueryCreator<Tables>,
  slot: Slots<P>,
  intent: Intent,
  strength: 'update' | 'key share',
) =>
  withAccess(db, slot, intent).with(
    'locked',
    sql<{ sandbox_id: number }>`(
      select c.sandbox_id
      from understudy.counters c
      where c.sandbox_id = ${ofAccess('sandbox_id')} and ${isAllowed}
      for ${sql.raw(strength)})`,
  );

export const ofLocked = sql<number>`(select locked.sandbox_id from locked)`;

/**
 * Finds and locks the user in the path, after the sandbox is locked. Finds no user that was deleted or
 * renamed during the wait for the sandbox's lock, and no new user with the same id.
 */
export const keepTarget = <P extends CallerParams>(slot: Slots<P>, sandbox = ofLocked) =>
  sql<Tables['understudy.users']>`(
    select u.*
    from understudy.users u
    where u.sandbox_id = ${sandbox}
      and u.id = ${ofAccess('target_id')}
      and u.username_key = ${usernameKey(slot('username', 'text'))}
    for key share)`;

/** Adds `owner`, the user to write. Locks the sandbox exclusively, or swaps of usernames would deadlock. */
export const withTarget = <P extends CallerParams>(db: QueryCreator<Tables>, slot: Slots<P>, intent: Intent) =>
  withLock(db, slot, intent, 'update').with('owner', keepTarget(slot));
