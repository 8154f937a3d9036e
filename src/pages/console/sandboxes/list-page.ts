// The console's start: every sandbox, with what tells it from the others.
import { findSandboxId } from '../../../access/queries.ts';
import { isSandboxName } from '../../../access/which-sandbox.ts';
import { html, type Html, type Piece } from '../../html.ts';
import { pathIn, pathUnder } from '../../links.ts';
import { renderLink, renderTable } from '../../parts.ts';
import { type ConsoleServices, type Handle, type Page, sandboxUrl, urlWith, type Visit } from '../console-page.ts';
import { renderMoment } from '../time-from-now.ts';
import { listStates, sandboxesPerPage, type SandboxState } from './queries.ts';
import { describeDone } from './sandbox-acts.ts';

const maxCounted = 1000;

interface Shown {
  readonly start: string;
  readonly part: string;
  readonly byUse: boolean;
  /** From 1. */
  readonly page: number;
  readonly total: number;
}

export async function showList({ start, query, isSignedIn }: Visit, services: ConsoleServices): Promise<Page> {
  // No name has another character, and PostgreSQL rejects NUL.
  const part = (query['name'] ?? '').trim().toLowerCase().replaceAll('\0', '');
  const byUse = query['sort'] === 'use';
  const page = Math.min(Math.max(1, Math.trunc(Number(query['page'])) || 1), 1_000_000);
  const wanted = { part, by_use: byUse, page: page - 1, most: maxCounted };
  const rows = await listStates(services.database.reads, wanted);
  const shown = { start, part, byUse, page, total: rows[0]?.total ?? 0 };
  return {
    title: 'Sandboxes',
    notice: describeDone(query),
    main: html`<div class="row between">
        <a class="button primary" href="${start}console/new/">Make a sandbox</a>
        <a class="button" href="${start}requests/">Requests of all sandboxes</a>
        ${(shown.total > 10 || part !== '' || page > 1) && renderFilter(shown)}
      </div>
      ${
        rows.length === 0
          ? html`<p>
              ${page > 1 ? `There is no page ${page}.` : 'No sandbox has a name like this.'}
              <a href="${start}">Show all</a>
            </p>`
          : renderSandboxes(shown, rows, services)
      }
      ${renderPages(shown)}
      ${
        !isSignedIn &&
        html`<p class="hint">
          Every client that reaches this address can use the console. With UNDERSTUDY_ADMIN_TOKEN, it asks for that
          token.
        </p>`
      }`,
  };
}

const renderFilter = ({ start, part, byUse }: Shown): Html =>
  html`<form class="row" method="get" action="${start}" role="search">
    ${byUse && html`<input type="hidden" name="sort" value="use" />`}
    <label for="name">Part of the name</label>
    <input id="name" name="name" type="search" value="${part}" autocomplete="off" spellcheck="false" />
    <button>Filter</button>
  </form>`;

function renderSandboxes(shown: Shown, rows: readonly SandboxState[], services: ConsoleServices): Html {
  const { start, total, page, byUse } = shown;
  const first = (page - 1) * sandboxesPerPage;
  const all = total === 1 ? '1 sandbox' : `${total} sandboxes`;
  const sorted = (label: string, isUse: boolean, direction: string) => {
    const isSorted = isUse === byUse;
    const href = isSorted || total === 1 ? undefined : urlOf({ ...shown, byUse: isUse, page: 1 });
    return html`<th scope="col" ${isSorted && html`aria-sort="${direction}"`}>${renderLink(href, label)}</th>`;
  };
  const renderErrors = (name: string, status: string, count: number) =>
    renderLink(count > 0 ? `${sandboxUrl(start, name)}journal/?status=${status}` : undefined, count);
  const figures = ['Users', 'Subscriptions', 'Snapshots', '4xx', '5xx'];
  const renderCells = (row: SandboxState) => {
    const { refused, failed } = services.journal.countErrors(row.name);
    const cells: Record<string, Piece> = {
      Seed: row.seed ?? 'none',
      Users: describeCount(row.users, maxCounted),
      Subscriptions: describeCount(row.subscriptions, maxCounted),
      Snapshots: row.snapshots.length,
      '4xx': renderErrors(row.name, '4xx', refused),
      '5xx': renderErrors(row.name, '5xx', failed),
      'Last use': renderLastUse(row, services),
      Expires: row.expires === null ? 'never' : renderMoment(row.expires),
    };
    return Object.entries(cells).map(
      ([label, cell]) =>
        html`<td data-label="${label}" ${figures.includes(label) && html`class="figure"`}>${cell}</td>`,
    );
  };
  return renderTable({
    caption: total <= sandboxesPerPage ? all : `Sandboxes ${first + 1} to ${first + rows.length} of ${total}`,
    heads: [
      sorted('Name', false, 'ascending'),
      'Seed',
      ...figures.map((label) => html`<th scope="col" class="figure">${label}</th>`),
      sorted('Last use', true, 'descending'),
      'Expires',
    ],
    rows: rows.map(
      (row) =>
        html`<tr>
          <th scope="row"><a href="${sandboxUrl(start, row.name)}">${row.name}</a></th>
          ${renderCells(row)}
        </tr>`,
    ),
  });
}

export const describeCount = (count: number, most: number): string => (count > most ? `over ${most}` : String(count));

function renderPages(shown: Shown): Html | undefined {
  const { page, total } = shown;
  const last = Math.ceil(total / sandboxesPerPage);
  if (last <= 1) return undefined;
  const link = (to: number, label: string) => html`<a href="${urlOf({ ...shown, page: to })}">${label}</a>`;
  return html`<nav class="row" aria-label="Pages">
    ${page > 1 && link(page - 1, 'Previous')}
    <span>Page ${page} of ${last}</span>
    ${page < last && link(page + 1, 'Next')}
  </nav>`;
}

const urlOf = ({ start, part, byUse, page }: Shown): string =>
  urlWith(start, { name: part, sort: byUse ? 'use' : '', page: page > 1 ? `${page}` : '' });

/**
 * When it was last used. The database knows it to the minute, by the expiry that a use postpones; this service's
 * journal knows it exactly, as far as it reaches.
 */
export function renderLastUse(state: SandboxState, { expiry, journal }: ConsoleServices): Html {
  const { name, created, expires, expires_in_seconds: lifetime } = state;
  // Since when its lifetime runs: its creation, or a use, up to a minute late.
  const renewed = expires === null || lifetime === null ? undefined : expires.valueOf() - lifetime * 1000;
  // A use that isn't yet written is at most a minute old.
  const noted = journal.lastAt(name) ?? (expiry.isNoted(name) ? Date.now() : undefined);
  const written = renewed === created.valueOf() ? undefined : renewed;
  if (noted !== undefined || written !== undefined) return renderMoment(new Date(Math.max(noted ?? 0, written ?? 0)));
  // `default` doesn't expire.
  return renewed === undefined ? html`none in the journal` : html`not used yet`;
}

/**
 * From a name that was typed into the header of a page to the same page of that sandbox. A name that no sandbox has leads
 * to the list of those that have it in theirs.
 */
export const goToSandbox: Handle = async ({ origin, start, query }, { database }) => {
  const { sandbox = '', from } = query;
  const name = sandbox.trim();
  if (isSandboxName(name) && (await findSandboxId(database.reads, name)) !== undefined)
    return { redirect: origin + pathIn(name, pathUnder(origin, from) ?? '/_understudy/') };
  return { redirect: urlWith(start, { name }) };
};
