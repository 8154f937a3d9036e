// The filters of a list of users, read from its query (transcript users__filter).
import { type Static, Type } from '@sinclair/typebox';
import { characterErrors } from '../../http/body/read-value.ts';
import { PageQuery, parameter } from '../../http/operation.ts';
import { asciiDigits, strip, toId } from '../../http/wire/python-input.ts';
import { errorLine } from '../../base/errors.ts';

export const FilterQuery = Type.Object({
  username: parameter('Beginning of the username; at least two letters for callers who may not see all users.'),
  email: parameter('The whole e-mail address, for callers who may see all users. Ignored for others.'),
  id: parameter('The id, a number.'),
  is_active: parameter('`true` or `false`.'),
  ...PageQuery.properties,
});
export type FilterQuery = Static<typeof FilterQuery>;

/** The filters that are set, as statements take them. */
export type Filters = Partial<ReturnType<typeof readFilters>['filters']>;

export const notANumber = errorLine('id', 'invalid', 'Enter a number.');
const tooLarge = errorLine('id', 'max_value', 'Ensure this value is less than or equal to 1e+50.');

const activity: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** An empty email or id and an unknown activity limit nothing. The errors are for callers who may view all users. */
export function readFilters(query: FilterQuery) {
  const username = strip(query.username ?? '');
  const email = strip(query.email ?? '');
  const id = strip(query.id ?? '');
  const isActive = activity[query.is_active?.toLowerCase() ?? ''];
  const number = id === '' ? undefined : readNumber(id);
  const emailErrors = characterErrors(email);
  return {
    filters: {
      // An empty username counts: it is too short a beginning for callers who may not see all users.
      ...(query.username !== undefined && { prefix: username }),
      ...(email !== '' && emailErrors.length === 0 && { email }),
      // Weblate reads 6.5 as 6.
      ...(number !== undefined && { id: toId(Math.trunc(number)) }),
      ...(isActive !== undefined && { is_active: isActive }),
    },
    errors: [
      ...characterErrors(username).map((error) => ({ ...error, attr: 'username' })),
      ...(id === '' ? [] : number === undefined ? [notANumber] : number > 1e50 ? [tooLarge] : []),
      ...emailErrors.map((error) => ({ ...error, attr: 'email' })),
    ],
  };
}

/**
 * Reads as Python's Decimal does: digits of any script, and underscores anywhere. In the pattern, the digits before and
 * after a point can't share a digit, or a long number would take quadratic time.
 */
function readNumber(text: string) {
  const plain = asciiDigits(text.replaceAll('_', ''));
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,18})?$/.test(plain) ? Number(plain) : undefined;
}
