// The console's start: every sandbox, with what tells it from the others.
import { withQuery } from '../../../http/wire/query-string.ts';
import { html, type Html } from '../../html.ts';
import { renderLink, renderTable } from '../../parts.ts';
import { describeDone, sandboxUrl, startOf } from '../console-frame.ts';
import type { ConsoleServices, Page, Visit } from '../console-page.ts';
import { renderMoment } from '../time-from-now.ts';
import { listSummaries, sandboxesPerPage, type SandboxSummary } from './queries.ts';

const maxCounted = 1000;

interface Shown {
  readonly origin: string;
  readonly part: string;
  readonly byUse: boolean;
  /** From 1. */
  readonly page: number;
  readonly total: number;
}

export async function showList({ origin, query, isSignedIn }: Visit, services: ConsoleServices): Promise<Page> {
  // No name has another character, and PostgreSQL rejects NUL.
  const part = (query['name'] ?? '').trim().toLowerCase().replaceAll('\0', '');
  const byUse = query['sort'] === 'use';
  const page = Math.min(Math.max(1, Math.trunc(Number(query['page'])) || 1), 1_000_000);
  const wanted = { part, by_use: byUse, page: page - 1, most: maxCounted };
  const rows = await listSummaries(services.database.reads, wanted);
  const shown = { origin, part, byUse, page, total: rows[0]?.total ?? 0 };
  return {
    title: 'Sandboxes',
    notice: describeDone(query),
    main: html`<div class="row between">
        <a class="button primary" href="${startOf(origin)}console/new/">Make a sandbox</a>
        <a class="button" href="${startOf(origin)}requests/">Requests of all sandboxes</a>
        ${(shown.total > 10 || part !== '' || page > 1) && renderFilter(shown)}
      </div>
      ${
        rows.length === 0
          ? html`<p>
              ${page > 1 ? `There is no page ${page}.` : 'No sandbox has a name like this.'}
              <a href="${startOf(origin)}">Show all</a>
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

const renderFilter = ({ origin, part, byUse }: Shown): Html =>
  html`<form class="row" method="get" action="${startOf(origin)}" role="search">
    ${byUse && html`<input type="hidden" name="sort" value="use" />`}
    <label for="name">Part of the name</label>
    <input id="name" name="name" type="search" value="${part}" autocomplete="off" spellcheck="false" />
    <button>Filter</button>
  </form>`;

function renderSandboxes(shown: Shown, rows: readonly SandboxSummary[], services: ConsoleServices): Html {
  const { origin, total, page, byUse } = shown;
  const first = (page - 1) * sandboxesPerPage;
  const all = total === 1 ? '1 sandbox' : `${total} sandboxes`;
  const sorted = (label: string, isUse: boolean, direction: string) => {
    const isSorted = isUse === byUse;
    const href = isSorted || total === 1 ? undefined : urlOf({ ...shown, byUse: isUse, page: 1 });
    return html`<th scope="col" ${isSorted && html`aria-sort="${direction}"`}>${renderLink(href, label)}</th>`;
  };
  const renderErrors = (name: string) => {
    const { refused, failed } = services.journal.countErrors(name);
    return (
      [
        ['4xx', refused],
        ['5xx', failed],
      ] as const
    ).map(
      ([status, count]) =>
        html`<td data-label="${status}" class="figure">
          ${renderLink(count > 0 ? `${sandboxUrl(origin, name)}journal/?status=${status}` : undefined, count)}
        </td>`,
    );
  };
  const figures = ['Users', 'Subscriptions', 'Snapshots', '4xx', '5xx'];
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
          <th scope="row"><a href="${sandboxUrl(origin, row.name)}">${row.name}</a></th>
          <td data-label="Seed">${row.seed ?? 'none'}</td>
          <td data-label="Users" class="figure">${describeCount(row.users, maxCounted)}</td>
          <td data-label="Subscriptions" class="figure">${describeCount(row.subscriptions, maxCounted)}</td>
          <td data-label="Snapshots" class="figure">${row.snapshots}</td>
          ${renderErrors(row.name)}
          <td data-label="Last use">${renderLastUse(row, services)}</td>
          <td data-label="Expires">${row.expires === null ? 'never' : renderMoment(row.expires)}</td>
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

function urlOf({ origin, part, byUse, page }: Shown): string {
  const query = new URLSearchParams({
    ...(part !== '' && { name: part }),
    ...(byUse && { sort: 'use' }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return withQuery(startOf(origin), query);
}

/**
 * When it was last used. The database knows it to the minute, by the expiry that a use postpones; this service's
 * journal knows it exactly, as far as it reaches.
 */
export function renderLastUse(summary: SandboxSummary, { expiry, journal }: ConsoleServices): Html {
  const { name, created, renewed } = summary;
  // A use that isn't yet written is at most a minute old.
  const noted = journal.lastAt(name) ?? (expiry.isNoted(name) ? Date.now() : undefined);
  const written = renewed?.valueOf() === created.valueOf() ? undefined : renewed?.valueOf();
  if (noted !== undefined || written !== undefined) return renderMoment(new Date(Math.max(noted ?? 0, written ?? 0)));
  // `default` doesn't expire.
  return renewed === null ? html`none in the journal` : html`not used yet`;
}
