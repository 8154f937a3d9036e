// The journal as clients list it: its entries, and the filters in a query.
import { type Static, Type } from '@sinclair/typebox';
import { must } from '../../api/body/check-value.ts';
import { nullable } from '../../api/operation.ts';
import { idOf, shownBody, withoutTokens } from './journal.ts';
import { maxPatternLength } from '../path-pattern.ts';
import type { Candidate, Match } from './match.ts';

const text = Type.String();
const textOrNull = nullable(text);

export const JournalEntry = Type.Object(
  {
    id: Type.String({ description: 'Another one for each entry, also of other services.' }),
    at: Type.String({ format: 'date-time' }),
    method: text,
    path: text,
    query: text,
    status: Type.Integer({ description: '0 if the connection was closed instead.' }),
    duration_ms: Type.Number({ minimum: 0 }),
    principal: Type.Union([text, Type.Null()], { description: 'The user of the token.' }),
    unmatched: Type.Boolean({ description: 'Whether no such path is served.' }),
    fault: textOrNull,
    request_body: textOrNull,
    response_body: textOrNull,
  },
  { $id: 'JournalEntry' },
);
export type JournalEntry = Static<typeof JournalEntry>;

const words = (description: string, pattern = '', mustBe = `have at most ${maxPatternLength} characters`) =>
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
type JournalQuery = Static<typeof JournalQuery>;

export const shownEntry = ({ kept, username }: Candidate): JournalEntry => ({
  id: idOf(kept.number),
  at: new Date(kept.at).toISOString(),
  method: kept.method,
  path: withoutTokens(kept.path),
  query: withoutTokens(kept.search),
  status: kept.status,
  duration_ms: Math.round(kept.durationMs * 100) / 100,
  principal: username ?? null,
  unmatched: kept.unmatched,
  fault: kept.fault,
  request_body: shownBody(kept.requestBody),
  response_body: shownBody(kept.responseBody),
});

/** A query's filters as the matcher takes them. */
export const matchOf = ({ principal: user, unmatched, limit: _limit, ...same }: JournalQuery): Match => ({
  ...same,
  ...(user !== undefined && { user }),
  ...(unmatched !== undefined && { unmatched: unmatched === 'true' }),
});
