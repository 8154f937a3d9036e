// The search of the journal as clients send it, and its answer.
import { type Static, Type } from '@sinclair/typebox';
import { across, must } from '../../http/body/check-value.ts';
import type { ErrorLine } from '../../base/errors.ts';
import { Difference, ExchangeMatch, findImpossible, invalid, isEmptyRange } from '../request-match.ts';
import { JournalEntry } from '../entry.ts';
import { droppedCounts } from './journal-entries.ts';

const longestWaitMs = 60_000;
const mostTimes = 10_000;

const times = Type.Integer({ minimum: 0, maximum: mostTimes });
const mustBeTimes = `be a whole number from 0 to ${mostTimes}, or {min, max} with at least one of them, min at most max`;

export const RequestsFind = Type.Partial(
  Type.Object({
    ...ExchangeMatch.properties,
    times: Type.Union(
      [
        times,
        Type.Object(
          { min: Type.Optional(times), max: Type.Optional(times) },
          { additionalProperties: false, minProperties: 1 },
        ),
      ],
      { description: 'How many are expected; at least 1 if left out.', [must]: mustBeTimes },
    ),
    within_ms: Type.Integer({
      minimum: 0,
      maximum: longestWaitMs,
      default: 0,
      description: 'Waits so long for what is expected.',
      [must]: `be milliseconds from 0 to ${longestWaitMs}`,
    }),
  }),
  { $id: 'RequestsFind', [across]: findContradictions },
);
export type RequestsFind = Static<typeof RequestsFind>;

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

function findContradictions(find: Readonly<Record<string, unknown>>): ErrorLine[] {
  return [...findImpossible(find), ...(isEmptyRange(find['times']) ? [invalid('times', `Must ${mustBeTimes}.`)] : [])];
}
