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

const PageQuery = Type.Object({ ...JournalQuery.properties, sandbox: words('On the page of all requests.') });

/** As the filter `sandbox`: of requests that reached none. */
export const noSandbox = '-';

interface Read {
  /** Those that aren't empty. */
  readonly filters: Filters;
  /** What is searched for: everything if a filter is wrong. */
  readonly wanted: Static<typeof PageQuery>;
  readonly faults: readonly ErrorLine[];
  /** What else stays in the page's address: `live=off`, and `from=all` to show what pages sent. */
  readonly more: Filters;
}

/** A page's address may hold other things, which a list in the API rejects. */
export function readFilters(query: Filters): Read {
  const given = Object.keys(PageQuery.properties).map((name) => [name, query[name]?.trim() ?? ''] as const);
  const filters = Object.fromEntries(given.filter(([, value]) => value !== ''));
  const more = Object.fromEntries(
    Object.entries({ live: 'off', from: 'all' }).filter(([name, value]) => query[name] === value),
  );
  try {
    return { filters, wanted: checkValue(PageQuery, filters), faults: [], more };
  } catch (error) {
    return { filters, wanted: {}, faults: getFaults(error).lines, more };
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
const ofAll = [...usual, ['Reached no sandbox', { sandbox: noSandbox }]] as const;

interface Shown extends Omit<Read, 'wanted'> {
  /** The page's, without a query. */
  readonly url: string;
  readonly isOfAll: boolean;
}

export function renderFilters({ url, filters, more, faults, isOfAll }: Shown): Html {
  const isChosen = (some: Filters) => filtered('', some) === filtered('', filters);
  const { from, ...rest } = more;
  const chips = isOfAll ? ofAll : usual;
  const clients = filtered(url, filters, from === undefined ? { ...rest, from: 'all' } : rest);
  return html`<nav aria-label="Usual filters">
      ${renderChips([
        ...chips.map(([label, some]) => renderLink(filtered(url, some, more), label, isChosen(some), 'true')),
        renderLink(clients, 'Clients only', from === undefined, 'true'),
      ])}
    </nav>
    <details class="narrow" ${!chips.some(([, some]) => isChosen(some)) && html`open`}>
      <summary>Filter</summary>
      <form class="filters row" method="get" action="${url}">
        ${Object.entries(more).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        ${(isOfAll ? [...texts, ofSandbox] : texts).map(([name, label, example]) =>
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
const ofSandbox = ['sandbox', 'Sandbox', 'job-17, or - for none'] as const;
