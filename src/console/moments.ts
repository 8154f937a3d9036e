// Moments as people read them: how long ago or ahead, and exactly.
import { html, type Html } from '../pages/html.ts';

const units: readonly (readonly [string, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `90 minutes`: a day and an hour are named from two on, so that no unit hides half of the length. */
export function describeLength(ms: number): string {
  const [unit, length] = units.find(([, unitMs]) => ms >= 2 * unitMs) ?? ['minute', 60_000];
  const count = Math.max(1, Math.round(ms / length));
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

/** `3 hours ago`, `in 24 hours`. */
export function describeMoment(moment: Date, now = Date.now()): string {
  const ms = moment.valueOf() - now;
  if (Math.abs(ms) < 60_000) return ms > 0 ? 'within a minute' : 'just now';
  return ms > 0 ? `in ${describeLength(ms)}` : `${describeLength(-ms)} ago`;
}

/** Both forms; the exact one in UTC. */
export const renderMoment = (moment: Date): Html =>
  html`<time datetime="${moment.toISOString()}"
    >${describeMoment(moment)} <span class="exact">${exact(moment)}</span></time
  >`;

const exact = (moment: Date): string => `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
