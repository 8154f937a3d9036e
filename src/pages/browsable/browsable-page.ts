// The browsable page: one request with its response, for people, and its navigation: breadcrumbs, what lies below an
// entry, the pages of a list.
import { STATUS_CODES } from '../../base/http-names.ts';
import type { Exchange } from '../../http/send.ts';
import { replaceQuery, withQuery } from '../../http/wire/query-string.ts';
import { renderLayout } from '../frame/layout.ts';
import { pageHeaders } from '../frame/page-headers.ts';
import { html, type Html } from '../html.ts';
import { renderChips, renderLink } from '../parts.ts';
import { describeForms } from './describe/describe-forms.ts';
import type { PageLink } from './describe/name-path.ts';
import { entriesIn } from './describe/read-answer.ts';
import { renderAnswer, renderNotices } from './exchange.ts';
import { type BrowsablePage, describeExchange, type PageOptions } from './describe/page-contents.ts';
import { renderForms } from './render-form.ts';

export const pageAround = (options: PageOptions) => (exchange: Exchange) => {
  const described = describeExchange(exchange, options);
  return { content: renderPage({ ...described, forms: describeForms(described) }), headers: pageHeaders };
};

function renderPage(page: BrowsablePage): string {
  const { baseUrl, path, paths, status, name, visitor, forms } = page;
  const below = paths.listBelow(path).map((one) => ({ label: one.name, href: baseUrl + one.path }));
  return renderLayout({
    title: status >= 400 ? `${status} ${STATUS_CODES[status] ?? ''} · ${name}` : name,
    baseUrl,
    section: 'api',
    visitor,
    assets: forms.length === 0 ? [] : ['send-form.js'],
    main: html`${renderTrail(page)}
      <h1>${name}</h1>
      ${renderLinks(page, 'Below', below)}
      <div class="exchange stack">
        ${renderNotices(page)} ${renderAnswer(page)} ${renderLinks(page, 'Pages', listPages(page))} ${renderForms(page)}
      </div>`,
  });
}

function renderTrail({ breadcrumbs, findLink }: BrowsablePage): Html | undefined {
  if (breadcrumbs.length === 0) return undefined;
  return html`<nav class="trail" aria-label="Where you are">
    <ol class="row">
      ${breadcrumbs.map((one) => html`<li>${renderLink(findLink(one.href), one.label, one === breadcrumbs.at(-1))}</li>`)}
    </ol>
  </nav>`;
}

const renderLinks = ({ findLink }: BrowsablePage, label: string, links: readonly PageLink[]): Html | undefined =>
  links.length === 0
    ? undefined
    : html`<nav aria-label="${label}">
        ${renderChips(links.map((one) => renderLink(findLink(one.href), one.label)))}
      </nav>`;

/** Nothing for a single page. */
function listPages({ body, url, search }: BrowsablePage): PageLink[] {
  if (entriesIn(body) === undefined) return [];
  const { previous, next } = body as Readonly<Record<string, unknown>>;
  const pageUrl = (page: string) => withQuery(url, replaceQuery(search, 'page', page));
  return [
    { label: 'First', href: previous && pageUrl('1') },
    { label: 'Previous', href: previous },
    { label: 'Next', href: next },
    { label: 'Last', href: next && pageUrl('last') },
  ].filter((link): link is PageLink => typeof link.href === 'string');
}
