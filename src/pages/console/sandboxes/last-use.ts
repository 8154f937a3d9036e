// When a sandbox was last used. The database knows to the minute, by the expiry that a use puts off; this service's
// journal knows exactly, as far as it reaches.
import { html, type Html } from '../../html.ts';
import type { ConsoleServices } from '../console-page.ts';
import { renderMoment } from '../time-from-now.ts';
import type { SandboxSummary } from './queries.ts';

type Known = Pick<ConsoleServices, 'expiry' | 'journal'>;

/** Undefined where no use is known: none since it was made, or, of `default`, which doesn't expire, none in the journal. */
function findLastUse({ name, created, renewed }: SandboxSummary, { expiry, journal }: Known): Date | undefined {
  const noted = journal.lastAt(name);
  const known = [
    ...(noted === undefined ? [] : [noted]),
    ...(renewed !== null && renewed.valueOf() !== created.valueOf() ? [renewed.valueOf()] : []),
    // Not yet written, which happens every minute.
    ...(expiry.isNoted(name) && noted === undefined ? [Date.now()] : []),
  ];
  return known.length === 0 ? undefined : new Date(Math.max(...known));
}

export function renderLastUse(summary: SandboxSummary, known: Known): Html {
  const used = findLastUse(summary, known);
  if (used !== undefined) return renderMoment(used);
  return summary.renewed === null ? html`none in the journal` : html`not used yet`;
}
