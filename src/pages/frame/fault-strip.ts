// On every page of a sandbox while fault rules are in force: what they do, how often they did, and their end by one click.
import type { Visitor } from '../../http/call.ts';
import { html, type Html } from '../html.ts';
import { renderLink } from '../parts.ts';

const mostLines = 3;

/** @param root the service's own URL */
export function renderFaultStrip(
  root: string,
  { sandbox, faults = [], isAdmitted, returnTo }: Visitor,
): Html | undefined {
  if (faults.length === 0) return undefined;
  const url = `${root}/_understudy/console/${sandbox}/faults/`;
  const left = faults.length - mostLines;
  return html`<section class="notice block refuses" aria-label="Faults of the sandbox">
    <ul>
      ${faults.slice(0, mostLines).map(
        ({ key, effect, rule: { struck } }) =>
          html`<li class="row line between">
            <span>Fault: <strong>${effect}</strong> · ${countHits(struck)}</span>
            ${
              isAdmitted &&
              html`<form method="post" action="${url}remove/">
                <input type="hidden" name="next" value="${returnTo}" />
                <button class="small" name="key" value="${key}" aria-label="Remove ${effect}">Remove</button>
              </form>`
            }
          </li>`,
      )}
      ${left > 0 && html`<li>${renderLink(isAdmitted ? url : undefined, `and ${left} more`)}</li>`}
    </ul>
  </section>`;
}

export const countHits = (count: number): string => ['not hit yet', 'hit once'][count] ?? `hit ${count} times`;
