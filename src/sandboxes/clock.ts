// The clock of a sandbox: its operations, and the checks of their bodies.
import { Type } from '@sinclair/typebox';
import { durationPattern, readDuration } from '../base/duration.ts';
import { errorLine } from '../base/errors.ts';
import { across, must } from '../base/check-value.ts';
import { toTimestamp } from '../seeds/format/normalise.ts';
import { acting } from './handlers.ts';
import { Clock } from './sandbox-schemas.ts';

const mustBe = 'be null or a moment of the years 1 to 9999, such as 2026-01-02T03:04:05Z';
const noMoment = errorLine('now', 'invalid', `Must ${mustBe}.`);

const ClockFields = Type.Object(
  { now: Type.Union([Type.String(), Type.Null()], { [must]: mustBe }) },
  {
    $id: 'ClockRequest',
    [across]: ({ now }) => (typeof now === 'string' && toTimestamp(now) === undefined ? [noMoment] : []),
  },
);
const AdvanceFields = Type.Object(
  { by: Type.String({ pattern: durationPattern, [must]: 'be a duration, such as 90s, 30m, 1h or 2d' }) },
  { $id: 'AdvanceRequest' },
);

export const clockOperations = [
  acting('GET', '/clock', {
    response: { 200: Clock },
    id: 'sandboxes_clock_read',
    summary: 'Read the clock of a sandbox',
    work: (sandboxes, { name }) => sandboxes.getClock(name),
  }),
  acting('PUT', '/clock', {
    response: { 200: Clock },
    id: 'sandboxes_clock_put',
    summary: 'Set the clock of a sandbox, which then stands still, or let it run',
    body: ClockFields,
    errors: [noMoment],
    example: { now: '2026-01-02T03:04:05Z' },
    work: (sandboxes, { name }, { now }) => sandboxes.changeClock(name, now && toTimestamp(now)),
  }),
  acting('POST', '/clock/advance', {
    response: { 200: Clock },
    id: 'sandboxes_clock_advance',
    summary: 'Advance the clock of a sandbox, from the present if it runs',
    body: AdvanceFields,
    errors: ['clock_limit'],
    example: { by: '1h' },
    work: (sandboxes, { name }, { by }) => sandboxes.changeClock(name, undefined, readDuration(by)),
  }),
];
