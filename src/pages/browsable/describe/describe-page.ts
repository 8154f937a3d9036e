// The contents of the browsable page around an answer: breadcrumbs, allowed methods, pages and formats.
import { STATUS_CODES } from '../../../base/http-names.ts';
import { type BrowsablePage, type PageLink, pageNumbers } from '../page-contents.ts';
import { lastPage, readPageRequest } from '../../../http/paginate.ts';
import type { PathTable } from '../../../http/path-table.ts';
import { parsePairs, parseQuery, replaceQuery } from '../../../http/wire/query-string.ts';
import { advise } from './advise.ts';
import { describeForms } from './describe-forms.ts';
import { describeShape } from './describe-shape.ts';
import type { Exchange } from './page-exchange.ts';

export function describePage(exchange: Exchange, paths: PathTable): BrowsablePage {
  const { baseUrl, path, search, status, visitor } = exchange;
  const known = paths.find(path) ?? [];
  const body: unknown = exchange.json === null ? undefined : JSON.parse(exchange.json);
  const pages = pageLinksOf(exchange, body);
  const trail = breadcrumbs(baseUrl, path, paths);
  const forms = describeForms(exchange, known, body);
  const entryKey = paths.findEntryKey(path);
  return {
    method: exchange.method,
    path: search === '' ? path : `${path}?${search}`,
    status,
    reason: STATUS_CODES[status] ?? '',
    headers: Object.entries(exchange.headers).map(([name, value]) => [titleCase(name), value] as const),
    body,
    baseUrl,
    name: known[0]?.config.view?.name ?? 'Not Found',
    breadcrumbs: trail,
    below: paths.listBelow(path).map((below) => ({ label: below.name, href: baseUrl + below.path })),
    allow: exchange.headers['allow']?.split(', ') ?? [],
    formats: ['json', 'csv', 'api'].map((format) => ({
      label: format,
      href: `${baseUrl}${path}?${replaceQuery(parsePairs(search), 'format', format)}`,
    })),
    ...(pages === undefined ? {} : { pages }),
    notices: advise(exchange, { body, forms, trail, paths }),
    forms,
    shape: describeShape(exchange, known),
    entryKey,
    anonymous: exchange.anonymous,
    ...(exchange.sandbox === 'default' ? {} : { sandbox: exchange.sandbox }),
    ...(visitor && { visitor }),
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
    const label = isName ? decode(part) : (known?.[0]?.config.view?.name ?? part);
    return [{ label, href: baseUrl + prefix }];
  });
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function pageLinksOf({ baseUrl, path, search, pageSize }: Exchange, body: unknown): BrowsablePage['pages'] {
  if (typeof body !== 'object' || body === null || !('count' in body && 'results' in body)) return undefined;
  const { page, size } = readPageRequest(parseQuery(search), pageSize);
  const total = Math.max(1, Math.ceil(Number(body.count) / size));
  const current = page === lastPage ? total : page;
  const links = pageNumbers(current, total).map((n) => ({
    label: String(n),
    href: `${baseUrl}${path}?${replaceQuery(parsePairs(search), 'page', String(n))}`,
    current: n === current,
  }));
  return { current, total, links };
}
