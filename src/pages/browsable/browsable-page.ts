// The browsable page: one request with its response, for people.
import { STATUS_CODES } from '../../base/http-names.ts';
import type { PathTable } from '../../http/path-table.ts';
import type { Exchange as Answered } from '../../http/send.ts';
import { describePage } from './describe/describe-page.ts';
import { pageHeaders } from '../frame/page-headers.ts';
import { renderAnswer, renderNotices, renderRequest, targetOf } from './exchange.ts';
import { html } from '../html.ts';
import { renderLayout } from '../frame/layout.ts';
import type { BrowsablePage, Exchange } from './page-contents.ts';
import { absoluteUrl, linksUnder } from '../links.ts';
import { renderForms } from './render-form.ts';
import { renderPages, renderRail, renderTrail } from './navigation.ts';

interface PageOptions extends Pick<Exchange, 'pageSize' | 'anonymous'> {
  readonly paths: PathTable;
}

/** Makes the page around an answer, with its headers. */
export const pageAround =
  ({ pageSize, anonymous, paths }: PageOptions) =>
  (exchange: Answered) => ({
    content: renderPage(describePage({ ...exchange, pageSize, anonymous }, paths)),
    headers: pageHeaders,
  });

/** The whole HTML document; a pure function. */
export function renderPage(page: BrowsablePage): string {
  const { baseUrl, path, status, name, visitor } = page;
  const findLink = linksUnder(baseUrl);
  const url = absoluteUrl(baseUrl, path);
  return renderLayout({
    title: `${status >= 400 ? `${status} ${STATUS_CODES[status]} · ` : ''}${name} · Understudy`,
    baseUrl,
    section: 'api',
    // A page that a form led to is not read again.
    returnTo: absoluteUrl(baseUrl, targetOf(page)),
    visitor,
    assets: page.forms.length === 0 ? [] : ['send-form.js'],
    main: html`${renderTrail(page, findLink)}
      <h1>${name}</h1>
      <div class="exchange columns">
        ${renderRail(page, findLink)}
        <div class="main-column stack">
          ${renderNotices(page, findLink)} ${renderRequest(page, url)} ${renderForms(page, findLink, url)}
          ${renderAnswer(page, findLink)} ${renderPages(page, findLink, 'Pages, again')}
        </div>
      </div>`,
  });
}
