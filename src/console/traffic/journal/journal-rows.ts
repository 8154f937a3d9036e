// The journal's requests as rows of a table, newest first.
import { STATUS_CODES } from '../../../http-names.ts';
import { html, type Html } from '../../../pages/html.ts';
import { statusKind } from '../../../pages/status-kind.ts';
import type { JournalEntry } from '../../../traffic/journal/journal-entries.ts';

/** A longer path or query is cut: its exchange shows it whole. */
const longestTarget = 300;

/** @param url the journal's page, under which each exchange has its own */
export const renderRow = (entry: JournalEntry, url: string): Html =>
  html`<tr>
    <td class="at">${renderTime(entry.at)}</td>
    <td class="call">
      <a href="${url}${entry.id}/"><span class="method">${entry.method}</span> ${renderTarget(entry)}</a>
      ${renderNotes(entry)}
    </td>
    <td class="result">${renderStatus(entry.status)}</td>
    <td class="took figure">${entry.duration_ms} ms</td>
    <td class="user">${renderUser(entry.principal)}</td>
  </tr>`;

export const renderUser = (principal: string | null): Html =>
  principal === null ? html`<span class="faint">no user</span>` : html`${principal}`;

/** Where requests are left out. @param href the page that shows them */
export const renderGap = (count: number, href: string): Html =>
  html`<tr class="more">
    <td colspan="5">${count} more arrived here. <a href="${href}">Show them</a></td>
  </tr>`;

/** By UTC, as all other times of the service. */
export const renderTime = (at: string): Html => html`<time datetime="${at}">${at.slice(11, 23)}</time>`;

function renderTarget({ path, query }: JournalEntry): Html {
  const target = query === '' ? path : `${path}?${query}`;
  return html`<span class="target"
    >${target.length > longestTarget ? `${target.slice(0, longestTarget)}…` : target}</span
  >`;
}

function renderNotes({ fault, unmatched }: JournalEntry): Html | undefined {
  if (fault === null && !unmatched) return undefined;
  return html`<span class="notes"
    >${fault === null ? undefined : html`<span class="note">struck by fault ${fault}</span>`}${unmatched ? html`<span class="note">no such path is served</span>` : undefined}</span
  >`;
}

/** By a colour and in words. */
export function renderStatus(status: number): Html {
  return html`<span class="code ${statusKind(status)}"
    >${status === 0 ? 'connection closed' : `${status} ${STATUS_CODES[status] ?? ''}`}</span
  >`;
}
