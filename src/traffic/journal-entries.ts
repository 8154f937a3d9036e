// The journal as clients read it: its entries, and the filters.
import { type Static, Type } from '@sinclair/typebox';
import { must } from '../api/body/check-value.ts';
import { nullable } from '../api/operation.ts';
import { type KeptEntry, shownBody, withoutTokens } from './journal.ts';
import { maxPatternLength, pathPattern } from './path-pattern.ts';

const text = Type.String();
const textOrNull = nullable(text);

export const JournalEntry = Type.Object(
  {
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

/** @param owners usernames by the hashes of tokens in hex */
export const shownEntry = (kept: KeptEntry, owners: ReadonlyMap<string, string>): JournalEntry => ({
  at: new Date(kept.at).toISOString(),
  method: kept.method,
  path: withoutTokens(kept.path),
  query: withoutTokens(kept.search),
  status: kept.status,
  duration_ms: Math.round(kept.durationMs * 100) / 100,
  principal: owners.get(kept.tokenHash ?? '') ?? null,
  unmatched: kept.unmatched,
  fault: kept.fault,
  request_body: shownBody(kept.requestBody),
  response_body: shownBody(kept.responseBody),
});

type Fits = (entry: JournalEntry, wanted: string) => boolean;
const filters: Readonly<Record<Exclude<keyof JournalQuery, 'limit'>, Fits>> = {
  method: (entry, wanted) => entry.method === wanted.toUpperCase(),
  path: (entry, wanted) => pathPattern(wanted)(entry.path),
  query: (entry, wanted) => entry.query.includes(wanted),
  status: (entry, wanted) => new RegExp(wanted.replaceAll(/x/gi, '.')).test(String(entry.status).padStart(3, '0')),
  principal: (entry, wanted) => entry.principal?.toLowerCase() === wanted.toLowerCase(),
  unmatched: (entry, wanted) => String(entry.unmatched) === wanted,
  fault: (entry, wanted) => entry.fault === wanted,
};

/** The entries that fit every filter; at most the last `limit`. */
export function filterEntries(entries: readonly JournalEntry[], { limit, ...query }: JournalQuery): JournalEntry[] {
  const wanted = Object.entries(query) as [keyof typeof filters, string][];
  const fitting = entries.filter((entry) => wanted.every(([field, value]) => filters[field](entry, value)));
  return limit === undefined ? fitting : fitting.slice(-Number(limit) || fitting.length);
}
