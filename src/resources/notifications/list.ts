// GET on a user's subscriptions: the endpoint of the specification.
import { refusalOf } from '../../access/permissions.ts';
import { shareStatements } from '../../database/batch.ts';
import { isDataError } from '../../database/sqlstates.ts';
import { type Answer, askedOf, type Call, type Services } from '../../api/call.ts';
import { answerPage, readPageRequest } from '../../api/paginate.ts';
import type { PageQuery } from '../../api/schema.ts';
import type { UserPath } from '../users/schema.ts';
import { findPage, findPages, type PageAsked, type PageRow } from './queries.ts';
import { serializeEntries } from './serialize.ts';

export function listNotifications({ database, anonymous, pageSize }: Services) {
  const open = anonymous !== 'strict';
  const ask = shareStatements<PageAsked, PageRow>({
    send: async (batch) => {
      const [first] = batch;
      if (first !== undefined && batch.length === 1) return findPage(database.reads, { ...first, open });
      const rows = await findPages(database.reads, { ...columnsOf(batch), open });
      return rows.toSorted((a, b) => a.n - b.n);
    },
    weigh: (asked) => asked.size,
    isOneRequestsFault: isDataError,
  });

  return async (call: Call<UserPath, PageQuery>): Promise<Answer> => {
    const request = readPageRequest(call.query, pageSize);
    const asked = { ...askedOf(call, call.params.username), page: request.page ?? 1, size: request.size };
    const found = await ask(asked);
    const refusal = refusalOf(found, call.sandbox);
    if (refusal !== undefined) throw refusal;
    return answerPage(call, request, found.total ?? 0, serializeEntries(found.lines, call));
  };
}

function columnsOf(batch: readonly PageAsked[]) {
  return {
    count: batch.length,
    sandboxes: batch.map((asked) => asked.sandbox),
    hashes: batch.map((asked) => asked.hash),
    usernames: batch.map((asked) => asked.username),
    pages: batch.map((asked) => asked.page),
    sizes: batch.map((asked) => asked.size),
  };
}
