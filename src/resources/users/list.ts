// GET on all users: oneself, those whose names begin as asked, or all of them, by who asks (transcripts users__list, users__filter).
import { admitted } from '../../access/permissions.ts';
import { findCaller } from '../../access/queries.ts';
import { type Answer, askedOf, type Call, type Services } from '../../api/call.ts';
import { validationError } from '../../errors.ts';
import { answerPage, readPageRequest } from '../../api/paginate.ts';
import { readFilters } from './filters.ts';
import { listUsers } from './queries.ts';
import type { FilterQuery } from './schema.ts';
import { serializeUser } from './serialize.ts';

// Who may not see all users finds others by so much of their names.
const fewestLetters = 2;

export function listHandler({ database, anonymous, pageSize }: Services) {
  return async (call: Call<unknown, FilterQuery>): Promise<Answer> => {
    const request = readPageRequest(call.query, pageSize);
    const { filters, faults } = readFilters(call.query);
    const asked = { ...askedOf(call), open: anonymous === 'write' };
    if (faults.length > 0) {
      admitted(await findCaller(database.reads, asked), call.sandbox);
      throw validationError(faults);
    }
    const found = await listUsers(filters)(database.reads, {
      ...asked,
      ...filters,
      readable: anonymous !== 'strict',
      names_others: Array.from(filters.prefix ?? '').length >= fewestLetters,
      page: request.page ?? 1,
      size: request.size,
    });
    const row = admitted(found, call.sandbox);
    const form = row.may_view_users ? 'full' : 'basic';
    return answerPage(call, request, row.total, row.items.map((user) => serializeUser(user, form, call)).join(','));
  };
}
