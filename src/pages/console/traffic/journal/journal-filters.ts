// The filters of a journal's page: those of the API's list, in a form and as links.
import { checkValue } from '../../../../http/body/check-value.ts';
import type { ErrorLine } from '../../../../base/errors.ts';
import { html, type Html } from '../../../html.ts';
import { JournalQuery } from '../../../../traffic/journal/journal-entries.ts';
import { faultsAt, getFaults, renderField } from '../../fields.ts';

export type Filters = Readonly<Record<string, string>>;

const names = Object.keys(JournalQuery.properties);

/** Those of a query that aren't empty. A page's address may hold other things, which a list in the API rejects. */
export const filtersIn = (query: Filters): Filters =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = query[name]?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );

/** The faults of filters, in the API's words. */
export function findFilterFaults(filters: Filters): readonly ErrorLine[] {
  try {
    checkValue(JournalQuery, filters);
    return [];
  } catch (error) {
    return getFaults(error).lines;
  }
}

/** `?status=4xx&live=off`, or empty. */
export function queryOf(filters: Filters, more: Filters = {}): string {
  const text = new URLSearchParams({ ...filters, ...more }).toString();
  return text === '' ? '' : `?${text}`;
}

const usual: readonly (readonly [string, Filters])[] = [
  ['All', {}],
  ['Rejected, 4xx', { status: '4xx' }],
  ['Failed, 5xx', { status: '5xx' }],
  ['Paths that aren’t served', { unmatched: 'true' }],
];

interface Shown {
  /** The page's URL. */
  readonly url: string;
  readonly filters: Filters;
  readonly faults: readonly ErrorLine[];
  /** What stays in the address besides the filters. */
  readonly more: Filters;
}

export function renderFilters(shown: Shown): Html {
  const { url, filters, more } = shown;
  const chips = usual.map(([label, chosen]) => {
    const href = url + queryOf(chosen, more);
    return queryOf(chosen) === queryOf(filters)
      ? html`<li><a href="${href}" aria-current="true">${label}</a></li>`
      : html`<li><a href="${href}">${label}</a></li>`;
  });
  const isUsual = usual.some(([, chosen]) => queryOf(chosen) === queryOf(filters));
  const fields = html`<summary>Filter</summary>
    <form class="fields" method="get" action="${url}">
      ${Object.entries(more).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      ${texts.map(([name, label, example]) => renderText(name, label, example, shown))}
      <p class="actions"><button>Filter</button> <a href="${url}${queryOf({}, more)}">Show all</a></p>
    </form>`;
  return html`<nav aria-label="Usual filters">
      <ul class="chips">
        ${chips}
      </ul>
    </nav>
    ${isUsual ? html`<details class="narrow">${fields}</details>` : html`<details class="narrow" open>${fields}</details>`}`;
}

const texts: readonly (readonly [string, string, string])[] = [
  ['method', 'Method', 'POST'],
  ['path', 'Path', '/api/users/**'],
  ['query', 'Query contains', 'page=2'],
  ['status', 'Status', '404 or 4xx'],
  ['principal', 'User', 'alice'],
  ['fault', 'Fault', 'its name'],
];

const renderText = (name: string, label: string, example: string, { filters, faults }: Shown): Html =>
  renderField({
    name,
    label,
    faults: faultsAt(faults, name),
    control: (attributes) =>
      html`<input
        value="${filters[name]}"
        placeholder="${example}"
        autocapitalize="none"
        spellcheck="false"
        ${attributes}
      />`,
  });
