// The browsable page: one request with its response, for people.
import type { PathTable } from '../../http/path-table.ts';
import type { Exchange as Answered } from '../../http/send.ts';
import { describePage } from './describe/describe-page.ts';
import type { Exchange } from './describe/page-exchange.ts';
import { pageHeaders } from '../frame/page-headers.ts';
import { renderAnswer, renderRequest } from './exchange.ts';
import { html } from '../html.ts';
import { renderLayout } from '../frame/layout.ts';
import type { BrowsablePage } from './page-contents.ts';
import { absoluteUrl, linksUnder } from '../links.ts';
import { renderForms } from './render-form.ts';
import { renderNotices } from './notice.ts';
import { renderPages, renderRail, renderTrail } from './navigation.ts';

interface PageOptions extends Pick<Exchange, 'pageSize' | 'anonymous'> {
  readonly paths: PathTable;
}

/** Makes the page around an answer, with its headers. */
export const pageAround =
  ({ pageSize, anonymous, paths }: PageOptions) =>
  (exchange: Answered) => ({
    content: renderPage(describePage({ ...exchange, pageSize, anonymous }, paths)),
    headers: { ...pageHeaders, 'content-type': 'text/html; charset=utf-8' },
  });

/** The whole HTML document; a pure function. */
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
