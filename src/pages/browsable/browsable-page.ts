// The browsable page: one request with its response, for people.
import { STATUS_CODES } from '../../base/http-names.ts';
import { decode } from '../../http/edge/repair-url.ts';
import type { PathTable } from '../../http/path-table.ts';
import type { Exchange } from '../../http/send.ts';
import { renderLayout } from '../frame/layout.ts';
import { pageHeaders } from '../frame/page-headers.ts';
import { html } from '../html.ts';
import { absoluteUrl, linksUnder } from '../links.ts';
import { describeForms } from './describe/describe-forms.ts';
import { renderAnswer, renderNotices, renderRequest } from './exchange.ts';
import { renderPages, renderRail, renderTrail } from './navigation.ts';
import type { BrowsablePage, PageLink, PageOptions } from './page-contents.ts';
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
      <div class="exchange columns">
        ${renderRail(page)}
        <div class="main-column stack">
          ${renderNotices(page)} ${renderRequest(page)} ${renderForms(page)} ${renderAnswer(page)}
          ${renderPages(page, 'Pages, again')}
        </div>
      </div>`,
  });
}

/** From the thing itself to the list that it is in: `7 · Notifications · alice · Users`. */
function titleOf({ status, name, breadcrumbs }: BrowsablePage): string {
  const labels = breadcrumbs.slice(1).map(({ label }) => label);
  const refused = status >= 400 ? [`${status} ${STATUS_CODES[status] ?? ''}`] : [];
  return [...refused, ...(labels.length === 0 ? [name] : labels.toReversed())].join(' · ');
}

function describePage(exchange: Exchange, options: PageOptions): BrowsablePage {
  const { baseUrl, path, json, headers } = exchange;
  const known = options.paths.find(path) ?? [];
  const described = {
    ...exchange,
    ...options,
    url: absoluteUrl(baseUrl, path),
    findLink: linksUnder(baseUrl),
    known,
    name: known[0]?.view?.name ?? 'Not Found',
    allow: headers['allow']?.split(', ') ?? [],
    body: json === null ? undefined : (JSON.parse(json) as unknown),
    breadcrumbs: breadcrumbs(baseUrl, path, options.paths),
  };
  return { ...described, forms: describeForms(described) };
}

// Each prefix of the path that is served by itself is a breadcrumb.
function breadcrumbs(baseUrl: string, path: string, { find }: PathTable): PageLink[] {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.flatMap((part, i) => {
    const prefix = `/${parts.slice(0, i + 1).join('/')}/`;
    const known = find(prefix);
    if (known === undefined && prefix !== path) return [];
    const isName = known?.[0]?.url.split('/').at(-2)?.startsWith(':') === true;
    const label = isName ? (decode(part) ?? part) : (known?.[0]?.view?.name ?? part);
    return [{ label, href: baseUrl + prefix }];
  });
}
