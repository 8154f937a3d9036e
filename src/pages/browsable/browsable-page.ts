// The browsable page: one request with its response, for people.
import { STATUS_CODES } from '../../base/http-names.ts';
import { decode } from '../../http/edge/repair-url.ts';
import { lastPage, readPageRequest } from '../../http/paginate.ts';
import type { PathTable } from '../../http/path-table.ts';
import type { Exchange as Answered } from '../../http/send.ts';
import { parseQuery, withQuery } from '../../http/wire/query-string.ts';
import { renderLayout } from '../frame/layout.ts';
import { pageHeaders } from '../frame/page-headers.ts';
import { html } from '../html.ts';
import { absoluteUrl, linksUnder } from '../links.ts';
import { advise } from './describe/advise.ts';
import { describeForms } from './describe/describe-forms.ts';
import { describeShape, entriesIn } from './describe/read-answer.ts';
import { renderAnswer, renderNotices, renderRequest } from './exchange.ts';
import { renderPages, renderRail, renderTrail } from './navigation.ts';
import type { BrowsablePage, Exchange, PageLink } from './page-contents.ts';
import { renderForms } from './render-form.ts';

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
    returnTo: absoluteUrl(baseUrl, withQuery(path, page.search)),
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

function describePage(exchange: Exchange, paths: PathTable): BrowsablePage {
  const { baseUrl, path } = exchange;
  const known = paths.find(path) ?? [];
  const body: unknown = exchange.json === null ? undefined : JSON.parse(exchange.json);
  const trail = breadcrumbs(baseUrl, path, paths);
  const forms = describeForms(exchange, known, body);
  return {
    ...exchange,
    headers: Object.entries(exchange.headers).map(([name, value]) => [titleCase(name), value] as const),
    body,
    name: known[0]?.config.view?.name ?? 'Not Found',
    breadcrumbs: trail,
    below: paths.listBelow(path).map((below) => ({ label: below.name, href: baseUrl + below.path })),
    allow: exchange.headers['allow']?.split(', ') ?? [],
    pages: pagesOf(exchange, body),
    notices: advise({ ...exchange, body, forms, trail, paths }),
    forms,
    shape: describeShape(exchange, known),
    entryKey: paths.findEntryKey(path),
  };
}

const titleCase = (name: string) =>
  name
    .replaceAll(/(?:^|-)[a-z]/g, (c) => c.toUpperCase())
    .replace('Www', 'WWW')
    .replace('Ratelimit', 'RateLimit');

// Each prefix of the path that is served by itself is a breadcrumb.
function breadcrumbs(baseUrl: string, path: string, { find }: PathTable): PageLink[] {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.flatMap((part, i) => {
    const prefix = `/${parts.slice(0, i + 1).join('/')}/`;
    const known = find(prefix);
    if (known === undefined && prefix !== path) return [];
    const isName = known?.[0]?.url.split('/').at(-2)?.startsWith(':') === true;
    const label = isName ? (decode(part) ?? part) : (known?.[0]?.config.view?.name ?? part);
    return [{ label, href: baseUrl + prefix }];
  });
}

function pagesOf({ search, pageSize }: Exchange, body: unknown): BrowsablePage['pages'] {
  if (entriesIn(body) === undefined) return undefined;
  const { page, size } = readPageRequest(parseQuery(search), pageSize);
  const total = Math.max(1, Math.ceil(Number((body as { count: unknown }).count) / size));
  return { current: page === lastPage ? total : page, total };
}
