// A page's navigation: breadcrumbs, formats, allowed methods, the pages of a list.
import { lastPage, readPageRequest } from '../../http/paginate.ts';
import { parsePairs, parseQuery, replaceQuery } from '../../http/wire/query-string.ts';
import { html, type Html } from '../html.ts';
import { renderChips, renderLink, renderSection } from '../parts.ts';
import { entriesIn } from './describe/read-answer.ts';
import type { BrowsablePage } from './page-contents.ts';

export function renderTrail({ breadcrumbs, findLink }: BrowsablePage): Html | undefined {
  if (breadcrumbs.length === 0) return undefined;
  return html`<nav class="trail" aria-label="Where you are">
    <ol class="row">
      ${breadcrumbs.map(
        ({ href, label }, place) =>
          html`<li>${renderLink(findLink(href), label, place === breadcrumbs.length - 1)}</li>`,
      )}
    </ol>
  </nav>`;
}

export function renderRail(page: BrowsablePage): Html {
  const { allow, baseUrl, path, findLink } = page;
  const formats = ['json', 'csv', 'api'].map((format) =>
    renderLink(findLink(queryLink(page, 'format', format)), format, format === 'api', 'true'),
  );
  const paths = page.paths.listBelow(path).map((below) => renderLink(findLink(baseUrl + below.path), below.name));
  return html`<div class="rail row">
    <nav aria-label="Formats">
      <h2>Format</h2>
      ${renderChips(formats)}
    </nav>
    ${allow.length > 0 && renderSection('methods', 'Allowed', renderChips(allow, 'method'))}
    ${
      paths.length > 0 &&
      html`<nav aria-label="Below">
        <h2>Below</h2>
        ${renderChips(paths)}
      </nav>`
    }
    ${renderPages(page, 'Pages')}
  </div>`;
}

const queryLink = ({ url, search }: BrowsablePage, name: string, value: string): string =>
  `${url}?${replaceQuery(parsePairs(search), name, value)}`;

/** Nothing for a single page. A gap between two numbers is an ellipsis. */
export function renderPages(page: BrowsablePage, label: string): Html | undefined {
  const { body, search, pageSize, findLink } = page;
  if (entriesIn(body) === undefined) return undefined;
  const request = readPageRequest(parseQuery(search), pageSize);
  const total = Math.ceil(Number((body as { count: unknown }).count) / request.size);
  if (total < 2) return undefined;
  const current = request.page === lastPage ? total : request.page;
  return html`<nav class="pages" aria-label="${label}">
    <h2>Page ${current} of ${total}</h2>
    <ul class="chips row">
      ${pageNumbers(current, total).map((number, place, all) => {
        const href = findLink(queryLink(page, 'page', String(number)));
        return html`${place > 0 && number > (all[place - 1] ?? 0) + 1 && html`<li class="gap">…</li>`}
          <li>${renderLink(href, number, number === current)}</li>`;
      })}
    </ul>
  </nav>`;
}

export function pageNumbers(current: number, total: number): number[] {
  const around = [1, current - 1, current, current + 1, total];
  // A gap of a single page is filled: its number takes no more room than the ellipsis.
  if (current - 3 === 1) around.push(2);
  if (current + 3 === total) around.push(total - 1);
  return [...new Set(around)].filter((number) => number >= 1 && number <= total).toSorted((a, b) => a - b);
}
