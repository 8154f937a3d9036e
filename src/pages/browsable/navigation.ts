// A page's navigation: breadcrumbs, what lies below an entry, the pages of a list.
import { parsePairs, replaceQuery, withQuery } from '../../http/wire/query-string.ts';
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
  return html`<nav aria-label="Below">${renderChips(below)}</nav>`;
}

/** Nothing for a single page. */
export function renderPages({ body, url, search, findLink }: BrowsablePage): Html | undefined {
  if (entriesIn(body) === undefined) return undefined;
  const { previous, next } = body as Readonly<Record<string, unknown>>;
  const pageUrl = (page: string) => withQuery(url, replaceQuery(parsePairs(search), 'page', page));
  const links = [
    ...(typeof previous === 'string' ? [['First', pageUrl('1')] as const, ['Previous', previous] as const] : []),
    ...(typeof next === 'string' ? [['Next', next] as const, ['Last', pageUrl('last')] as const] : []),
  ];
  if (links.length === 0) return undefined;
  const chips = links.map(([label, href]) => renderLink(findLink(href), label));
  return html`<nav aria-label="Pages">${renderChips(chips)}</nav>`;
}
