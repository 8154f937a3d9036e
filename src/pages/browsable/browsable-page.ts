// The browsable page: one request with its response, for people. A pure function of the two.
import { renderAnswer, renderRequest } from './exchange.ts';
import { html } from '../html.ts';
import { renderLayout } from '../frame/layout.ts';
import type { BrowsablePage } from './page-contents.ts';
import { absoluteUrl, linksUnder } from '../links.ts';
import { renderForms } from './render-form.ts';
import { renderNotices } from './notice.ts';
import { renderPages, renderRail, renderTrail } from './navigation.ts';

/** The whole HTML document. To be sent with `pageHeaders`. */
export function renderPage(page: BrowsablePage): string {
  const findLink = linksUnder(page.baseUrl);
  const url = absoluteUrl(page.baseUrl, page.path);
  const isError = page.status >= 400;
  return renderLayout({
    title: `${isError ? `${page.status} ${page.reason} · ` : ''}${page.name} · Understudy`,
    baseUrl: page.baseUrl,
    section: 'api',
    // A page that a form led to is not read again.
    returnTo: url,
    visitor: page.visitor,
    assets: ['browsable.css', ...(page.forms.length === 0 ? [] : (['send-form.js'] as const))],
    main: html`${renderTrail(page.breadcrumbs, findLink, url)}
      <h1>${page.name}</h1>
      <div class="exchange">
        ${renderRail(page, findLink, url)}
        <div class="main-column">
          ${renderNotices(page, findLink, url)} ${renderRequest(page, url)} ${renderForms(page, findLink, url)}
          ${renderAnswer(page, findLink)} ${renderPages(page, findLink, url, 'Pages, again')}
        </div>
      </div>`,
  });
}
