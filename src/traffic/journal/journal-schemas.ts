// The journal's schemas: filters, the bodies of searches and assertions, and the answers
// (docs/reference/control-api.md).
import { type Static, Type } from '@sinclair/typebox';
import { across, must } from '../../base/check-value.ts';
import { errorLine } from '../../base/errors.ts';
import { nullable } from '../../http/operation.ts';
import { JournalEntry, numberOf } from '../entry.ts';
import { compileMatch } from '../match.ts';
import { Difference, ExchangeMatch, listImpossible, invalid, rangesTo, words } from '../request-match.ts';

export const JournalQuery = Type.Partial(
  Type.Object({
    method: words('In upper or lower case.'),
    path: words('`*` is one segment or a piece of one, `**` any number of segments.'),
    query: words('Text that the query contains.'),
    status: words('`404`, or `4xx`.', { pattern: '^[0-5xX][0-9xX]{2}$', [must]: 'be a status such as 404 or 4xx' }),
    principal: words('The user of the token.'),
    unmatched: Type.Union([Type.Literal('true'), Type.Literal('false')], { [must]: 'be true or false' }),
    fault: words('The name of the fault rule that applied.'),
    text: words('A text in path, query, headers, bodies, error, hint or user, in upper or lower case.'),
    limit: words('Lists only this many requests, the last ones.', { pattern: '^[0-9]{1,5}$', [must]: 'be a number' }),
    since: words('The id of a request: only later ones are listed.'),
  }),
);

type Filters = Omit<Static<typeof JournalQuery>, 'limit' | 'since'>;
export const matcherOf = ({ principal: user, unmatched, ...same }: Filters) =>
  compileMatch({
    ...same,
    ...(user !== undefined && { user }),
    ...(unmatched !== undefined && { unmatched: unmatched === 'true' }),
  });

const counted = (description: string) => Type.Integer({ minimum: 0, description });
const droppedCounts = {
  dropped: counted('Requests dropped since the journal began or was emptied; 0 if all came before `since`.'),
  dropped_bodies: counted('Requests in the journal that have lost their bodies.'),
};

export const JournalPage = Type.Object(
  { ...droppedCounts, requests: Type.Array(JournalEntry) },
  { $id: 'JournalPage' },
);

/** Asks for the requests that reached no sandbox. No sandbox has this name. */
export const noSandbox = '-';

export const AllQuery = Type.Partial(
  Type.Object({
    ...JournalQuery.properties,
    sandbox: words(`A sandbox’s name, or \`${noSandbox}\` for requests that reached none.`),
  }),
);

export const RequestsOfAll = Type.Object(
  {
    ...droppedCounts,
    requests: Type.Array(
      Type.Object({
        sandbox: nullable(Type.String(), { description: 'Null if the request reached none.' }),
        ...JournalEntry.properties,
      }),
    ),
  },
  { $id: 'RequestsOfAll' },
);

const mostRequests = 10_000;
export const usualLimit = 100;

const times = rangesTo(mostRequests);
const expected = {
  times: Type.Union([times.end, times.open], {
    description: 'How many requests are expected; at least 1 by default.',
  }),
  within_ms: Type.Integer({
    minimum: 0,
    maximum: 60_000,
    default: 0,
    description: 'The longest wait for the expected requests.',
  }),
  since: Type.String({ maxLength: 30, description: 'The id of a request: only later ones match.' }),
};
const limitOf = (usual: number) =>
  Type.Integer({
    minimum: 0,
    maximum: mostRequests,
    default: usual,
    description: '`requests` has only this many, the last ones.',
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
      maxItems: 50,
      description: 'Each match needs one request, in this order; other requests may come between.',
    }),
    except: Type.Array(Type.String({ maxLength: 30 }), {
      maxItems: mostRequests,
      description: 'Ids of requests. There must be no other request.',
    }),
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

function findContradictions(given: Readonly<Record<string, unknown>>) {
  const [first, ...more] = forms.filter((form) => given[form] !== undefined);
  const { except, times: number, since } = given;
  return [
    ...(first === undefined ? [errorLine(null, 'required', `Needs one of ${forms.join(', ')}.`)] : []),
    ...more.map((form) => invalid(form, `Can't be combined with ${first}.`)),
    ...(number !== undefined && given['match'] === undefined ? [invalid('times', 'Belongs to match.')] : []),
    ...(Array.isArray(except) ? except.flatMap((one, index) => findForeign(`except[${index}]`, one)) : []),
    ...findForeign('since', since),
  ];
}

/** Finds an id of another process, whose journal is gone: ignoring the id would hide this. */
const findForeign = (attr: string, given: unknown) =>
  typeof given === 'string' && numberOf(given) === undefined ? [unknownId(attr)] : [];

export const unknownId = (attr: string) => invalid(attr, 'No request of this sandbox has had this id.');

const NearMiss = Type.Object({
  request: JournalEntry,
  differs: Type.Array(Difference, { description: 'Each value that differs.' }),
});
export type NearMiss = Static<typeof NearMiss>;

const found = {
  count: Type.Integer({ minimum: 0 }),
  lost: counted('Dropped requests that may match; with `body`, also requests whose bodies were dropped.'),
  matched: Type.Boolean({ description: 'Whether the requests are as expected, and no lost one can change that.' }),
  ...droppedCounts,
  near_misses: Type.Array(NearMiss, {
    description: 'If requests are missing: at most five other requests, the most similar first.',
  }),
  requests: Type.Array(JournalEntry, { description: 'The requests that match, oldest first.' }),
};

export const RequestsFound = Type.Object(found, { $id: 'RequestsFound' });
export type RequestsFound = Static<typeof RequestsFound>;

export const RequestsExpected = Type.Object(
  {
    message: nullable(Type.String(), { description: 'The text for a failed test; null if `matched`.' }),
    ...found,
    requests: Type.Array(JournalEntry, {
      description: 'The requests that match; with `in_order`, one per match; with `except`, those not in it.',
    }),
  },
  { $id: 'RequestsExpected' },
);
export type RequestsExpected = Static<typeof RequestsExpected>;
