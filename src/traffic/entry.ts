// An entry of the journal, as it is kept and as clients see it.
import { randomBytes } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { attempt } from '../base/failure.ts';
import { requestLine } from '../base/request-line.ts';
import { decodeFields, isForm } from '../http/body/decode.ts';
import { nullable } from '../http/operation.ts';
import { withQuery } from '../http/wire/query-string.ts';

export const responseHeaderNames = [
  'allow',
  'location',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
] as const;

export const secretHeaders = 'Authorization, Cookie, Proxy-Authorization and X-Understudy-*';
const secrets = /^(?:authorization|cookie|proxy-authorization|x-understudy-.*)$/i;
export const isKeptHeader = (name: string) => !secrets.test(name);
/** The most characters of headers that are kept, in names and values together. */
const maxHeaders = 4096;

/** The most characters of a body that are shown. A longer body can't be compared. */
export const maxBodyLength = 2000;

const text = Type.String();
const textOrNull = nullable(text);

const headers = (description: string) => Type.Record(text, text, { description });

export const JournalEntry = Type.Object(
  {
    id: Type.String({ description: 'Unique, also among several services.' }),
    line: Type.String({ description: 'The request and its outcome, without times, headers and the entry’s id.' }),
    at: Type.String({ format: 'date-time', description: 'When the request arrived.' }),
    method: text,
    path: Type.String({ description: 'The path, without the base URL and the query.' }),
    query: text,
    status: Type.Integer({ description: '0 if the connection was closed without an answer.' }),
    duration_ms: Type.Number({ minimum: 0 }),
    principal: nullable(text, { description: 'The token’s user at the time of the request.' }),
    principal_id: nullable(Type.Integer()),
    unmatched: Type.Boolean({ description: 'Whether the path isn’t served.' }),
    fault: nullable(text, { description: 'The name of the fault rule that applied.' }),
    hint: nullable(text, { description: 'The value of X-Understudy-Hint.' }),
    not_mirrored: nullable(text, { description: 'The value of X-Understudy-Not-Mirrored.' }),
    error: nullable(Type.Object({ code: text, detail: text, attr: textOrNull }), {
      description: 'The first error of the response.',
    }),
    request_headers: headers(`All but ${secretHeaders}; at most ${maxHeaders} characters.`),
    response_headers: headers(`Only these headers: ${responseHeaderNames.join(', ')}.`),
    from_page: Type.Boolean({ description: 'Whether a page of this service sent it, or a browser opened a page.' }),
    request_body: textOrNull,
    response_body: textOrNull,
  },
  { $id: 'JournalEntry', description: `A request. Tokens are removed. Bodies end after ${maxBodyLength} characters.` },
);
export type JournalEntry = Static<typeof JournalEntry>;

const count = Type.Integer({ minimum: 0 });
export const StatusCounts = Type.Object(
  { '0xx': count, '1xx': count, '2xx': count, '3xx': count, '4xx': count, '5xx': count },
  { $id: 'StatusCounts', description: 'Clients’ requests in the journal. `0xx`: without an answer.' },
);
export type StatusCounts = Static<typeof StatusCounts>;

/** The keys whose values are made only when an entry is shown. */
type Made = 'id' | 'line' | 'at' | 'duration_ms' | 'principal' | 'principal_id' | 'request_body' | 'response_body';

/** A request and its answer as the journal gets them. `keepBody` has cut the bodies. */
export interface Exchange extends Readonly<Omit<JournalEntry, Made>> {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** By the clock of `performance.now()`. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly hasToken: boolean;
  /** The token's user at the time of the request, as id and name: `7 alice`. */
  readonly caller: string | null;
  readonly requestBody: string | null;
  readonly responseBody: string | null;
}

/** An exchange as the journal returns it: without tokens, except those in bodies. */
export interface KeptEntry extends Exchange {
  /** Ascends in the order of the answers. */
  readonly number: number;
  /** Whether the request had a body, kept or not. */
  readonly hadBody: boolean;
  /** Whether the bodies were dropped, and are null for that reason. */
  readonly areBodiesDropped: boolean;
}

type Sent = 'method' | 'path' | 'query' | 'hasToken' | 'caller' | 'request_headers' | 'requestBody';
/** A request to compare: one from the journal, or one without an answer yet. */
export type Received = Pick<KeptEntry, Sent> & Partial<KeptEntry>;

export const usernameOf = ({ caller }: Pick<Exchange, 'caller'>) => caller?.slice(caller.indexOf(' ') + 1) ?? null;

/** Replaces every token of Weblate's form with `wlu_…`. */
export const withoutTokens = (given: string) => given.replaceAll(/wl[up]_[A-Za-z0-9_-]+/g, 'wlu_…');

export const removeTokens = <T>(value: T) => JSON.parse(withoutTokens(JSON.stringify(value))) as T;

/**
 * The value of a body: a form as an object of texts, anything else as JSON or, failing that, as its text.
 * Without a body, there is no value. If the body can't be compared, there is a reason.
 */
export function bodyOf(kept: Received): { readonly value?: unknown; readonly reason?: string } {
  const { requestBody } = kept;
  if (isBodyLost(kept)) return { reason: 'The journal has dropped the body.' };
  if (requestBody === null) return {};
  if (requestBody.length > maxBodyLength)
    return { reason: `Only the first ${maxBodyLength} characters of the body are kept.` };
  const { 'content-type': contentType = '' } = kept.request_headers;
  const read = () =>
    isForm({ contentType }) ? decodeFields({ body: Buffer.from(requestBody), contentType }) : JSON.parse(requestBody);
  const value: unknown = attempt(read);
  // Tokens are removed from the parsed value, where no escape hides them.
  return { value: removeTokens(value === undefined ? requestBody : value) };
}

export const isBodyLost = (kept: Received) => kept.hadBody === true && kept.areBodiesDropped === true;

// Each process counts from 1, but another process's id must find nothing.
const run = randomBytes(4).toString('hex');

export const idOf = (number: number) => `${run}-${number}`;

/** The number in an id; undefined unless the id is this process's. */
export function numberOf(id: string) {
  const [, ofRun, digits] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(id) ?? [];
  return ofRun === run ? Number(digits) : undefined;
}

export const cutText = (given: string) => given.slice(0, 1000);

/** Leaves out headers that are secret or empty, or would exceed `maxHeaders`. */
export function keepHeaders(
  names: Iterable<string>,
  valueOf: (name: string) => string | string[] | number | undefined,
) {
  const kept: Record<string, string> = {};
  let left = maxHeaders;
  for (const name of names) {
    const shown = cutText(String(valueOf(name) ?? ''));
    const length = name.length + shown.length;
    if (shown === '' || length > left || Object.hasOwn(kept, name) || !isKeptHeader(name)) continue;
    kept[name] = shown;
    left -= length;
  }
  return kept;
}

/** The part of a body that is shown, plus one character if the body is longer. */
export function keepBody(body: unknown) {
  if (Buffer.isBuffer(body)) return keepBody(body.toString('utf8', 0, 4 * (maxBodyLength + 1)));
  return typeof body !== 'string' || body === '' ? null : body.slice(0, maxBodyLength + 1);
}

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
  return Object.fromEntries(shownKeys.map((key) => [key, all[key]])) as JournalEntry;
}

const shownKeys = Object.keys(JournalEntry.properties) as (keyof JournalEntry)[];

function lineOf(kept: KeptEntry) {
  const { method, path, query, hasToken, status, fault } = kept;
  const user = hasToken ? (usernameOf(kept) ?? undefined) : null;
  const { value, reason } = bodyOf(kept);
  const body = reason === undefined ? value : (shownBody(kept.requestBody) ?? undefined);
  return requestLine({ method, path: withQuery(path, query), user, body, status, fault });
}

const shownBody = (kept: string | null) =>
  kept === null ? null : withoutTokens(kept.length > maxBodyLength ? `${kept.slice(0, maxBodyLength)}…` : kept);
