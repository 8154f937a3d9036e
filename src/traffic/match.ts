// Compares requests with fault rules, and with searches and filters of the journal. The matcher sees requests
// without tokens, as they are shown, so that no search can guess a token.
import { isObject, type JsonObject } from '../base/json-object.ts';
import { parsePairs } from '../http/wire/query-string.ts';
import { bodyOf, isBodyLost, type KeptEntry, type Received, usernameOf, withoutTokens } from './entry.ts';
import { maxPatternLength, pathPattern } from './path-pattern.ts';
import { type Difference, type ExchangeMatch, isComparable, mostKeys, type RequestMatch } from './request-match.ts';

/** The values of a longer query are compared up to these limits. */
const maxQuery = { length: 2000, pairs: 200 };

/** If `query` is a text, the request's query must contain it. */
export type Match = Omit<ExchangeMatch, 'query'> & {
  readonly query?: string | NonNullable<RequestMatch['query']>;
  /** A text anywhere in the request or its answer. */
  readonly text?: string;
};

/** How a request differs in one field; empty if it fits. */
type Check = (kept: Received) => Iterable<Difference>;
type Compile = (wanted: unknown) => Check;

type Field = keyof Match;
type Checks = { readonly [F in Field]-?: (wanted: Exclude<Match[F], undefined>) => Check };

// In the order of comparison, cheap fields first.
const checks: Checks = {
  method: (wanted) => {
    const methods = listOf(wanted).map((method) => method.toUpperCase());
    return (kept) => compare('method', oneOrAll(methods), kept.method, methods.includes(kept.method));
  },
  path: (wanted) => {
    const isPath = pathPattern(wanted);
    return ({ path }) => compare('path', wanted, path, isPath(path));
  },
  status: (wanted) => {
    const pattern = new RegExp(`^${String(wanted).padStart(3, '0').replaceAll(/x/gi, '.')}$`);
    return (kept) => compare('status', wanted, kept.status, pattern.test(String(kept.status).padStart(3, '0')));
  },
  unmatched: (wanted) => (kept) => compare('unmatched', wanted, kept.unmatched),
  fault: (wanted) => (kept) => compare('fault', wanted, kept.fault),
  user: (wanted) => (kept) => {
    const received = usernameOf(kept);
    const fits = wanted === null ? !kept.hasToken : received?.toLowerCase() === wanted.toLowerCase();
    const reason = kept.hasToken && received === null && { reason: 'No user had the token.' };
    return fits ? [] : [{ field: 'user', expected: wanted, received, ...reason }];
  },
  query: (wanted) => {
    if (typeof wanted === 'string') return ({ query }) => compare('query', wanted, query, query.includes(wanted));
    const values = Object.entries(wanted).map(([key, value]) => [key, listOf(value).map(String)] as const);
    return function* (kept) {
      const all = valuesOf(kept);
      for (const [key, expected] of values) {
        const received = all.get(key)?.map(([, text]) => withoutTokens(text));
        if (received === undefined || !expected.every((one) => received.includes(one)))
          yield* compare(`query.${key}`, oneOrAll(expected), received && oneOrAll(received), false);
      }
    };
  },
  headers: (wanted) =>
    function* ({ request_headers: headers }) {
      for (const [key, text] of Object.entries(wanted)) {
        const name = key.toLowerCase();
        const received = Object.hasOwn(headers, name) ? headers[name] : undefined;
        const fits = received?.toLowerCase().includes(text.toLowerCase()) === true;
        yield* compare(`headers.${name}`, text, received, fits);
      }
    },
  text: (wanted) => (kept) => {
    const all = withoutTokens(JSON.stringify(textsOf(kept))).toLowerCase();
    return compare('text', wanted, undefined, all.includes(wanted.toLowerCase()));
  },
  body: (wanted) => (kept) => {
    const { value, reason } = contentOf(kept);
    return reason === undefined ? compareBody(wanted, value, 'body') : [{ field: 'body', expected: wanted, reason }];
  },
};

// Compares an object by the expected keys, a list by length and entries, and other values exactly. Goes no
// deeper than the expected value.
export function* compareBody(expected: unknown, received: unknown, at: string): Generator<Difference> {
  const areLists = Array.isArray(expected) && Array.isArray(received) && expected.length === received.length;
  if (areLists || (isObject(expected) && isObject(received))) {
    const [wanted, members] = [expected, received] as [JsonObject, JsonObject];
    for (const [key, value] of Object.entries(wanted)) {
      const member = Object.hasOwn(members, key) ? members[key] : undefined;
      if (value !== member) yield* compareBody(value, member, areLists ? `${at}[${key}]` : `${at}.${key}`);
    }
  } else yield* compare(at, expected, received);
}

const compare = (
  field: string,
  expected: unknown,
  received: unknown,
  fits = expected === received,
): readonly Difference[] => (fits ? [] : [{ field, expected, ...(received !== undefined && { received }) }]);

/** Makes a value once for each request, for all matchers. */
function once<T extends object>(make: (kept: Received) => T): (kept: Received) => T {
  const made = new WeakMap<Received, T>();
  return (kept) => {
    const value = made.get(kept) ?? make(kept);
    made.set(kept, value);
    return value;
  };
}

const contentOf = once(bodyOf);
const valuesOf = once(({ query }) => {
  const parts = query.slice(0, maxQuery.length).split('&', maxQuery.pairs);
  return Map.groupBy(parsePairs(parts.join('&')), ([key]) => key);
});

const textsOf = (kept: Received) => [
  kept.path + kept.query,
  kept.caller,
  ...Object.entries({ ...kept.request_headers, ...kept.response_headers }).map((header) => header.join(': ')),
  kept.requestBody,
  kept.responseBody,
  kept.error?.detail,
  kept.hint,
];

const listOf = <T>(given: T | readonly T[]): readonly T[] => (Array.isArray(given) ? given : [given as T]);
const oneOrAll = (values: readonly string[]) => (values.length === 1 ? values[0] : values);

export type Matcher = ReturnType<typeof compileMatch>;

export function compileMatch(match: Match) {
  const fields = (Object.keys(checks) as Field[]).filter((field) => match[field] !== undefined);
  const compiled = fields.map((field) => ({ field, check: (checks[field] as Compile)(match[field]) }));
  const fits = (kept: Received, but: readonly Field[] = []) =>
    compiled.every(({ field, check }) => but.includes(field) || check(kept)[Symbol.iterator]().next().done === true);
  return {
    isAny: fields.length === 0,
    /** @param but fields that aren't compared, because their values aren't known */
    fits,
    mayHaveFitted: (kept: Received) => match.body !== undefined && isBodyLost(kept) && fits(kept, ['body']),
    findDifferences: (kept: Received) => compiled.flatMap(({ check }) => [...check(kept)]),
  };
}

/** A match that finds the entry again, and the reason if the match leaves out the body. */
export function matchFor(kept: KeptEntry): { readonly match: Match; readonly reason: string | undefined } {
  const username = usernameOf(kept);
  const { value, reason } = bodyOf(kept);
  const hasBody = value !== undefined && isComparable(value);
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

/** A path that is too long for a match becomes a pattern. */
const patternFor = (path: string) =>
  path.length <= maxPatternLength ? path : `${path.slice(0, maxPatternLength - 2)}**`;
