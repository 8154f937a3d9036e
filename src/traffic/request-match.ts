// The matches of fault rules and of the journal's searches (docs/reference/control-api.md).
import { type Static, Type } from '@sinclair/typebox';
import { errorLine } from '../base/errors.ts';
import { METHODS } from '../base/http-names.ts';
import { isDeeper, type JsonObject } from '../base/json-object.ts';
import { didYouMean } from '../base/nearest.ts';
import { across, must } from '../base/check-value.ts';
import { isKeptHeader, maxBodyLength, secretHeaders } from './entry.ts';
import { maxPatternLength } from './path-pattern.ts';

/** The most keys of a query, and the most headers, in a match. */
export const mostKeys = 50;
const mostLevels = 50;

/** The most methods, and the most values of one key of the query. */
const mostInList = 10;
const oneMethod = Type.String({ pattern: '^[A-Za-z-]{1,40}$' });
const scalars = [Type.String({ maxLength: maxBodyLength }), Type.Number(), Type.Boolean()];

export const RequestMatch = Type.Partial(
  Type.Object({
    method: Type.Union([oneMethod, Type.Array(oneMethod, { minItems: 1, maxItems: mostInList })], {
      description: 'In upper or lower case; if a list, any of its methods.',
      [must]: `be a method, such as GET, or a list of at most ${mostInList}`,
    }),
    path: Type.String({
      pattern: '^[/*]',
      maxLength: maxPatternLength,
      description: 'The path, without the base URL; `*` is one segment or a piece of one, `**` any number of segments.',
      [must]: `begin with / or * and have at most ${maxPatternLength} characters; * is a segment or a piece of one, ** any segments`,
    }),
    user: Type.Union([Type.String({ maxLength: maxPatternLength }), Type.Null()], {
      description: 'The user of the token; null for a request without a token.',
    }),
    query: Type.Record(
      Type.String(),
      Type.Union([...scalars, Type.Array(Type.Union(scalars), { minItems: 1, maxItems: mostInList })]),
      {
        maxProperties: mostKeys,
        description: 'Values of the query, decoded. If a list, the query must have each of its values.',
        [must]: `be an object of at most ${mostKeys} texts or numbers, or lists of at most ${mostInList}`,
      },
    ),
    headers: Type.Record(Type.String(), Type.String({ maxLength: maxPatternLength }), {
      maxProperties: mostKeys,
      description: `Texts that headers contain, in upper or lower case. Not for ${secretHeaders}.`,
      [must]: `map names of headers to texts of at most ${maxPatternLength} characters`,
    }),
    body: Type.Unknown({
      description: 'A part of the JSON or form. Objects may have further keys; lists must have equal lengths.',
    }),
  }),
  {
    $id: 'RequestMatch',
    description: 'What a request must have. Every field that is given must fit.',
    [across]: listImpossible,
  },
);
export type RequestMatch = Static<typeof RequestMatch>;

export const words = (description: string, options = {}) =>
  Type.String({ maxLength: maxPatternLength, description, ...options });

/** A search's match: what a request and its answer must have. */
export const ExchangeMatch = Type.Partial(
  Type.Object({
    ...RequestMatch.properties,
    status: Type.Union([Type.Integer({ minimum: 0, maximum: 599 }), Type.String({ pattern: '^[0-5xX][0-9xX]{2}$' })], {
      description: '404, or `4xx`; 0 if the connection was closed without an answer.',
      [must]: 'be a status such as 404 or 4xx',
    }),
    unmatched: Type.Boolean({ description: 'Whether the path isn’t served.' }),
    fault: words('The name of the fault rule that applied.'),
  }),
  { $id: 'ExchangeMatch', [across]: listImpossible },
);

export type ExchangeMatch = Static<typeof ExchangeMatch>;

export const Difference = Type.Object(
  {
    field: Type.String({ description: 'Such as `method`, `query.page` or `body.scope`.' }),
    expected: Type.Unknown(),
    received: Type.Optional(Type.Unknown({ description: 'Left out if the request has no such value.' })),
    reason: Type.Optional(Type.String({ description: 'Why there is no value to compare with.' })),
  },
  { $id: 'Difference' },
);
export type Difference = Static<typeof Difference>;

export const invalid = (attr: string, detail: string) => errorLine(attr, 'invalid', detail);

export type Range = Readonly<Record<'min' | 'max', number>>;

/** A number is the range from itself to itself. */
export const rangeOf = (given: number | Partial<Range>): Range =>
  typeof given === 'number' ? { min: given, max: given } : { min: 0, max: Infinity, ...given };

/** Schemas of a number, of a range, and of a range that may lack `min` or `max`. */
export function rangesTo(maximum: number) {
  const end = Type.Integer({ minimum: 0, maximum });
  const options = { additionalProperties: false, [across]: findEmptyRange };
  const range = Type.Object({ min: end, max: end }, options);
  return { end, range, open: Type.Partial(range, { ...options, minProperties: 1 }) };
}

const findEmptyRange = ({ min, max }: JsonObject) =>
  typeof min === 'number' && typeof max === 'number' && min > max ? [invalid('min', 'Must be at most max.')] : [];

/** Finds values that no kept request has, and values that are costly to compare. */
export function listImpossible({ method, headers, body }: JsonObject) {
  const unknown = Object.keys(headers ?? {}).filter((name) => !isKeptHeader(name));
  const methods = [method].flat().filter((one) => typeof one === 'string');
  // Node's parser rejects a request with any other method.
  const odd = methods.filter((one) => /^[a-z-]{1,40}$/i.test(one) && !METHODS.includes(one.toUpperCase()));
  const incomparable = `${secretHeaders} can’t be compared: the journal doesn’t keep them.`;
  const large = `Must have at most ${maxBodyLength} characters as JSON and ${mostLevels} levels.`;
  return [
    ...odd.map((one) => invalid('method', `No request has the method ${one}${didYouMean(one, METHODS, '.')}`)),
    ...unknown.map((name) => invalid(`headers.${name}`, incomparable)),
    ...(body === undefined || isComparable(body) ? [] : [invalid('body', large)]),
  ];
}

// A longer value can't match: requests with longer bodies aren't compared.
export const isComparable = (value: unknown) =>
  !isDeeper(value, mostLevels) && JSON.stringify(value).length <= maxBodyLength;
