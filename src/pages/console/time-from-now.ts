// Moments as people read them: how long ago or ahead, and exactly.
import { html, type Html } from '../html.ts';

/** `90 minutes`: a day and an hour are named from two on, so that no unit hides half of the length. */
export function describeLength(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  const [unit, length] =
    minutes >= 2880 ? (['day', 1440] as const) : minutes >= 120 ? (['hour', 60] as const) : (['minute', 1] as const);
  const count = Math.round(minutes / length);
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

/** `3 hours ago`, `in 24 hours`. */
export function describeMoment(moment: Date, now = Date.now()): string {
  const ms = moment.valueOf() - now;
  if (Math.abs(ms) < 60_000) return ms > 0 ? 'within a minute' : 'just now';
  return ms > 0 ? `in ${describeLength(ms)}` : `${describeLength(-ms)} ago`;
}

const readableUtc = (moment: Date): string => `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Both forms; the exact one in UTC. */
export const renderMoment = (moment: Date): Html =>
  html`<time datetime="${moment.toISOString()}"
    >${describeMoment(moment)} <span class="exact tiny">${readableUtc(moment)}</span></time
  >`;
