// The journal as clients list and search it: the filters in a query, the bodies of searches and assertions, and the
// answers (docs/reference/control-api.md).
import { type Static, Type } from '@sinclair/typebox';
import { across, must } from '../../base/check-value.ts';
import { type ErrorLine, errorLine } from '../../base/errors.ts';
import { nullable } from '../../http/operation.ts';
import { JournalEntry, numberOf } from '../entry.ts';
import { compileMatch } from '../match.ts';
import { Difference, ExchangeMatch, listImpossible, invalid, rangesTo, words } from '../request-match.ts';

export const JournalQuery = Type.Partial(
  Type.Object({
    method: words('In upper or lower case.'),
    path: words('`*` stands for one segment or a piece of one, `**` for any.'),
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

type Filters = Omit<Static<typeof JournalQuery>, 'limit' | 'since'>;
export const matcherOf = ({ principal: user, unmatched, ...same }: Filters) =>
  compileMatch({
    ...same,
    ...(user !== undefined && { user }),
    ...(unmatched !== undefined && { unmatched: unmatched === 'true' }),
  });

const droppedCounts = {
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

/** Stands for a sandbox's name with requests that reached no sandbox. No sandbox has this name. */
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

const longestWaitMs = 60_000;
export const mostRequests = 10_000;
const mostInOrder = 50;
export const usualLimit = 100;

const times = rangesTo(mostRequests);
const id = Type.String({ maxLength: 30, description: 'The id of a request in the journal' });
const expected = {
  times: Type.Union([times.end, times.open], { description: 'How many are expected; at least 1 if left out.' }),
  within_ms: Type.Integer({
    minimum: 0,
    maximum: longestWaitMs,
    default: 0,
    description: 'Waits so long for what is expected.',
  }),
  since: Type.String({ maxLength: 30, description: 'The id of a request: only those that arrived later count.' }),
};
const limitOf = (usual: number) =>
  Type.Integer({
    minimum: 0,
    maximum: mostRequests,
    default: usual,
    description: 'At most this many `requests`, the last ones.',
  });

export const RequestsFind = Type.Partial(
  Type.Object({ ...ExchangeMatch.properties, ...expected, limit: limitOf(mostRequests) }),
  { $id: 'RequestsFind', [across]: (given) => [...listImpossible(given), ...findForeign('since', given['since'])] },
);
export type RequestsFind = Static<typeof RequestsFind>;

export const RequestsExpect = Type.Partial(
  Type.Object({
    match: ExchangeMatch,
    in_order: Type.Array(ExchangeMatch, {
      minItems: 1,
      maxItems: mostInOrder,
      description: 'One request for each, in this order of arrival; others may come between them.',
    }),
    except: Type.Array(id, { maxItems: mostRequests, description: 'Ids of requests: there must be no other.' }),
    ...expected,
    limit: limitOf(usualLimit),
  }),
  {
    $id: 'RequestsExpect',
    description: 'One of `match`, `in_order` and `except`; `times` belongs to `match`.',
    [across]: findContradictions,
  },
);
export type RequestsExpect = Static<typeof RequestsExpect>;

const forms = ['match', 'in_order', 'except'] as const;

function findContradictions(given: Readonly<Record<string, unknown>>): ErrorLine[] {
  const [first, ...more] = forms.filter((form) => given[form] !== undefined);
  const { except, times: number, since } = given;
  return [
    ...(first === undefined ? [errorLine(null, 'required', `Needs one of ${forms.join(', ')}.`)] : []),
    ...more.map((form) => invalid(form, `Takes either ${first} or ${form}.`)),
    ...(number !== undefined && given['match'] === undefined ? [invalid('times', 'Belongs to match.')] : []),
    ...(Array.isArray(except) ? except.flatMap((one, index) => findForeign(`except[${index}]`, one)) : []),
    ...findForeign('since', since),
  ];
}

/** Finds an id from before a restart, or of another service: to ignore it would hide that its journal is gone. */
const findForeign = (attr: string, given: unknown): ErrorLine[] =>
  typeof given === 'string' && numberOf(given) === undefined ? [unknownId(attr)] : [];

export const unknownId = (attr: string): ErrorLine => invalid(attr, 'No request of this sandbox has had this id.');

const NearMiss = Type.Object({
  request: JournalEntry,
  differs: Type.Array(Difference, { description: 'Each value that differs.' }),
});
export type NearMiss = Static<typeof NearMiss>;

const found = {
  count: Type.Integer({ minimum: 0 }),
  lost: Type.Integer({
    minimum: 0,
    description: 'Further ones that may match: those that were dropped, and if `body` is given, those whose body was.',
  }),
  matched: Type.Boolean({
    description: 'Whether it is as expected, however many of the lost ones match.',
  }),
  ...droppedCounts,
  near_misses: Type.Array(NearMiss, {
    description:
      'Where there are too few: at most five of the others, those with the fewest differences first, then the latest.',
  }),
  requests: Type.Array(JournalEntry, { description: 'Those that match, oldest first.' }),
};

export const RequestsFound = Type.Object(found, { $id: 'RequestsFound' });
export type RequestsFound = Static<typeof RequestsFound>;

export const RequestsExpected = Type.Object(
  {
    message: nullable(Type.String(), { description: 'What a failed test shows; null if it is as expected.' }),
    ...found,
    requests: Type.Array(JournalEntry, {
      description: 'Those that match; of `in_order` one for each match, as far as they came; of `except` the others.',
    }),
  },
  { $id: 'RequestsExpected' },
);
export type RequestsExpected = Static<typeof RequestsExpected>;
