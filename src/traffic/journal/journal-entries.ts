// The journal as clients list it: its entries, and the filters in a query.
import { type Static, Type } from '@sinclair/typebox';
import { must } from '../../http/body/check-value.ts';
import { nullable } from '../../http/operation.ts';
import { maxPatternLength } from '../path-pattern.ts';
import {
  type KeptEntry,
  maxBodyLength,
  requestHeaderNames,
  responseHeaderNames,
  splitHeaders,
  usernameOf,
} from './entry-bytes.ts';
import { idOf, type Journal, withoutTokens } from './journal.ts';

const text = Type.String();
const textOrNull = nullable(text);

const headers = (which: string, names: readonly string[]) =>
  Type.Record(text, text, { description: `${which}: ${names.join(', ')}.` });

export const JournalEntry = Type.Object(
  {
    id: Type.String({ description: 'Another one for each entry, also of other services.' }),
    at: Type.String({ format: 'date-time' }),
    method: text,
    path: text,
    query: text,
    status: Type.Integer({ description: '0 if the connection was closed instead.' }),
    duration_ms: Type.Number({ minimum: 0 }),
    principal: Type.Union([text, Type.Null()], { description: 'The user of the token when the request came.' }),
    principal_id: nullable(Type.Integer()),
    unmatched: Type.Boolean({ description: 'Whether no such path is served.' }),
    fault: textOrNull,
    hint: Type.Union([text, Type.Null()], { description: 'The value of X-Understudy-Hint.' }),
    not_mirrored: Type.Union([text, Type.Null()], { description: 'The value of X-Understudy-Not-Mirrored.' }),
    error: Type.Union([Type.Object({ code: text, detail: text, attr: textOrNull }), Type.Null()], {
      description: 'The first error of the response.',
    }),
    request_headers: headers('Of these, those that the request has', requestHeaderNames),
    response_headers: headers('Of these, those that the response has', responseHeaderNames),
    from_page: Type.Boolean({ description: 'Whether a page of this service sent it.' }),
    request_body: textOrNull,
    response_body: textOrNull,
  },
  { $id: 'JournalEntry' },
);
export type JournalEntry = Static<typeof JournalEntry>;

export const words = (
  description: string,
  pattern = '',
  mustBe = `be a text of at most ${maxPatternLength} characters`,
) =>
  Type.Optional(Type.String({ maxLength: maxPatternLength, description, ...(pattern && { pattern }), [must]: mustBe }));

export const JournalQuery = Type.Object({
  method: words('In upper or lower case.'),
  path: words('`*` stands for one part of it, `**` for any.'),
  query: words('Text that the query contains.'),
  status: words('`404`, or `4xx`.', '^[0-9xX]{3}$', 'be a status such as 404 or 4xx'),
  principal: words('The user of the token.'),
  unmatched: Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')], { [must]: 'be true or false' })),
  fault: words('The name of the rule that struck.'),
  limit: words('Only the last so many.', '^[0-9]{1,5}$', 'be a number'),
});
export type JournalQuery = Static<typeof JournalQuery>;

export function shownEntry(kept: KeptEntry): JournalEntry {
  const [id] = kept.caller?.split(' ') ?? [];
  return {
    id: idOf(kept.number),
    at: new Date(kept.at).toISOString(),
    method: kept.method,
    path: withoutTokens(kept.path),
    query: withoutTokens(kept.search),
    status: kept.status,
    duration_ms: Math.round(kept.durationMs * 100) / 100,
    principal: usernameOf(kept),
    principal_id: id === undefined ? null : Number(id),
    unmatched: kept.unmatched,
    fault: kept.fault,
    hint: kept.hint,
    not_mirrored: kept.notMirrored,
    error: kept.error === null ? null : (JSON.parse(withoutTokens(kept.error)) as JournalEntry['error']),
    request_headers: splitHeaders(requestHeaderNames, withoutTokens(kept.requestHeaders)),
    response_headers: splitHeaders(responseHeaderNames, withoutTokens(kept.responseHeaders)),
    from_page: kept.fromPage,
    request_body: shownBody(kept.requestBody),
    response_body: shownBody(kept.responseBody),
  };
}

const shownBody = (kept: string | null): string | null =>
  kept === null ? null : withoutTokens(kept.length > maxBodyLength ? `${kept.slice(0, maxBodyLength)}…` : kept);

/** How much the journal has dropped since it was emptied. */
export const droppedCounts = {
  dropped: Type.Integer({ minimum: 0, description: 'Requests that the journal has dropped since it was emptied.' }),
  dropped_bodies: Type.Integer({ minimum: 0, description: 'Requests that it still has, without their bodies.' }),
};

export const JournalPage = Type.Object(
  { ...droppedCounts, requests: Type.Array(JournalEntry) },
  { $id: 'JournalPage' },
);

export type JournalPage = Static<typeof JournalPage>;

export function shownDropped(journal: Journal, sandbox: string) {
  const { dropped, droppedBodies } = journal.droppedOf(sandbox);
  return { dropped, dropped_bodies: droppedBodies };
}
