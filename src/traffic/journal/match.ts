// What a request of the journal is compared with: one matcher for the list's filters, for searches, and for what
// differs in a near miss. It sees requests as they are shown, without tokens, so a search can't guess at one.
import { parsePairs } from '../../http/wire/query-string.ts';
import { pathPattern } from '../path-pattern.ts';
import { bodyOf, compareBody, isBodyLost } from './compare-body.ts';
import { type KeptEntry, usernameOf } from './entry-bytes.ts';
import type { Difference, RequestsFind } from './find-schemas.ts';
import type { JournalQuery } from './journal-entries.ts';
import { withoutTokens } from './journal.ts';

/** Only so much of a longer query is compared by its values. */
const maxQueryLength = 2000;

/** Every field that is given must fit. A text for the query is one that it contains. */
export type Match = Omit<RequestsFind, 'query' | 'times' | 'within_ms'> & {
  readonly query?: string | NonNullable<RequestsFind['query']>;
};

/** A query's filters as the matcher takes them. */
export const matchOf = ({ principal: user, unmatched, limit: _limit, ...same }: JournalQuery): Match => ({
  ...same,
  ...(user !== undefined && { user }),
  ...(unmatched !== undefined && { unmatched: unmatched === 'true' }),
});

/** Returns how a request differs in one field, if it does. */
type Check = (kept: KeptEntry) => Difference | undefined;

type Field = keyof Match;
/** Makes the check of a field from what is wanted of it. */
type Checks = { readonly [F in Field]-?: (wanted: Exclude<Match[F], undefined>) => Check };

const compare = (field: Field, expected: unknown, received: unknown, fits = expected === received) =>
  fits ? undefined : { field, expected, received };

const exactly =
  (field: 'unmatched' | 'fault') =>
  (wanted: unknown): Check =>
  (kept) =>
    compare(field, wanted, kept[field]);

// In the order in which they are compared: the cheap ones first.
const checks: Checks = {
  method: (wanted) => {
    const method = wanted.toUpperCase();
    return (kept) => compare('method', method, kept.method);
  },
  path: (wanted) => {
    const isPath = pathPattern(wanted);
    return (kept) => {
      const path = withoutTokens(kept.path);
      return compare('path', wanted, path, isPath(path));
    };
  },
  status: (wanted) => {
    const pattern = new RegExp(`^${String(wanted).padStart(3, '0').replaceAll(/x/gi, '.')}$`);
    return (kept) => compare('status', wanted, kept.status, pattern.test(String(kept.status).padStart(3, '0')));
  },
  unmatched: exactly('unmatched'),
  fault: exactly('fault'),
  user: (wanted) => (kept) => compareUser(wanted, kept),
  query: (wanted) =>
    typeof wanted === 'string'
      ? (kept) => {
          const search = withoutTokens(kept.search);
          return compare('query', wanted, search, search.includes(wanted));
        }
      : (kept) => compareQuery(wanted, kept.search),
  body: (wanted) => (kept) => compareWhole(wanted, kept),
};

function compareUser(wanted: string | null, kept: KeptEntry): Difference | undefined {
  const received = usernameOf(kept);
  const fits = wanted === null ? !kept.hasToken : received?.toLowerCase() === wanted.toLowerCase();
  if (fits) return undefined;
  const isUnknown = kept.hasToken && received === null;
  return { field: 'user', expected: wanted, received, ...(isUnknown && { reason: 'No user had the token.' }) };
}

function compareQuery(wanted: Exclude<Match['query'], string | undefined>, search: string): Difference | undefined {
  const pairs = parsePairs(search.slice(0, maxQueryLength));
  for (const [key, value] of Object.entries(wanted)) {
    const values = pairs.flatMap(([name, text]) => (name === key ? [withoutTokens(text)] : []));
    if (values.includes(String(value))) continue;
    const received = values.length > 1 ? values : values[0];
    return { field: `query.${key}`, expected: String(value), ...(received !== undefined && { received }) };
  }
  return undefined;
}

function compareWhole(wanted: unknown, kept: KeptEntry): Difference | undefined {
  const { value, reason } = bodyOf(kept);
  return reason === undefined ? compareBody(wanted, value, 'body') : { field: 'body', expected: wanted, reason };
}

export type Matcher = ReturnType<typeof compileMatch>;

export function compileMatch(match: Match) {
  const wanted = (Object.keys(checks) as Field[]).filter((field) => match[field] !== undefined);
  const compiled = wanted.map((field) => ({
    field,
    check: (checks[field] as (value: unknown) => Check)(match[field]),
  }));
  const among = (isChosen: (field: Field) => boolean) => compiled.filter(({ field }) => isChosen(field));
  const fitsIn = (chosen: typeof compiled) => (kept: KeptEntry) =>
    chosen.every(({ check }) => check(kept) === undefined);
  const fitsWithoutBody = fitsIn(among((field) => field !== 'body'));
  return {
    fits: fitsIn(compiled),
    /** Whether it may have fitted before its body was dropped. */
    mayHaveFitted: (kept: KeptEntry): boolean => match.body !== undefined && isBodyLost(kept) && fitsWithoutBody(kept),
    /** Whether its path fits, or any does. */
    isPath: fitsIn(among((field) => field === 'path')),
    /** The first field that differs; undefined for a request that fits. */
    findDifference: (kept: KeptEntry): Difference | undefined => {
      for (const { check } of compiled) {
        const difference = check(kept);
        if (difference !== undefined) return difference;
      }
      return undefined;
    },
  };
}
