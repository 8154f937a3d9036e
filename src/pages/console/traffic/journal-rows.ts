// The journal's requests as rows, and sentences that explain answers. Both are made when a page
// shows them.
import { catalogue } from '../../../base/errors.ts';
import { STATUS_CODES } from '../../../base/http-names.ts';
import { shorten } from '../../../base/request-line.ts';
import { findNearest } from '../../../base/nearest.ts';
import type { PathTable } from '../../../http/path-table.ts';
import { withQuery } from '../../../http/wire/query-string.ts';
import { explainPath } from '../../browsable/advise.ts';
import { namePath } from '../../browsable/name-path.ts';
import { html } from '../../html.ts';
import { renderLink, statusKind } from '../../parts.ts';
import { sandboxUrl, urlWith, type Visit } from '../console-page.ts';
import { type JournalEntry, type KeptEntry, shownEntry } from '../../../traffic/entry.ts';

/** Longer URLs are cut. The exchange's page shows them in full. */
const maxTargetLength = 300;

export interface Place {
  /** The URL of the console. */
  readonly start: string;
  /** The URL of the journal. */
  readonly url: string;
  /** The base URL of the journal's requests. */
  readonly base: string;
}

/**
 * @param filters the list's: an entry's page links back with them
 * @param sandbox the entry's sandbox, if the list shows several
 */
export function renderRow(kept: KeptEntry, place: Place, known: Known, filters: Visit['query'], sandbox?: string) {
  const { url } = place;
  const entry = shownEntry(kept);
  const notes = [explain(kept, known, place), entry.from_page && 'sent by a page'];
  return html`<tr>
    <td class="at tiny">${renderTime(entry.at)}</td>
    <td class="call">
      <a href="${urlWith(`${url}${entry.id}/`, filters)}">${renderCall(entry, maxTargetLength)}</a>
      <span class="notes row">${notes.map((note) => note && html`<span>${note}</span>`)}</span>
    </td>
    <td class="result">${renderStatus(entry.status)}</td>
    <td class="took tiny">${entry.duration_ms} ms</td>
    <td class="user">${renderUser(entry.principal, url)}</td>
    ${sandbox !== undefined && html`<td class="user">${sandbox ? renderLink(url, sandbox) : none}</td>`}
  </tr>`;
}

const none = html`<span class="hint">none</span>`;

/** The name leads to the user's requests. @param url the journal's */
export const renderUser = (principal: string | null, url: string) =>
  principal === null ? html`<span class="hint">no user</span>` : renderLink(urlWith(url, { principal }), principal);

export const renderTime = (at: string) => html`<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 23)}</time>`;

export const renderCall = ({ method, path, query }: JournalEntry, most = Infinity) =>
  html`<span class="method">${method}</span> ${shorten(withQuery(path, query), most)}`;

export const renderStatus = (status: number) =>
  html`<span class="code ${statusKind(status)}"
    >${status === 0 ? 'connection closed' : `${status} ${STATUS_CODES[status] ?? ''}`}</span
  >`;

/** What explanations suggest: served paths, and sandboxes if the request reached none. */
export interface Known {
  readonly paths: PathTable;
  readonly sandboxes: readonly string[];
}

/** Undefined for a request that needs no explanation. */
export function explain(kept: KeptEntry, { paths, sandboxes }: Known, { start, url, base }: Place) {
  const { fault, unmatched, status, hint, method, not_mirrored: notMirrored } = kept;
  if (fault !== null)
    return html`The fault rule <a href="${url.replace(/journal\/$/, 'faults/')}">${fault}</a> struck this request.`;
  if (status < 400) return hint ?? undefined;
  if (unmatched) {
    const { text, near } = explainPath(kept.path, notMirrored, paths);
    return near === undefined ? `${text}.` : html`${text}; did you mean <a href="${base}${near}">${near}</a>?`;
  }
  if (notMirrored !== null) return `Weblate may take this; Understudy doesn’t mirror ${notMirrored}.`;
  const { error, principal, response_headers: headers } = shownEntry(kept);
  const { allow, 'retry-after': seconds, 'x-ratelimit-limit': limit } = headers;
  if (status === 405 && allow !== undefined) return `The path takes ${allow}, and not ${method}.`;
  if (status === 429 && limit !== undefined)
    return `The rate limit of ${limit} requests was reached: wait ${seconds} s.`;
  if (error === null) return undefined;
  const { attr, detail } = error;
  const [, missing] = /^No sandbox is named "(.*)"\.$/s.exec(detail) ?? [];
  if (missing !== undefined) {
    const near = findNearest(missing, sandboxes);
    const question = near !== undefined && html`; did you mean <a href="${sandboxUrl(start, near)}">${near}</a>?`;
    return html`No sandbox is named ${missing}${question || '.'}`;
  }
  const who = principal ?? 'a request without a token';
  const { not_authenticated, invalid_token, permission_denied, not_found } = catalogue;
  const reasons: Readonly<Record<string, string>> = {
    [not_authenticated.detail]: 'The request has no token.',
    [invalid_token.detail]:
      hint ?? 'No user of this sandbox has the token: it was made elsewhere, or is no longer valid.',
    [permission_denied.detail]: `Refused to ${who}: it takes a superuser, or a group with the permission user.edit.`,
    [not_found.detail]: `${namePath(paths.find(kept.path)?.[0], kept.path)}: there is none, or none that ${who} may see.`,
  };
  return reasons[detail] ?? (attr === null ? detail : `${attr}: ${detail}`);
}
