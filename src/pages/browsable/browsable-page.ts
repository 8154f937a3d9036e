// The browsable page: one request with its response, for people.
import { STATUS_CODES } from '../../base/http-names.ts';
import type { Exchange } from '../../http/send.ts';
import { renderLayout } from '../frame/layout.ts';
import { pageHeaders } from '../frame/page-headers.ts';
import { html } from '../html.ts';
import { absoluteUrl, linksUnder } from '../links.ts';
import { describeForms } from './describe/describe-forms.ts';
import { breadcrumbs, namePath } from './describe/name-path.ts';
import { openEntry, splitQuery } from './describe/open-entry.ts';
import { renderAnswer, renderNotices } from './exchange.ts';
import { renderBelow, renderPages, renderTrail } from './navigation.ts';
import type { BrowsablePage, PageOptions } from './page-contents.ts';
import { renderForms } from './render-form.ts';

export const pageAround = (options: PageOptions) => (exchange: Exchange) => ({
  content: renderPage(describePage(exchange, options)),
  headers: pageHeaders,
});

function renderPage(page: BrowsablePage): string {
  const { baseUrl, name, visitor, forms } = page;
  return renderLayout({
    title: titleOf(page),
    baseUrl,
    section: 'api',
    visitor,
    assets: forms.length === 0 ? [] : ['send-form.js'],
    main: html`${renderTrail(page)}
      <h1>${name}</h1>
      ${renderBelow(page)}
      <div class="exchange stack">
        ${renderNotices(page)} ${renderAnswer(page)} ${renderPages(page)} ${renderForms(page)}
      </div>`,
  });
}

function titleOf({ status, name }: BrowsablePage): string {
  return status >= 400 ? `${status} ${STATUS_CODES[status] ?? ''} · ${name}` : name;
}

function describePage(exchange: Exchange, options: PageOptions): BrowsablePage {
  const { baseUrl, path, json, headers } = exchange;
  const known = options.paths.find(path) ?? [];
  const { search, id } = splitQuery(exchange.search);
  const described = {
    ...exchange,
    ...options,
    search,
    url: absoluteUrl(baseUrl, path),
    findLink: linksUnder(baseUrl),
    known,
    name: namePath(known[0], path),
    opened: id === undefined ? undefined : openEntry(id, exchange, options),
    allow: headers['allow']?.split(', ') ?? [],
    body: json === null ? undefined : (JSON.parse(json) as unknown),
    breadcrumbs: breadcrumbs(baseUrl, path, options.paths),
  };
  return { ...described, forms: describeForms(described) };
}
