// The journal's requests as rows of a table, newest first.
import { STATUS_CODES } from '../../../base/http-names.ts';
import { withQuery } from '../../../http/wire/query-string.ts';
import { html, type Html } from '../../html.ts';
import { statusKind } from '../../parts.ts';
import type { JournalEntry } from '../../../traffic/entry.ts';
import type { JournalPage } from '../../../traffic/journal/journal-entries.ts';

/** A longer path or query is cut: its exchange shows it whole. */
const maxTargetLength = 300;

/** @param url the journal's page, under which each exchange has its own */
export const renderRow = (entry: JournalEntry, url: string): Html =>
  html`<tr>
    <td class="at tiny">${renderTime(entry.at)}</td>
    <td class="call">
      <a href="${url}${entry.id}/"><span class="method">${entry.method}</span> ${cutTarget(entry)}</a>
      <span class="notes row">${notesOf(entry).map((note) => html`<span>${note}</span>`)}</span>
    </td>
    <td class="result">${renderStatus(entry.status)}</td>
    <td class="took figure tiny">${entry.duration_ms} ms</td>
    <td class="user">${renderUser(entry.principal)}</td>
  </tr>`;

export const renderUser = (principal: string | null): Html =>
  principal === null ? html`<span class="hint">no user</span>` : html`${principal}`;

/** Where requests are left out. @param href the page that shows them */
export const renderGap = (count: number, href: string): Html =>
  html`<tr class="more">
    <td colspan="5">${count} more arrived here. <a href="${href}">Show them</a></td>
  </tr>`;

/** What the journal no longer has. */
export function renderDropped({ dropped, dropped_bodies: bodies }: Pick<JournalPage, 'dropped' | 'dropped_bodies'>) {
  if (dropped === 0 && bodies === 0) return undefined;
  const lost = [
    dropped > 0 && `${dropped} older ${dropped === 1 ? 'request' : 'requests'}`,
    bodies > 0 && `the bodies of ${bodies} ${bodies === 1 ? 'other' : 'others'}`,
  ].filter(Boolean);
  return html`<tr class="more">
    <td colspan="5">The journal has dropped ${lost.join(' and ')} since it was emptied.</td>
  </tr>`;
}

/** By UTC, as all other times of the service. */
export const renderTime = (at: string): Html => html`<time datetime="${at}">${at.slice(11, 23)}</time>`;

function cutTarget({ path, query }: JournalEntry): string {
  const target = withQuery(path, query);
  return target.length > maxTargetLength ? `${target.slice(0, maxTargetLength)}…` : target;
}

const notesOf = ({ fault, unmatched, not_mirrored: resource, hint, error, from_page: fromPage }: JournalEntry) =>
  [
    fault !== null && `struck by fault ${fault}`,
    unmatched && 'no such path is served',
    resource !== null && `not mirrored: ${resource}`,
    hint,
    error !== null && !unmatched && describeError(error),
    fromPage && 'sent by a page',
  ].filter((note) => typeof note === 'string');

export const describeError = ({ detail, attr }: NonNullable<JournalEntry['error']>): string =>
  attr === null ? detail : `${attr}: ${detail}`;

/** By a colour and in words. */
export const renderStatus = (status: number): Html =>
  html`<span class="code ${statusKind(status)}"
    >${status === 0 ? 'connection closed' : `${status} ${STATUS_CODES[status] ?? ''}`}</span
  >`;
