// An entry of the journal: its parts, as they are kept and as clients see them.
import { randomBytes } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { nullable } from '../http/operation.ts';

/** Of the headers, these are kept. */
export const requestHeaderNames = ['accept', 'content-type', 'user-agent', 'x-request-id'] as const;
export const responseHeaderNames = [
  'allow',
  'location',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
] as const;

/** Of a body, so many characters are shown and compared. */
export const maxBodyLength = 2000;

const text = Type.String();
const textOrNull = nullable(text);

const headers = (which: string, names: readonly string[]) =>
  Type.Record(text, text, { description: `${which}: ${names.join(', ')}.` });

export const JournalEntry = Type.Object(
  {
    id: Type.String({ description: 'Another one for each entry, also of other services.' }),
    line: Type.String({ description: 'The same for the same request: without times, ids and headers.' }),
    at: Type.String({ format: 'date-time', description: 'When it arrived.' }),
    method: text,
    path: Type.String({ description: 'Under the base, without the query.' }),
    query: text,
    status: Type.Integer({ description: '0 if the connection was closed instead.' }),
    duration_ms: Type.Number({ minimum: 0 }),
    principal: nullable(text, { description: 'The user of the token when the request came.' }),
    principal_id: nullable(Type.Integer()),
    unmatched: Type.Boolean({ description: 'Whether no such path is served.' }),
    fault: nullable(text, { description: 'The rule that struck.' }),
    hint: nullable(text, { description: 'The value of X-Understudy-Hint.' }),
    not_mirrored: nullable(text, { description: 'The value of X-Understudy-Not-Mirrored.' }),
    error: Type.Union([Type.Object({ code: text, detail: text, attr: textOrNull }), Type.Null()], {
      description: 'The first error of the response.',
    }),
    request_headers: headers('Of these, those that the request has', requestHeaderNames),
    response_headers: headers('Of these, those that the response has', responseHeaderNames),
    from_page: Type.Boolean({ description: 'Whether a page of this service sent it.' }),
    request_body: textOrNull,
    response_body: textOrNull,
  },
  {
    $id: 'JournalEntry',
    description: `A request without tokens. Bodies are cut after ${maxBodyLength} characters.`,
  },
);
export type JournalEntry = Static<typeof JournalEntry>;

/**
 * What is kept, by the type of its values. A part that is named like a key of JournalEntry has its value.
 *
 * - `at` is in milliseconds since 1970, `startedAt` by the clock of `performance.now()`.
 * - `caller` is the user of the token when the request came, as statements return it: see AccessResult.
 * - `error` is JSON. See joinHeaders for the headers, and keepBody for the bodies.
 */
export const parts = {
  numbers: ['at', 'startedAt', 'durationMs', 'status'],
  flags: ['hasToken', 'unmatched', 'from_page'],
  optional: ['caller', 'fault', 'hint', 'not_mirrored', 'error'],
  // The path comes last: one that is too long is cut.
  texts: ['method', 'requestHeaders', 'responseHeaders', 'query', 'path'],
  bodies: ['requestBody', 'responseBody'],
} as const;

type Part<Kind extends keyof typeof parts, Value> = Readonly<Record<(typeof parts)[Kind][number], Value>>;

/** A request with its answer. */
export type Exchange = Part<'numbers', number> &
  Part<'flags', boolean> &
  Part<'optional', string | null> &
  Part<'texts', string> &
  Part<'bodies', string | null>;

/** As the journal returns it: without tokens, but for those in bodies. */
export type KeptEntry = Exchange & {
  /** Ascends in the order of the answers. */
  readonly number: number;
  /** The request had a body, kept or not. */
  readonly hadBody: boolean;
  /** It had bodies, which are null since they were dropped. */
  readonly areBodiesDropped: boolean;
};

type Sent = 'method' | 'path' | 'query' | 'hasToken' | 'caller' | 'requestHeaders' | 'requestBody';
/** A request that is compared: one of the journal, or one that has no answer yet. */
export type Received = Pick<KeptEntry, Sent> & Partial<KeptEntry>;

export const usernameOf = ({ caller }: Pick<Exchange, 'caller'>): string | null =>
  caller?.slice(caller.indexOf(' ') + 1) ?? null;

/** Replaces every token of Weblate's form by `wlu_…`. */
export const withoutTokens = (given: string): string => given.replaceAll(/wl[up]_[A-Za-z0-9_-]+/g, 'wlu_…');

/** The same for a value: what is compared, for one. */
export const withTokensRemoved = <T>(value: T): T => JSON.parse(withoutTokens(JSON.stringify(value))) as T;

// Numbers begin anew with each process, and several services may stand behind one URL: an id of another one must find nothing.
const run = randomBytes(4).toString('hex');

/** What clients know an entry by. */
export const idOf = (number: number): string => `${run}-${number}`;

/** Undefined for what is no id of this process. */
export function numberOf(id: string): number | undefined {
  const [, ofRun, digits] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(id) ?? [];
  return ofRun === run ? Number(digits) : undefined;
}

export const longestHeader = 1000;
// No header holds it.
const headerSeparator = '\n';

/** The values of headers in the order of their names, empty for those that are missing. */
export function joinHeaders<Name extends string>(
  names: readonly Name[],
  get: (name: Name) => string | string[] | number | undefined,
): string {
  let joined = '';
  for (const name of names) {
    const value = get(name);
    if (value !== undefined) joined += typeof value === 'string' ? value.slice(0, longestHeader) : String(value);
    joined += headerSeparator;
  }
  return joined.slice(0, -1);
}

export function splitHeaders(names: readonly string[], joined: string): Record<string, string> {
  const values = joined.split(headerSeparator);
  return Object.fromEntries(names.flatMap((name, at) => (values[at] ? [[name, values[at]]] : [])));
}

/** As much of a body as the journal shows, and one character more if it is longer. */
export function keepBody(body: unknown): string | null {
  if (Buffer.isBuffer(body)) return keepBody(body.toString('utf8', 0, 4 * (maxBodyLength + 1)));
  return typeof body !== 'string' || body === '' ? null : body.slice(0, maxBodyLength + 1);
}
