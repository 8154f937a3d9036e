// The filters of a page of requests: those of the API's list and the page's own, in a form and as links.
import { Type } from '@sinclair/typebox';
import { html, type Html } from '../../html.ts';
import { AllQuery, noSandbox } from '../../../traffic/journal/journal-schemas.ts';
import { strays } from '../../../traffic/journal/journal.ts';
import { words } from '../../../traffic/request-match.ts';
import { renderChips, renderLink, renderNameInput } from '../../parts.ts';
import { renderOwnField, urlWith, type Visit } from '../console-page.ts';

export type Filters = Readonly<Record<string, string>>;

/** With `live=off`, and `from=all` to show what pages sent too. */
export const PageQuery = Type.Partial(Type.Object({ ...AllQuery.properties, from: words(''), live: words('') }));

/** Those that aren't empty. A page's address may hold other things, which a list in the API rejects. */
export function readFilters(query: Filters): Filters {
  const given = Object.keys(PageQuery.properties).map((name) => [name, query[name]?.trim() ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

const usual: readonly (readonly [string, Filters])[] = [
  ['All', {}],
  ['Rejected, 4xx', { status: '4xx' }],
  ['Failed, 5xx', { status: '5xx' }],
  ['Paths that aren’t served', { unmatched: 'true' }],
  ['Reached no sandbox', { sandbox: noSandbox }],
];

/** @param url the page's */
export function renderFilters(url: string, filters: Filters, visit: Visit): Html {
  const isOfAll = visit.sandbox === strays;
  const { from = '', live = '' } = filters;
  const linkTo = (some: Filters) => urlWith(url, { ...some, from, live });
  const isChosen = (some: Filters) => linkTo(some) === linkTo(filters);
  const chips = isOfAll ? usual : usual.slice(0, -1);
  return html`<nav aria-label="Usual filters">
      ${renderChips([
        ...chips.map(([label, some]) => renderLink(linkTo(some), label, isChosen(some), 'true')),
        renderLink(urlWith(url, { ...filters, from: from === '' ? 'all' : '' }), 'Clients only', from === '', 'true'),
      ])}
    </nav>
    <details class="narrow" ${!chips.some(([, some]) => isChosen(some)) && html`open`}>
      <summary>Filter</summary>
      <form class="filters row" method="get" action="${url}">
        ${Object.entries({ from, live }).map(
          ([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}" />`,
        )}
        ${(isOfAll ? texts : texts.slice(0, -1)).map(([name, label, example]) =>
          renderOwnField(visit, {
            id: name,
            label,
            control: renderNameInput(filters[name], html`placeholder="${example}"`),
          }),
        )}
        <p class="actions row"><button>Filter</button> <a href="${linkTo({})}">Show all</a></p>
      </form>
    </details>`;
}

const texts: readonly (readonly [string, string, string])[] = [
  ['text', 'Contains', 'a word of a body, header or error'],
  ['method', 'Method', 'POST'],
  ['path', 'Path', '/api/users/**'],
  ['query', 'Query contains', 'page=2'],
  ['status', 'Status', '404 or 4xx'],
  ['principal', 'User', 'alice'],
  ['fault', 'Fault', 'its name'],
  ['sandbox', 'Sandbox', 'job-17, or - for none'],
];
