// The filters of a journal's page: those of the API's list, in a form and as links.
import { checkValue } from '../../../http/body/check-value.ts';
import { withQuery } from '../../../http/wire/query-string.ts';
import type { ErrorLine } from '../../../base/errors.ts';
import { html, type Html } from '../../html.ts';
import { JournalQuery } from '../../../traffic/journal/journal-entries.ts';
import { renderChips, renderField, renderLink, renderNameInput } from '../../parts.ts';
import { faultsAt, getFaults } from '../read-form.ts';

export type Filters = Readonly<Record<string, string>>;

/**
 * The filters that aren't empty, and what is searched for: everything if a filter is wrong. A page's address may hold other
 * things, which a list in the API rejects.
 */
export function readFilters(query: Filters): { filters: Filters; wanted: JournalQuery; faults: readonly ErrorLine[] } {
  const given = Object.keys(JournalQuery.properties).map((name) => [name, query[name]?.trim() ?? ''] as const);
  const filters = Object.fromEntries(given.filter(([, value]) => value !== ''));
  try {
    return { filters, wanted: checkValue(JournalQuery, filters), faults: [] };
  } catch (error) {
    return { filters, wanted: {}, faults: getFaults(error).lines };
  }
}

/** The page at a URL with these filters: `…?status=4xx&live=off`. */
export const filtered = (url: string, filters: Filters, more: Filters = {}): string =>
  withQuery(url, new URLSearchParams({ ...filters, ...more }).toString());

const usual: readonly (readonly [string, Filters])[] = [
  ['All', {}],
  ['Rejected, 4xx', { status: '4xx' }],
  ['Failed, 5xx', { status: '5xx' }],
  ['Paths that aren’t served', { unmatched: 'true' }],
];

/**
 * @param url the page's
 * @param more what stays in the address besides the filters
 */
export function renderFilters(url: string, filters: Filters, more: Filters, faults: readonly ErrorLine[]): Html {
  const isChosen = (some: Filters) => filtered('', some) === filtered('', filters);
  return html`<nav aria-label="Usual filters">
      ${renderChips(usual.map(([label, some]) => renderLink(filtered(url, some, more), label, isChosen(some), 'true')))}
    </nav>
    <details class="narrow" ${!usual.some(([, some]) => isChosen(some)) && html`open`}>
      <summary>Filter</summary>
      <form class="filters row" method="get" action="${url}">
        ${Object.entries(more).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        ${texts.map(([name, label, example]) =>
          renderField({
            id: name,
            label,
            faults: faultsAt(faults, name),
            control: (attributes) =>
              renderNameInput(html`${attributes} name="${name}" placeholder="${example}"`, filters[name]),
          }),
        )}
        <p class="actions row"><button>Filter</button> <a href="${filtered(url, {}, more)}">Show all</a></p>
      </form>
    </details>`;
}

const texts: readonly (readonly [string, string, string])[] = [
  ['method', 'Method', 'POST'],
  ['path', 'Path', '/api/users/**'],
  ['query', 'Query contains', 'page=2'],
  ['status', 'Status', '404 or 4xx'],
  ['principal', 'User', 'alice'],
  ['fault', 'Fault', 'its name'],
];
