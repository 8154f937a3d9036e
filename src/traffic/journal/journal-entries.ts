// The journal as clients list and search it: its entries, the filters in a query, the body of a search and its
// answer.
import { type Static, Type } from '@sinclair/typebox';
import { must } from '../../base/check-value.ts';
import { requestLine } from '../../base/request-line.ts';
import { nullable } from '../../http/operation.ts';
import { parsePairs } from '../../http/wire/query-string.ts';
import { bodyOf } from '../compare-body.ts';
import type { Match } from '../match.ts';
import { maxPatternLength } from '../path-pattern.ts';
import { isModest, mostKeys, words } from '../request-match.ts';
import { idOf, JournalEntry, type KeptEntry, maxBodyLength, usernameOf, withoutTokens } from '../entry.ts';

export const JournalQuery = Type.Partial(
  Type.Object({
    method: words('In upper or lower case.'),
    path: words('`*` stands for one part of it, `**` for any.'),
    query: words('Text that the query contains.'),
    status: words('`404`, or `4xx`.', { pattern: '^[0-5xX][0-9xX]{2}$', [must]: 'be a status such as 404 or 4xx' }),
    principal: words('The user of the token.'),
    unmatched: Type.Union([Type.Literal('true'), Type.Literal('false')], { [must]: 'be true or false' }),
    fault: words('The name of the rule that applied.'),
    text: words('A text in its path, query, headers, bodies, error, hint or user, in upper or lower case.'),
    limit: words('At most this many, the last ones.', { pattern: '^[0-9]{1,5}$', [must]: 'be a number' }),
    since: words('The id of a request: only those that arrived later.'),
  }),
);
export type JournalQuery = Static<typeof JournalQuery>;

export const matchOf = ({ principal: user, unmatched, ...same }: Omit<JournalQuery, 'limit' | 'since'>): Match => ({
  ...same,
  ...(user !== undefined && { user }),
  ...(unmatched !== undefined && { unmatched: unmatched === 'true' }),
});

export function shownEntry(kept: KeptEntry): JournalEntry {
  const [id] = kept.caller?.split(' ') ?? [];
  const all: JournalEntry = {
    ...kept,
    id: idOf(kept.number),
    line: lineOf(kept),
    at: new Date(kept.at).toISOString(),
    duration_ms: Math.round(kept.durationMs * 100) / 100,
    principal: usernameOf(kept),
    principal_id: id === undefined ? null : Number(id),
    request_body: shownBody(kept.requestBody),
    response_body: shownBody(kept.responseBody),
  };
  return Object.fromEntries(keys.map((key) => [key, all[key]])) as JournalEntry;
}

const keys = Object.keys(JournalEntry.properties) as (keyof JournalEntry)[];

function lineOf(kept: KeptEntry): string {
  const { method, path, query, hasToken, status, fault } = kept;
  const user = hasToken ? (usernameOf(kept) ?? undefined) : null;
  const { value, reason } = bodyOf(kept);
  const body = reason === undefined ? value : (shownBody(kept.requestBody) ?? undefined);
  return requestLine({ method, path: query === '' ? path : `${path}?${query}`, user, body, status, fault });
}

const shownBody = (kept: string | null): string | null =>
  kept === null ? null : withoutTokens(kept.length > maxBodyLength ? `${kept.slice(0, maxBodyLength)}…` : kept);

/** What finds the entry again, and why its body is left out. */
export function matchFor(kept: KeptEntry): { readonly match: Match; readonly reason: string | undefined } {
  const username = usernameOf(kept);
  const { value, reason } = bodyOf(kept);
  const hasBody = value !== undefined && isModest(value);
  const left =
    value !== undefined && !hasBody ? 'The body is left out: it is too long or too deep to be compared.' : undefined;
  const query = Object.fromEntries(parsePairs(kept.query).map(([name, text]) => [name, withoutTokens(text)]));
  const count = Object.keys(query).length;
  return {
    match: {
      method: kept.method,
      path: patternFor(kept.path),
      ...(username !== null && { user: username }),
      ...(!kept.hasToken && { user: null }),
      ...(count > 0 && count <= mostKeys && { query }),
      ...(hasBody && { body: value }),
      status: kept.status,
    },
    reason: reason === undefined ? left : `The body is left out. ${reason}`,
  };
}

/** A longer path can't be given, but a pattern for it. */
const patternFor = (path: string): string =>
  path.length <= maxPatternLength ? path : `${path.slice(0, maxPatternLength - 2)}**`;

export const droppedCounts = {
  dropped: Type.Integer({
    minimum: 0,
    description: 'Requests that the journal has dropped since it was emptied; 0 if all of them had arrived by `since`.',
  }),
  dropped_bodies: Type.Integer({ minimum: 0, description: 'Requests that it still has, without their bodies.' }),
};

export const JournalPage = Type.Object(
  { ...droppedCounts, requests: Type.Array(JournalEntry) },
  { $id: 'JournalPage' },
);

/** In place of a name: of requests that reached no sandbox. No sandbox has this name. */
export const noSandbox = '-';

export const AllQuery = Type.Partial(
  Type.Object({
    ...JournalQuery.properties,
    sandbox: words(`The name of one, or \`${noSandbox}\` for requests that reached none.`),
  }),
);

export const RequestsOfAll = Type.Object(
  {
    ...droppedCounts,
    requests: Type.Array(
      Type.Object({
        sandbox: nullable(Type.String(), { description: 'Null if it reached none.' }),
        ...JournalEntry.properties,
      }),
    ),
  },
  { $id: 'RequestsOfAll' },
);
