// The journal's requests as rows of a table, newest first.
import { STATUS_CODES } from '../../../base/http-names.ts';
import { withQuery } from '../../../http/wire/query-string.ts';
import { html, type Html } from '../../html.ts';
import { statusKind } from '../../parts.ts';
import type { JournalEntry, KeptEntry } from '../../../traffic/entry.ts';
import { shownEntry } from '../../../traffic/journal/journal-entries.ts';
import { explain, type Known } from './reason.ts';

/** A longer path or query is cut: its exchange shows it whole. */
const maxTargetLength = 300;

/**
 * @param url of the journal that has the entry
 * @param sandbox in a list of several sandboxes
 */
export function renderRow(kept: KeptEntry, url: string, known: Known, sandbox?: string): Html {
  const entry = shownEntry(kept);
  const notes = [explain(kept, known), entry.from_page && 'sent by a page'];
  return html`<tr>
    <td class="at tiny">${renderTime(entry.at)}</td>
    <td class="call">
      <a href="${url}${entry.id}/"><span class="method">${entry.method}</span> ${cutTarget(entry)}</a>
      <span class="notes row">${notes.map((note) => note && html`<span>${note}</span>`)}</span>
    </td>
    <td class="result">${renderStatus(entry.status)}</td>
    <td class="took figure tiny">${entry.duration_ms} ms</td>
    <td class="user">${renderUser(entry.principal)}</td>
    ${sandbox !== undefined && html`<td class="user">${sandbox || html`<span class="hint">none</span>`}</td>`}
  </tr>`;
}

export const renderUser = (principal: string | null): Html =>
  principal === null ? html`<span class="hint">no user</span>` : html`${principal}`;

export const countOf = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

export const renderTime = (at: string): Html => html`<time datetime="${at}">${at.slice(11, 23)}</time>`;

function cutTarget({ path, query }: JournalEntry): string {
  const target = withQuery(path, query);
  return target.length > maxTargetLength ? `${target.slice(0, maxTargetLength)}…` : target;
}

export const renderStatus = (status: number): Html =>
  html`<span class="code ${statusKind(status)}"
    >${status === 0 ? 'connection closed' : `${status} ${STATUS_CODES[status] ?? ''}`}</span
  >`;
