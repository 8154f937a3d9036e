// The console's start page lists the sandboxes.
import type { Sandbox } from '../../../sandboxes/sandbox-schemas.ts';
import { html, type Piece } from '../../html.ts';
import { renderButton, renderLink, renderTable, renderMoment } from '../../parts.ts';
import { describeDone, type Handle, sandboxUrl, type Visit, ask } from '../console-page.ts';
import { allPath } from '../traffic/journal-page.ts';

/** The most sandboxes listed. The filter by name finds the others. */
const mostRows = 200;

export const showList: Handle = async (visit) => {
  const { start, query, isSignedIn } = visit;
  const part = (query['name'] ?? '').trim().toLowerCase();
  const all = await ask<Sandbox[]>('sandboxes_list', visit);
  const listed = all
    .filter(({ name }) => name.includes(part))
    .toSorted((a, b) => Number(b.expires === null) - Number(a.expires === null));
  const rows = listed.slice(0, mostRows).map((row) => renderRow(visit, row));
  const caption = `${rows.length} of ${all.length} ${all.length === 1 ? 'sandbox' : 'sandboxes'}`;
  const heads = ['Name', 'Seed', 'Snapshots', 'Faults', '4xx', '5xx', 'Last use', 'Expires', 'Acts'];
  const none = html`<p>No sandbox has a name like this. <a href="${start}">Show all</a></p>`;
  return {
    title: 'Sandboxes',
    notice: describeDone(query),
    main: html`<div class="row between">
        <a class="button primary" href="${start}console/new/">Make a sandbox</a>
        <a class="button" href="${start}${allPath}">Requests of all sandboxes</a>
        ${(listed.length > 10 || part !== '') && renderSearch(start, part)}
      </div>
      ${rows.length === 0 ? none : renderTable(caption, heads, rows)} ${!isSignedIn && open}`,
  };
};

const renderSearch = (start: string, part: string) =>
  html`<form class="row" method="get" action="${start}" role="search">
    <label for="name">Part of the name</label>
    <input id="name" name="name" type="search" value="${part}" autocomplete="off" spellcheck="false" />
    <button>Filter</button>
  </form>`;

const open = html`<p class="hint">
  Every client that reaches this address can use the console, until UNDERSTUDY_ADMIN_TOKEN is set.
</p>`;

function renderRow({ start, services }: Visit, row: Sandbox) {
  const url = sandboxUrl(start, row.name);
  const faults = services.faults.inForce(row.name).length;
  const counts = services.journal.open(row.name).countByStatus();
  const renderErrors = (status: '4xx' | '5xx') =>
    renderLink(counts[status] > 0 ? `${url}journal/?status=${status}` : undefined, counts[status]);
  const cells: Record<string, Piece> = {
    Seed: row.seed ?? 'none',
    Snapshots: row.snapshots.length,
    Faults: renderLink(faults > 0 ? `${url}faults/` : undefined, faults),
    '4xx': renderErrors('4xx'),
    '5xx': renderErrors('5xx'),
    'Last use': renderLastUse(row, services),
    Expires: row.expires === null ? 'never' : renderMoment(row.expires),
    Acts: renderButton(`${url}reset/`, 'Reset', html`class="small" aria-label="Reset ${row.name}"`),
  };
  return html`<tr>
    <th scope="row"><a href="${url}">${row.name}</a></th>
    ${Object.entries(cells).map(([label, cell]) => html`<td data-label="${label}">${cell}</td>`)}
  </tr>`;
}

/** The last use, which postponed the expiry. Only the journal has its exact time. */
export function renderLastUse(sandbox: Sandbox, { expiry, journal }: Visit['services']) {
  const { name, created, expires, expires_in_seconds: lifetime } = sandbox;
  const renewed = Date.parse(expires ?? '') - 1000 * (lifetime ?? 0);
  // A use that isn't yet written to the database is at most a minute old.
  const noted = journal.open(name).lastAt ?? (expiry.isNoted(name) ? Date.now() : 0);
  const last = Math.max(noted, renewed > Date.parse(created) ? renewed : 0);
  if (last > 0) return renderMoment(new Date(last).toISOString());
  return expires === null ? html`none in the journal` : html`not used yet`;
}
