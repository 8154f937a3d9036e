// A sandbox's journal as a page: filtered, newest first, and live where the browser runs scripts.
import { baseUrlOf } from '../../../access/which-sandbox.ts';
import { curlLine, renderCopy } from '../../curl.ts';
import { html, type Html } from '../../html.ts';
import { renderButton, renderTable } from '../../parts.ts';
import { matchOf, shownDropped, shownEntry } from '../../../traffic/journal/journal-entries.ts';
import { strays } from '../../../traffic/journal/journal.ts';
import { find, whenReadable } from '../../../traffic/journal/search.ts';
import { compileMatch } from '../../../traffic/match.ts';
import { sandboxUrl, startOf } from '../console-frame.ts';
import type { ConsoleAnswer, ConsoleServices, Page, Visit } from '../console-page.ts';
import { filtered, type Filters, readFilters, renderFilters } from './journal-filters.ts';
import { renderDropped, renderGap, renderRow } from './journal-rows.ts';

/** Rows of a page, unless its address sets a limit. */
const maxRows = 200;

/** No sandbox has a name like this. */
export const strayPath = 'console/_requests/';

export const journalUrl = (origin: string, sandbox: string): string =>
  sandbox === strays ? startOf(origin) + strayPath : `${sandboxUrl(origin, sandbox)}journal/`;

/** The sandbox whose journal a page shows, or `strays`. Throws 404 if there is none. */
export async function journalOf({ params }: Visit, { database, journal }: ConsoleServices): Promise<string> {
  const { name = strays } = params;
  await whenReadable(database.reads, journal, name);
  return name;
}

export async function clearJournal(visit: Visit, services: ConsoleServices): Promise<ConsoleAnswer> {
  const sandbox = await journalOf(visit, services);
  services.journal.clear(sandbox);
  return { redirect: journalUrl('', sandbox) };
}

export async function showJournal(visit: Visit, services: ConsoleServices): Promise<Page> {
  const { origin, query } = visit;
  const { journal } = services;
  const sandbox = await journalOf(visit, services);
  const url = journalUrl(origin, sandbox);
  const page =
    sandbox === strays
      ? { title: 'Requests that reached no sandbox' }
      : { title: 'Requests', of: { sandbox, tab: 'requests' as const } };
  if (!journal.isKept) return { ...page, main: off };

  const { filters, wanted, faults } = readFilters(query);
  const more: Filters = query['live'] === 'off' ? { live: 'off' } : {};
  const isLive = faults.length === 0 && more['live'] === undefined;
  const { all: held, matching } = await find({ journal, sandbox, matcher: compileMatch(matchOf(wanted)) });
  const fitting = faults.length > 0 ? [] : matching;
  const shown = fitting.slice(-(Number(filters['limit']) || maxRows)).toReversed();
  const left = fitting.length - shown.length;
  const all = filtered(url, { ...filters, limit: String(fitting.length) }, more);
  const main = html`${renderFilters(url, filters, more, faults)}
    <div class="row between">
      ${renderLive(url, filters, isLive)} ${renderButton(`${url}clear/`, 'Clear the journal')}
    </div>
    ${renderTable({
      caption: 'Requests, newest first; times are UTC',
      heads: ['Time', 'Request', 'Status', html`<th scope="col" class="figure">Duration</th>`, 'User'],
      rows: [
        shown.map((kept) => renderRow(shownEntry(kept), url)),
        left > 0 && renderGap(left, all),
        renderDropped(shownDropped(journal, sandbox)),
      ],
      attributes: html`class="requests"`,
      body: html`id="requests"`,
    })}
    <div class="empty">
      ${faults.length === 0 && (held.length > 0 ? html`<p>No request fits these filters.</p>` : renderHint(visit, sandbox))}
    </div>`;
  return { ...page, status: faults.length > 0 ? 400 : 200, main, assets: isLive ? ['live.js'] : [] };
}

function renderLive(url: string, filters: Filters, isLive: boolean): Html {
  if (!isLive)
    return html`<p class="row hint"><span>Not live.</span> <a href="${filtered(url, filters)}">Watch live</a></p>`;
  // The browser's script takes it from here; without one, the text is right as it stands.
  return html`<p class="row hint" id="live">
    <span role="status" id="live-state">Reload the page to see newer requests.</span>
    <a href="${filtered(url, filters, { live: 'off' })}">Pause</a>
  </p>`;
}

function renderHint({ origin }: Visit, sandbox: string): Html {
  if (sandbox === strays)
    return html`<p>
      None. Here stand requests to sandboxes that don’t exist, and outside <code>/api/</code> to paths that aren’t
      served.
    </p>`;
  const line = curlLine({ method: 'GET', url: `${baseUrlOf(origin, sandbox)}/api/` });
  return html`<p>No request yet. Send one, and it appears here:</p>
    ${renderCopy(line, 'A request to this sandbox')}`;
}

const off = html`<p>The service keeps no journal: <code>UNDERSTUDY_JOURNAL_BYTES</code> is 0. Start it without that:</p>
  ${renderCopy('env -u UNDERSTUDY_JOURNAL_BYTES npx weblate-understudy serve', 'A command that starts the service with a journal')}`;
