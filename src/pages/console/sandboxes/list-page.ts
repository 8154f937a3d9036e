// The console's start: every sandbox, with what tells it from the others.
import { findSandboxId } from '../../../access/queries.ts';
import { isSandboxName } from '../../../access/which-sandbox.ts';
import { html, type Html, type Piece } from '../../html.ts';
import { pathIn, pathUnder } from '../../links.ts';
import { renderLink, renderTable } from '../../parts.ts';
import { type ConsoleServices, type Handle, type Page, sandboxUrl, urlWith, type Visit } from '../console-page.ts';
import { renderMoment } from '../time-from-now.ts';
import { allPath } from '../traffic/journal-page.ts';
import { listStates, mostListed, sandboxesPerPage, type SandboxState } from './queries.ts';
import { describeDone } from './sandbox-acts.ts';

export async function showList({ start, query, isSignedIn }: Visit, services: ConsoleServices): Promise<Page> {
  // No name has another character, and PostgreSQL rejects NUL.
  const part = (query['name'] ?? '').trim().toLowerCase().replaceAll('\0', '');
  const page = Math.min(Math.max(1, Math.trunc(Number(query['page'])) || 1), 1_000_000);
  const rows = await listStates(services.database.read, { part, page: page - 1 });
  const total = rows[0]?.total ?? 0;
  const last = Math.ceil(total / sandboxesPerPage);
  const first = (page - 1) * sandboxesPerPage;
  const all = total === 1 ? '1 sandbox' : `${total} sandboxes`;
  const renderPageLink = (to: number, label: string) =>
    html`<a href="${urlWith(start, { name: part, page: `${to}` })}">${label}</a>`;
  return {
    title: 'Sandboxes',
    notice: describeDone(query),
    main: html`<div class="row between">
        <a class="button primary" href="${start}console/new/">Make a sandbox</a>
        <a class="button" href="${start}${allPath}">Requests of all sandboxes</a>
        ${
          (total > 10 || part !== '' || page > 1) &&
          html`<form class="row" method="get" action="${start}" role="search">
            <label for="name">Part of the name</label>
            <input id="name" name="name" type="search" value="${part}" autocomplete="off" spellcheck="false" />
            <button>Filter</button>
          </form>`
        }
      </div>
      ${
        rows.length === 0
          ? html`<p>
              ${page > 1 ? `There is no page ${page}.` : 'No sandbox has a name like this.'}
              <a href="${start}">Show all</a>
            </p>`
          : renderTable({
              caption: last === 1 ? all : `Sandboxes ${first + 1} to ${first + rows.length} of ${total}`,
              heads: [
                'Name',
                'Seed',
                ...figures.map((label) => html`<th scope="col" class="figure">${label}</th>`),
                'Last use',
                'Expires',
              ],
              rows: rows.map((row) => renderRow(sandboxUrl(start, row.name), row, services)),
            })
      }
      ${
        last > 1 &&
        html`<nav class="row" aria-label="Pages">
          ${page > 1 && renderPageLink(page - 1, 'Previous')}
          <span>Page ${page} of ${last}</span>
          ${page < last && renderPageLink(page + 1, 'Next')}
        </nav>`
      }
      ${
        !isSignedIn &&
        html`<p class="hint">
          Every client that reaches this address can use the console. With UNDERSTUDY_ADMIN_TOKEN, it asks for that
          token.
        </p>`
      }`,
  };
}

const figures = ['Users', 'Subscriptions', 'Snapshots', '4xx', '5xx'];

function renderRow(url: string, row: SandboxState, services: ConsoleServices): Html {
  const counts = services.journal.countByStatus(row.name);
  const renderErrors = (status: '4xx' | '5xx') =>
    renderLink(counts[status] > 0 ? `${url}journal/?status=${status}` : undefined, counts[status]);
  const cells: Record<string, Piece> = {
    Seed: row.seed ?? 'none',
    Users: describeCount(row.users, mostListed),
    Subscriptions: describeCount(row.subscriptions, mostListed),
    Snapshots: row.snapshots.length,
    '4xx': renderErrors('4xx'),
    '5xx': renderErrors('5xx'),
    'Last use': renderLastUse(row, services),
    Expires: row.expires === null ? 'never' : renderMoment(row.expires),
  };
  return html`<tr>
    <th scope="row"><a href="${url}">${row.name}</a></th>
    ${Object.entries(cells).map(
      ([label, cell]) =>
        html`<td data-label="${label}" ${figures.includes(label) && html`class="figure"`}>${cell}</td>`,
    )}
  </tr>`;
}

export const describeCount = (count: number, most: number): string => (count > most ? `over ${most}` : String(count));

/** When it was last used: the journal knows it exactly, as far as it reaches. */
export function renderLastUse({ name, renewed, expires }: SandboxState, { expiry, journal }: ConsoleServices): Html {
  // A use that isn't yet written is at most a minute old.
  const noted = journal.lastAt(name) ?? (expiry.isNoted(name) ? Date.now() : 0);
  const last = Math.max(noted, renewed?.valueOf() ?? 0);
  if (last > 0) return renderMoment(new Date(last));
  // `default` doesn't expire.
  return expires === null ? html`none in the journal` : html`not used yet`;
}

/**
 * From a name that was typed into the header of a page to the same page of that sandbox. A name that no sandbox has
 * leads to the list of those that have it in theirs.
 */
export const goToSandbox: Handle = async ({ origin, start, query }, { database }) => {
  const { sandbox = '', from } = query;
  const name = sandbox.trim();
  if (isSandboxName(name) && (await findSandboxId(database.read, name)) !== undefined)
    return { redirect: origin + pathIn(name, pathUnder(origin, from) ?? '/_understudy/') };
  return { redirect: urlWith(start, { name }) };
};
