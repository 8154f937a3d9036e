// Moments as people read them: how long ago or ahead, and exactly.
import { html, type Html } from '../html.ts';

/** `90 minutes ago`, `in 24 hours`: a day and an hour are named from two on, so that no unit hides half of the length. */
export function describeMoment(moment: string, now = Date.now()): string {
  const minutes = (Date.parse(moment) - now) / 60_000;
  const length = Math.round(Math.abs(minutes));
  if (Math.abs(minutes) < 1) return minutes > 0 ? 'within a minute' : 'just now';
  const [unit, of] =
    length < 120 ? (['minute', 1] as const) : length < 2880 ? (['hour', 60] as const) : (['day', 1440] as const);
  // Made here, and not at the start of a service: ICU's data take 5 MB of memory.
  return new Intl.RelativeTimeFormat('en').format(Math.round(minutes / of), unit);
}

/** Both forms; the exact one in UTC. */
export const renderMoment = (moment: string): Html =>
  html`<time datetime="${moment}"
    >${describeMoment(moment)} <span class="exact tiny">${moment.slice(0, 16).replace('T', ' ')} UTC</span></time
  >`;
