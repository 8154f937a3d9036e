// A page's navigation: breadcrumbs, formats, allowed methods, the pages of a list.
import { parsePairs, replaceQuery } from '../../http/wire/query-string.ts';
import { html, type Html } from '../html.ts';
import { absoluteUrl, type FindLink } from '../links.ts';
import { renderChips, renderLink, renderSection } from '../parts.ts';
import type { BrowsablePage } from './page-contents.ts';

export function renderTrail({ breadcrumbs }: BrowsablePage, findLink: FindLink): Html | undefined {
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

/** Beside the exchange on a wide window, before it on a narrow one. */
export function renderRail(page: BrowsablePage, findLink: FindLink): Html {
  const { allow, below } = page;
  const formats = ['json', 'csv', 'api'].map((format) =>
    renderLink(findLink(queryLink(page, 'format', format)), format, format === 'api', 'true'),
  );
  const paths = below.map(({ href, label }) => renderLink(findLink(href), label));
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
    ${renderPages(page, findLink, 'Pages')}
  </div>`;
}

/** The page's own address with another value of a parameter. */
const queryLink = ({ baseUrl, path, search }: BrowsablePage, name: string, value: string): string =>
  `${absoluteUrl(baseUrl, path)}?${replaceQuery(parsePairs(search), name, value)}`;

/** Nothing for a single page. A gap between two numbers is an ellipsis. */
export function renderPages(page: BrowsablePage, findLink: FindLink, label: string): Html | undefined {
  if (page.pages === undefined || page.pages.total < 2) return undefined;
  const { current, total } = page.pages;
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

/** If there are too many for all: first, last, and those around the current one, ascending. */
export function pageNumbers(current: number, total: number): number[] {
  const around = [1, current - 1, current, current + 1, total];
  // A gap of a single page is filled: its number takes no more room than the ellipsis.
  if (current - 3 === 1) around.push(2);
  if (current + 3 === total) around.push(total - 1);
  return [...new Set(around)].filter((number) => number >= 1 && number <= total).toSorted((a, b) => a - b);
}
