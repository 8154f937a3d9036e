// A page's navigation: breadcrumbs, what lies below an entry, the pages of a list.
import { lastPage, readPageRequest } from '../../http/paginate.ts';
import { parsePairs, parseQuery, replaceQuery, withQuery } from '../../http/wire/query-string.ts';
import { html, type Html } from '../html.ts';
import { renderChips, renderLink } from '../parts.ts';
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

/** The paths below an entry's. */
export function renderBelow({ paths, path, baseUrl, findLink }: BrowsablePage): Html | undefined {
  const below = paths.listBelow(path).map((one) => renderLink(findLink(baseUrl + one.path), one.name));
  if (below.length === 0) return undefined;
  return html`<nav class="below" aria-label="Below">${renderChips(below)}</nav>`;
}

/** Nothing for a single page. A gap between two numbers is an ellipsis. */
export function renderPages(page: BrowsablePage): Html | undefined {
  const { body, url, search, pageSize, findLink } = page;
  if (entriesIn(body) === undefined) return undefined;
  const request = readPageRequest(parseQuery(search), pageSize);
  const total = Math.ceil(Number((body as { count: unknown }).count) / request.size);
  if (total < 2) return undefined;
  const current = request.page === lastPage ? total : request.page;
  return html`<nav class="pages row" aria-label="Pages">
    <p class="hint">Page ${current} of ${total}</p>
    <ul class="chips row">
      ${pageNumbers(current, total).map((number, place, all) => {
        const href = findLink(withQuery(url, replaceQuery(parsePairs(search), 'page', String(number))));
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
