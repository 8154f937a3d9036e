// The console's start: every sandbox, with what tells it from the others.
import { html, type Html } from '../../html.ts';
import { sandboxUrl, startOf } from '../console-frame.ts';
import type { ConsoleRoute, ConsoleServices, Visit } from '../console-page.ts';
import { renderMoment } from '../time-from-now.ts';
import { renderLastUse } from './last-use.ts';
import { listSummaries, sandboxesPerPage, type SandboxSummary } from './queries.ts';

const mostCounted = 1000;

interface Shown {
  readonly origin: string;
  readonly part: string;
  readonly byUse: boolean;
  /** From 1. */
  readonly page: number;
  readonly total: number;
}

export const listPage: ConsoleRoute = {
  method: 'GET',
  path: '',
  handle: async ({ origin, query, isSignedIn }, services) => {
    // No name has another character, and PostgreSQL rejects NUL.
    const part = (query['name'] ?? '').trim().toLowerCase().replaceAll('\0', '');
    const byUse = query['sort'] === 'use';
    const page = Math.min(Math.max(1, Math.trunc(Number(query['page'])) || 1), 1_000_000);
    const wanted = { part, by_use: byUse, page: page - 1, most: mostCounted };
    const rows = await listSummaries(services.database.reads, wanted);
    const shown = { origin, part, byUse, page, total: rows[0]?.total ?? 0 };
    return {
      title: 'Sandboxes',
      notice: query['done'] === 'drop' ? 'The sandbox was dropped.' : undefined,
      main: html`<div class="toolbar">
          <a class="button primary" href="${startOf(origin)}console/new/">Make a sandbox</a>
          <a class="button" href="${startOf(origin)}console/_requests/">Requests that reached no sandbox</a>
          ${shown.total > 10 || part !== '' || page > 1 ? renderFilter(shown) : undefined}
        </div>
        ${
          rows.length === 0
            ? html`<p>
                ${page > 1 ? `There is no page ${page}.` : 'No sandbox has a name like this.'}
                <a href="${startOf(origin)}">Show all</a>
              </p>`
            : renderTable(shown, rows, services)
        }
        ${renderPages(shown)}
        ${
          isSignedIn
            ? undefined
            : html`<p class="hint">
                Every client that reaches this address can use the console. With UNDERSTUDY_ADMIN_TOKEN, it asks for
                that token.
              </p>`
        }`,
    };
  },
};

const renderFilter = ({ origin, part, byUse }: Shown): Html =>
  html`<form class="filter" method="get" action="${startOf(origin)}" role="search">
    ${byUse ? html`<input type="hidden" name="sort" value="use" />` : undefined}
    <label for="name">Part of the name</label>
    <input id="name" name="name" type="search" value="${part}" autocomplete="off" spellcheck="false" />
    <button>Filter</button>
  </form>`;

function renderTable(shown: Shown, rows: readonly SandboxSummary[], services: ConsoleServices): Html {
  const { origin, total, page, byUse } = shown;
  const first = (page - 1) * sandboxesPerPage;
  return html`<table>
    <caption>
      ${
        total <= sandboxesPerPage
          ? total === 1
            ? '1 sandbox'
            : `${total} sandboxes`
          : `Sandboxes ${first + 1} to ${first + rows.length} of ${total}`
      }
    </caption>
    <thead>
      <tr>
        <th scope="col" ${byUse ? undefined : html`aria-sort="ascending"`}>${renderSort(shown, false, 'Name')}</th>
        <th scope="col">Seed</th>
        <th scope="col" class="figure">Users</th>
        <th scope="col" class="figure">Subscriptions</th>
        <th scope="col" class="figure">Snapshots</th>
        <th scope="col" ${byUse ? html`aria-sort="descending"` : undefined}>${renderSort(shown, true, 'Last use')}</th>
        <th scope="col">Expires</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            <th scope="row"><a href="${sandboxUrl(origin, row.name)}">${row.name}</a></th>
            <td data-label="Seed">${row.seed ?? 'none'}</td>
            <td data-label="Users" class="figure">${describeCount(row.users, mostCounted)}</td>
            <td data-label="Subscriptions" class="figure">${describeCount(row.subscriptions, mostCounted)}</td>
            <td data-label="Snapshots" class="figure">${row.snapshots}</td>
            <td data-label="Last use">${renderLastUse(row, services)}</td>
            <td data-label="Expires">${row.expires === null ? 'never' : renderMoment(row.expires)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** @param most as it was asked for */
export const describeCount = (count: number, most: number): string => (count > most ? `over ${most}` : String(count));

const renderSort = (shown: Shown, byUse: boolean, label: string): Html =>
  shown.byUse === byUse || shown.total === 1
    ? html`${label}`
    : html`<a href="${urlOf({ ...shown, byUse, page: 1 })}">${label}</a>`;

function renderPages(shown: Shown): Html | undefined {
  const { page, total } = shown;
  const last = Math.ceil(total / sandboxesPerPage);
  if (last <= 1) return undefined;
  const link = (to: number, label: string) => html`<a href="${urlOf({ ...shown, page: to })}">${label}</a>`;
  return html`<nav class="pager" aria-label="Pages">
    ${page > 1 ? link(page - 1, 'Previous') : undefined}
    <span>Page ${page} of ${last}</span>
    ${page < last ? link(page + 1, 'Next') : undefined}
  </nav>`;
}

function urlOf({ origin, part, byUse, page }: Shown): string {
  const query = new URLSearchParams({
    ...(part !== '' && { name: part }),
    ...(byUse && { sort: 'use' }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return startOf(origin) + (query === '' ? '' : `?${query}`);
}

/** Addresses that people type, and the page that they mean. */
export const redirects: readonly ConsoleRoute[] = [
  { method: 'GET', path: 'console/', handle: async () => ({ redirect: '/_understudy/' }) },
  {
    method: 'GET',
    path: 'console/:name',
    handle: async ({ params }: Visit) => ({ redirect: `/_understudy/console/${params['name'] ?? ''}/` }),
  },
];
