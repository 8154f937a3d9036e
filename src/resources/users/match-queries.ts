// The SQL that finds out whether filters leave the user in a path.
import { type RawBuilder, sql } from 'kysely';
import type { CallerRights } from '../../access/permissions.ts';
import { type CallerParams, ofAccess, usernameKey, withCaller } from '../../access/queries.ts';
import { prepare } from '../../database/prepare.ts';
import type { Filters } from './queries.ts';

/** Null for a filter that isn't given. */
type Limits = { readonly [Name in keyof Filters]-?: Exclude<Filters[Name], undefined> | null };

/** Whether the filters leave the target user. For callers who may not view all users an address is no filter. */
const findMatchFor = (intent: 'any' | 'sign in') =>
  prepare<CallerParams & Limits, CallerRights & { readonly is_match: boolean }>((db, slot) => {
    const given = <T>(value: RawBuilder<T>, condition: RawBuilder<unknown>) => sql`(${value} is null or ${condition})`;
    const prefix = slot('prefix', 'text') as RawBuilder<string>;
    const email = slot('email', 'text') as RawBuilder<string>;
    const id = slot('id', 'int4');
    const isActive = slot('is_active', 'boolean');
    return withCaller(db, slot, intent)
      .selectFrom('access')
      .selectAll('access')
      .select(
        sql<boolean>`exists (select from understudy.users u
          where u.sandbox_id = ${ofAccess('sandbox_id')} and u.id = ${ofAccess('target_id')}
          and ${given(prefix, sql`starts_with(u.username_key, ${usernameKey(prefix)})`)}
          and (not access.may_view_users or ${given(email, sql`u.email_key = ${usernameKey(email)}`)})
          and ${given(id, sql`u.id = ${id}`)} and ${given(isActive, sql`u.is_active = ${isActive}`)} offset 0)`.as(
          'is_match',
        ),
      );
  });

export const findMatch = findMatchFor('any');
export const findMatchSignedIn = findMatchFor('sign in');
