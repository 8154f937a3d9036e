// The browsable page: one request with its response, for people. A pure function of the two.
import { renderAnswer, renderRequest } from './exchange.ts';
import { html, type Html } from './html.ts';
import { renderLayout } from './layout.ts';
import type { BrowsablePage } from './page-contents.ts';
import { absoluteUrl, linksUnder, sandboxPrefix } from './links.ts';
import { renderPages, renderRail, renderTrail } from './navigation.ts';

export { pageHeaders } from './layout.ts';

/** The whole HTML document. To be sent with `pageHeaders`. */
export function renderPage(page: BrowsablePage): string {
  const findLink = linksUnder(page.baseUrl);
  const url = absoluteUrl(page.baseUrl, page.path);
  const isError = page.status >= 400;
  return renderLayout({
    title: `${isError ? `${page.status} ${page.reason} · ` : ''}${page.name} · Understudy`,
    // A sandbox's pages link to its own root, never out of it.
    home: findLink(`${page.baseUrl}${sandboxPrefix(page.baseUrl) === '' ? '/' : '/api/'}`),
    aside: renderWho(page),
    main: html`${renderTrail(page.breadcrumbs, findLink, url)}
      <h1>${page.name}</h1>
      <div class="exchange">
        ${renderRail(page, findLink, url)}
        <div class="main-column">
          ${renderRequest(page, url)} ${renderAnswer(page, findLink)}
          ${renderPages(page, findLink, url, 'Pages, again')}
        </div>
      </div>`,
  });
}

function renderWho(page: BrowsablePage): Html {
  return html`<ul class="who" aria-label="Caller">
    ${page.sandbox === undefined ? undefined : html`<li>sandbox <strong>${page.sandbox}</strong></li>`}
    <li>${page.principal === undefined ? 'no token' : html`as <strong>${page.principal}</strong>`}</li>
  </ul>`;
}
