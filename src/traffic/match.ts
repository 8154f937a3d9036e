// What a request is compared with: one matcher for fault rules, for searches of the journal, for its list's filters,
// and for what differs in a near miss. It sees requests as they are shown, without tokens, so a search can't guess
// one.
import { parsePairs } from '../http/wire/query-string.ts';
import { bodyOf, compare, compareBody, findFirst, isBodyLost } from './compare-body.ts';
import { type Received, usernameOf, withoutTokens } from './entry.ts';
import { pathPattern } from './path-pattern.ts';
import type { Difference, ExchangeMatch, RequestMatch } from './request-match.ts';

/** Only so much of a longer query is compared by its values. */
const maxQueryLength = 2000;

/** Every field that is given must fit. A text for the query is one that it contains. */
export type Match = Omit<ExchangeMatch, 'query'> & {
  readonly query?: string | NonNullable<RequestMatch['query']>;
};

/** How a request differs in one field; undefined if it fits. */
type Check = (kept: Received) => Difference | undefined;

type Field = keyof Match;
type Checks = { readonly [F in Field]-?: (wanted: Exclude<Match[F], undefined>) => Check };

// In the order in which they are compared: the cheap ones first.
const checks: Checks = {
  method: (wanted) => (kept) => compare('method', wanted.toUpperCase(), kept.method),
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
    return fits ? undefined : { field: 'user', expected: wanted, received, ...reason };
  },
  query:
    (wanted) =>
    ({ query }) => {
      if (typeof wanted === 'string') return compare('query', wanted, query, query.includes(wanted));
      const pairs = parsePairs(query.slice(0, maxQueryLength));
      return findFirst(Object.entries(wanted), ([key, value]) => {
        const values = pairs.flatMap(([name, text]) => (name === key ? [withoutTokens(text)] : []));
        const expected = String(value);
        return compare(`query.${key}`, expected, values.length > 1 ? values : values[0], values.includes(expected));
      });
    },
  headers:
    (wanted) =>
    ({ request_headers: headers }) =>
      findFirst(Object.entries(wanted), ([given, expected]) => {
        const name = given.toLowerCase();
        const received = headers[name];
        const fits = received?.toLowerCase().includes(expected.toLowerCase()) === true;
        return compare(`headers.${name}`, expected, received, fits);
      }),
  body: (wanted) => (kept) => {
    const { value, reason } = bodyOf(kept);
    return reason === undefined ? compareBody(wanted, value, 'body') : { field: 'body', expected: wanted, reason };
  },
};

export type Matcher = ReturnType<typeof compileMatch>;

export function compileMatch(match: Match) {
  const wanted = (Object.keys(checks) as Field[]).filter((field) => match[field] !== undefined);
  const compiled = wanted.map((field) => ({
    field,
    check: (checks[field] as (value: unknown) => Check)(match[field]),
  }));
  const findDifference = (kept: Received, isCompared: (field: Field) => boolean = () => true) =>
    findFirst(compiled, ({ field, check }) => (isCompared(field) ? check(kept) : undefined));
  const fits = (kept: Received, but: readonly Field[] = []): boolean =>
    findDifference(kept, (field) => !but.includes(field)) === undefined;
  return {
    /** @param but what isn't compared, because it isn't known */
    fits,
    /** Whether it may have fitted before its body was dropped. */
    mayHaveFitted: (kept: Received): boolean => match.body !== undefined && isBodyLost(kept) && fits(kept, ['body']),
    isPath: (kept: Received): boolean => findDifference(kept, (field) => field === 'path') === undefined,
    findDifference,
  };
}
