// The search of the journal as clients send it, and its answer.
import { type Static, Type } from '@sinclair/typebox';
import { across, must } from '../../http/body/check-value.ts';
import type { ErrorLine } from '../../base/errors.ts';
import { maxPatternLength } from '../path-pattern.ts';
import { maxBodyLength } from './entry-bytes.ts';
import { droppedCounts, JournalEntry, words } from './journal-entries.ts';
import { withoutTokens } from './journal.ts';

export const longestWaitMs = 60_000;
const mostTimes = 10_000;
export const mostKeys = 50;
const mostLevels = 50;

const queryValue = Type.Union([Type.String({ maxLength: maxBodyLength }), Type.Number(), Type.Boolean()]);
const times = Type.Integer({ minimum: 0, maximum: mostTimes });
const mustBeTimes = `be a whole number from 0 to ${mostTimes}, or {min, max} with at least one of them, min at most max`;

export const RequestsFind = Type.Object(
  {
    method: words('In upper or lower case.'),
    path: words('Under the base; `*` stands for one part of it, `**` for any.'),
    user: Type.Optional(
      Type.Union([Type.String({ maxLength: maxPatternLength }), Type.Null()], {
        description: 'The user of the token; null for a request without a token.',
        [must]: 'be a username, or null for a request without a token',
      }),
    ),
    query: Type.Optional(
      Type.Record(Type.String(), queryValue, {
        maxProperties: mostKeys,
        description: 'Values that the query has, decoded.',
        [must]: `be an object of at most ${mostKeys} texts or numbers`,
      }),
    ),
    body: Type.Optional(
      Type.Unknown({ description: 'A part of the JSON or form: an object needs to have only the keys given here.' }),
    ),
    status: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 599 }), Type.String({ pattern: '^[0-9xX]{3}$' })], {
        description: '404, or `4xx`; 0 if the connection was closed instead.',
        [must]: 'be a status such as 404 or 4xx',
      }),
    ),
    unmatched: Type.Optional(
      Type.Boolean({ description: 'Whether no such path is served.', [must]: 'be true or false' }),
    ),
    fault: words('The name of the rule that struck.'),
    times: Type.Optional(
      Type.Union(
        [
          times,
          Type.Object(
            { min: Type.Optional(times), max: Type.Optional(times) },
            { additionalProperties: false, minProperties: 1 },
          ),
        ],
        { description: 'How many are expected; at least 1 if left out.', [must]: mustBeTimes },
      ),
    ),
    within_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: longestWaitMs,
        default: 0,
        description: 'Waits so long for what is expected.',
        [must]: `be milliseconds from 0 to ${longestWaitMs}`,
      }),
    ),
  },
  { $id: 'RequestsFind', [across]: findContradictions },
);
export type RequestsFind = Static<typeof RequestsFind>;

const Difference = Type.Object(
  {
    field: Type.String({ description: '`method`, `query.page`, `body.scope`' }),
    expected: Type.Unknown(),
    received: Type.Optional(Type.Unknown({ description: 'Left out if the request has no such value.' })),
    reason: Type.Optional(Type.String({ description: 'Why there is no value to compare with.' })),
  },
  { $id: 'Difference' },
);
export type Difference = Static<typeof Difference>;

const NearMiss = Type.Object({ request: JournalEntry, differs: Difference });
export type NearMiss = Static<typeof NearMiss>;

export const RequestsFound = Type.Object(
  {
    count: Type.Integer({ minimum: 0 }),
    lost: Type.Integer({
      minimum: 0,
      description:
        'Further ones that may match: those that were dropped, and if `body` is given, those whose body was.',
    }),
    matched: Type.Boolean({
      description: 'Whether there are as many as expected, however many of the lost ones match.',
    }),
    ...droppedCounts,
    requests: Type.Array(JournalEntry, { description: 'Those that match, oldest first.' }),
    near_misses: Type.Array(NearMiss, {
      description:
        'Where there are too few: at most five of the others, those of the same path first, then the latest; each with the first field that differs.',
    }),
  },
  { $id: 'RequestsFound' },
);
export type RequestsFound = Static<typeof RequestsFound>;

export interface Range {
  readonly min: number;
  readonly max: number;
}

export function rangeOf(expected: RequestsFind['times']): Range {
  if (expected === undefined) return { min: 1, max: Infinity };
  if (typeof expected === 'number') return { min: expected, max: expected };
  return { min: expected.min ?? 0, max: expected.max ?? Infinity };
}

/** The same without tokens: they are compared with requests that are shown without them. */
export const withTokensRemoved = (find: RequestsFind): RequestsFind =>
  JSON.parse(withoutTokens(JSON.stringify(find))) as RequestsFind;

function findContradictions({ times: expected, body }: Readonly<Record<string, unknown>>): ErrorLine[] {
  const { min, max } = (expected ?? {}) as { min?: unknown; max?: unknown };
  return [
    ...(body === undefined || isModest(body) ? [] : [invalid('body', mustBeModest)]),
    ...(typeof min === 'number' && typeof max === 'number' && min > max ? [invalid('times', mustBeTimes)] : []),
  ];
}

// A longer one can't match, for the journal keeps no more of a body. So the work to compare it is bounded too.
const mustBeModest = `have at most ${maxBodyLength} characters as JSON and ${mostLevels} levels`;
export const isModest = (value: unknown): boolean =>
  isWithin(mostLevels, value) && JSON.stringify(value).length <= maxBodyLength;

const isWithin = (levels: number, value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((member) => isWithin(levels - 1, member)));

const invalid = (attr: string, mustBe: string): ErrorLine => ({ code: 'invalid', detail: `Must ${mustBe}.`, attr });
