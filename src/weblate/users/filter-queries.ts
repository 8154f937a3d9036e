// The filters of the list of users (transcript users__filter).
import { sql } from 'kysely';
import { usernameKey } from '../../access/caller-queries.ts';
import { characterErrors } from '../../http/body/read-value.ts';
import { asciiDigits, strip, toId } from '../../http/wire/python-input.ts';
import { errorLine } from '../../base/errors.ts';
import { declareFilters } from '../filters.ts';

export const notANumber = errorLine('id', 'invalid', 'Enter a number.');
const tooLarge = errorLine('id', 'max_value', 'Ensure this value is less than or equal to 1e+50.');

const activity: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

export const userFilters = declareFilters({
  username: {
    description: 'Beginning of the username; at least two letters for callers who may not see all users.',
    type: 'text',
    // An empty text filters too: users who may not view all then find nobody.
    read: (text) => ({ value: strip(text), errors: characterErrors(text) }),
    // chr(1114111) sorts last. Only the bot itself and callers who may view all users find a bot.
    where: (prefix) => sql`
      u.username_key >= ${usernameKey(prefix)}
      and u.username_key < ${usernameKey(prefix)} || chr(1114111)
      and (
        not u.is_bot
        or (
          select access.may_view_users or u.id is not distinct from access.principal_id
          from access))`,
  },
  id: {
    description: 'The id, a number.',
    type: 'int4',
    read(text) {
      const written = strip(text);
      const number = readNumber(written);
      if (number === undefined) return { errors: written === '' ? [] : [notANumber] };
      // Weblate reads 6.5 as 6.
      return { value: toId(Math.trunc(number)), errors: number > 1e50 ? [tooLarge] : [] };
    },
    where: (id) => sql`u.id = ${id}`,
  },
  email: {
    description: 'The whole e-mail address, for callers who see users in full. Ignored for others.',
    type: 'text',
    read: (text) => ({ value: strip(text) || undefined, errors: characterErrors(text) }),
    // False for callers who may not view all users: a `union all` in listUsers gives them the unfiltered list.
    where: (address) => sql`
      u.email_key = ${usernameKey(address)}
      and (select access.may_view_users from access)`,
  },
  is_active: {
    description: '`true` or `false`.',
    type: 'boolean',
    read: (text) => ({ value: activity[text.toLowerCase()] }),
    where: (isActive) => sql`u.is_active = ${isActive}`,
  },
});

/**
 * Reads as Python's Decimal does: digits of any script, and underscores anywhere. The pattern can match each
 * digit in only one way; otherwise, a long number would take quadratic time.
 */
function readNumber(text: string) {
  const plain = asciiDigits(text.replaceAll('_', ''));
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,18})?$/.test(plain) ? Number(plain) : undefined;
}
