// GET on one user and on what is said of it (transcripts users__detail, users__statistics).
import { admittedTo } from '../../access/permissions.ts';
import { type Answer, askedOf, askingOf, type Call, ok, type Services } from '../../api/call.ts';
import { apiError } from '../../errors.ts';
import { answerPage, readPageRequest } from '../../api/paginate.ts';
import type { PageQuery } from '../../api/schema.ts';
import { wholeProfile } from './profile.ts';
import { findUser, type UserFoundRow } from './queries.ts';
import type { UserPath } from './schema.ts';
import { serializeUser, type UserRow } from './serialize.ts';

export function readHandlers({ database, anonymous, pageSize }: Services) {
  async function getUser(call: Call<UserPath>): Promise<UserFoundRow & { found: UserRow }> {
    const asked = { ...askedOf(call, call.params.username), open: anonymous === 'write' };
    const row = admittedTo(await findUser(database.reads, asked), askingOf(call, anonymous), 'read');
    if (row.found === null) throw apiError('not_found');
    return { ...row, found: row.found };
  }

  async function read(call: Call<UserPath>): Promise<Answer> {
    const { found, may_view_users } = await getUser(call);
    return ok(serializeUser(found, may_view_users ? 'full' : 'basic', call));
  }

  async function statistics(call: Call<UserPath>): Promise<Answer> {
    const { found } = await getUser(call);
    const { translated, suggested, uploaded, commented, languages } = wholeProfile(found.profile);
    const count = Array.isArray(languages) ? languages.length : 0;
    return ok(JSON.stringify({ translated, suggested, uploaded, commented, languages: count }));
  }

  /** The translations that somebody worked on: there are none here. */
  async function contributions(call: Call<UserPath, PageQuery>): Promise<Answer> {
    await getUser(call);
    const request = readPageRequest(call.query, pageSize);
    return answerPage(call, request, 0, '');
  }

  return { read, statistics, contributions };
}
