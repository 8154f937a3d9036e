// Moments as people read them: how long ago or ahead, and exactly.
import { html, type Html } from '../html.ts';

const inWords = new Intl.RelativeTimeFormat('en');

/** `90 minutes ago`, `in 24 hours`: a day and an hour are named from two on, so that no unit hides half of the length. */
export function describeMoment(moment: Date, now = Date.now()): string {
  const minutes = (moment.valueOf() - now) / 60_000;
  const length = Math.round(Math.abs(minutes));
  if (Math.abs(minutes) < 1) return minutes > 0 ? 'within a minute' : 'just now';
  if (length < 120) return inWords.format(Math.round(minutes), 'minute');
  return length < 2880
    ? inWords.format(Math.round(minutes / 60), 'hour')
    : inWords.format(Math.round(minutes / 1440), 'day');
}

/** Both forms; the exact one in UTC. */
export const renderMoment = (moment: Date): Html =>
  html`<time datetime="${moment.toISOString()}"
    >${describeMoment(moment)}
    <span class="exact tiny">${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC</span></time
  >`;
