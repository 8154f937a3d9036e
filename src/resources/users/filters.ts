// What a list of users is limited by, as the query says it (transcript users__filter).
import type { ErrorLine } from '../../errors.ts';
import { characterFaults } from '../../api/body/read-value.ts';
import { toId } from '../../api/wire/ids.ts';
import type { Filters } from './queries.ts';
import type { FilterQuery } from './schema.ts';

const activity: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

export interface FiltersRead {
  readonly filters: Filters;
  readonly faults: readonly ErrorLine[];
}

/** An empty filter limits nothing, and so does an activity that is none. */
export function readFilters(query: FilterQuery): FiltersRead {
  const username = query.username?.trim() ?? '';
  const email = query.email?.trim() ?? '';
  const id = query.id?.trim() ?? '';
  const isActive = activity[query.is_active?.toLowerCase() ?? ''];
  return {
    filters: {
      // Asked for with an empty name, those who may not see all find nobody: it is too short a beginning.
      ...(query.username === undefined ? {} : { prefix: username }),
      ...(email === '' ? {} : { email }),
      // 6.0 is 6, and nobody has an id that isn't whole.
      ...(id === '' ? {} : { id: toId(id) }),
      ...(isActive === undefined ? {} : { is_active: isActive }),
    },
    faults: [
      ...characterFaults(username).map((fault) => ({ ...fault, attr: 'username' })),
      ...(id === '' || isNumber(id) ? [] : [{ code: 'invalid', detail: 'Enter a number.', attr: 'id' }]),
      ...characterFaults(email).map((fault) => ({ ...fault, attr: 'email' })),
    ],
  };
}

// Digits and what follows a point must not be able to share one digit, or a long number takes quadratic time.
const isNumber = (text: string) => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text);
