// The filters of a page of requests: those of the API's list and the page's own, in a form and as links.
import { type Static, Type } from '@sinclair/typebox';
import { checkValue } from '../../../http/body/check-value.ts';
import { withQuery } from '../../../http/wire/query-string.ts';
import type { ErrorLine } from '../../../base/errors.ts';
import { html, type Html } from '../../html.ts';
import { JournalQuery } from '../../../traffic/journal/journal-entries.ts';
import { words } from '../../../traffic/request-match.ts';
import { renderChips, renderField, renderLink, renderNameInput } from '../../parts.ts';
import { faultsAt, getFaults } from '../read-form.ts';

export type Filters = Readonly<Record<string, string>>;

/** With `live=off`, and `from=all` to show what pages sent too. */
const PageQuery = Type.Partial(
  Type.Object({ ...JournalQuery.properties, sandbox: words(''), from: words(''), live: words('') }),
);

/** As the filter `sandbox`, on the page of all: of requests that reached none. */
export const noSandbox = '-';

/**
 * The filters that aren't empty, and what is searched for: everything if a filter is wrong. A page's address may hold other
 * things, which a list in the API rejects.
 */
export function readFilters(query: Filters) {
  const given = Object.keys(PageQuery.properties).map((name) => [name, query[name]?.trim() ?? ''] as const);
  const filters: Filters = Object.fromEntries(given.filter(([, value]) => value !== ''));
  const wanted: Static<typeof PageQuery> = {};
  const faults: readonly ErrorLine[] = [];
  try {
    return { filters, wanted: checkValue(PageQuery, filters), faults };
  } catch (error) {
    return { filters, wanted, faults: getFaults(error).lines };
  }
}

/** The page at a URL with these filters, without empty ones: `…?status=4xx&live=off`. */
export const filtered = (url: string, filters: Filters): string =>
  withQuery(url, new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')).toString());

const usual: readonly (readonly [string, Filters])[] = [
  ['All', {}],
  ['Rejected, 4xx', { status: '4xx' }],
  ['Failed, 5xx', { status: '5xx' }],
  ['Paths that aren’t served', { unmatched: 'true' }],
  ['Reached no sandbox', { sandbox: noSandbox }],
];

/**
 * @param url the page's
 * @param isOfAll whether the page is of all sandboxes
 */
export function renderFilters(url: string, filters: Filters, faults: readonly ErrorLine[], isOfAll: boolean): Html {
  const { from = '', live = '' } = filters;
  const linkTo = (some: Filters) => filtered(url, { ...some, from, live });
  const isChosen = (some: Filters) => linkTo(some) === linkTo(filters);
  const chips = isOfAll ? usual : usual.slice(0, -1);
  return html`<nav aria-label="Usual filters">
      ${renderChips([
        ...chips.map(([label, some]) => renderLink(linkTo(some), label, isChosen(some), 'true')),
        renderLink(filtered(url, { ...filters, from: from === '' ? 'all' : '' }), 'Clients only', from === '', 'true'),
      ])}
    </nav>
    <details class="narrow" ${!chips.some(([, some]) => isChosen(some)) && html`open`}>
      <summary>Filter</summary>
      <form class="filters row" method="get" action="${url}">
        ${Object.entries({ from, live }).map(
          ([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}" />`,
        )}
        ${(isOfAll ? texts : texts.slice(0, -1)).map(([name, label, example]) =>
          renderField({
            id: name,
            label,
            faults: faultsAt(faults, name),
            control: (attributes) =>
              renderNameInput(html`${attributes} name="${name}" placeholder="${example}"`, filters[name]),
          }),
        )}
        <p class="actions row"><button>Filter</button> <a href="${linkTo({})}">Show all</a></p>
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
  ['sandbox', 'Sandbox', 'job-17, or - for none'],
];
