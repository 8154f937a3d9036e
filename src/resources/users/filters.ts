// The filters of a list of users, read from its query (transcript users__filter).
import { type Static, Type } from '@sinclair/typebox';
import { characterFaults } from '../../api/body/read-value.ts';
import { PageQuery } from '../../api/operation.ts';
import { toId } from '../../api/wire/ids.ts';
import type { ErrorLine } from '../../errors.ts';
import type { Filters } from './queries.ts';

export const FilterQuery = Type.Object({
  username: Type.Optional(
    Type.String({
      description: 'Beginning of the username; at least two letters for callers who may not see all users.',
    }),
  ),
  email: Type.Optional(Type.String({ description: 'The whole e-mail address.' })),
  id: Type.Optional(Type.String({ description: 'The id, a number.' })),
  is_active: Type.Optional(Type.String({ description: '`true` or `false`.' })),
  ...PageQuery.properties,
});
export type FilterQuery = Static<typeof FilterQuery>;

export const notANumber: ErrorLine = { code: 'invalid', detail: 'Enter a number.', attr: 'id' };

const activity: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** An empty filter and an unknown activity limit nothing. */
export function readFilters(query: FilterQuery): { filters: Filters; faults: readonly ErrorLine[] } {
  const username = query.username?.trim() ?? '';
  const email = query.email?.trim() ?? '';
  const id = query.id?.trim() ?? '';
  const isActive = activity[query.is_active?.toLowerCase() ?? ''];
  return {
    filters: {
      // An empty username counts: it is too short a beginning for callers who may not see all users.
      ...(query.username === undefined ? {} : { prefix: username }),
      ...(email === '' ? {} : { email }),
      // 6.0 is 6, and a fraction is no user's id.
      ...(id === '' ? {} : { id: toId(id) }),
      ...(isActive === undefined ? {} : { is_active: isActive }),
    },
    faults: [
      ...characterFaults(username).map((fault) => ({ ...fault, attr: 'username' })),
      ...(id === '' || isNumber(id) ? [] : [notANumber]),
      ...characterFaults(email).map((fault) => ({ ...fault, attr: 'email' })),
    ],
  };
}

// Digits and what follows a point must not be able to share one digit, or a long number takes quadratic time.
const isNumber = (text: string) => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text);
