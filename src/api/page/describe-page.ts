// The contents of the browsable page around an answer: breadcrumbs, allowed methods, pages and formats.
import { STATUS_CODES } from '../http-names.ts';
import type { Place } from '../access/which-sandbox.ts';
import { type BrowsablePage, type PageLink, pageNumbers } from '../pages/browsable/page-contents.ts';
import { lastPage, readPageRequest } from './paginate.ts';
import type { FindPath } from './path-table.ts';
import { parsePairs, parseQuery, replaceQuery } from './wire/query-string.ts';

interface Exchange extends Place {
  readonly method: string;
  readonly baseUrl: string;
  readonly status: number;
  /** The headers of the JSON answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly json: string | null;
  readonly pageSize: number;
}

export function describePage(exchange: Exchange, find: FindPath): BrowsablePage {
  const { baseUrl, path, search, status } = exchange;
  const known = find(path);
  const body: unknown = exchange.json === null ? undefined : JSON.parse(exchange.json);
  const pages = pageLinksOf(exchange, body);
  return {
    method: exchange.method,
    path: search === '' ? path : `${path}?${search}`,
    status,
    reason: STATUS_CODES[status] ?? '',
    headers: Object.entries(exchange.headers).map(([name, value]) => [titleCase(name), value] as const),
    body,
    baseUrl,
    name: known?.[0]?.config.view?.name ?? 'Not Found',
    breadcrumbs: breadcrumbs(baseUrl, path, find),
    allow: exchange.headers['allow']?.split(', ') ?? [],
    formats: ['json', 'csv', 'api'].map((format) => ({
      label: format,
      href: `${baseUrl}${path}?${replaceQuery(parsePairs(search), 'format', format)}`,
    })),
    ...(pages === undefined ? {} : { pages }),
    examples: Object.fromEntries(
      known?.map(({ method, config: { example } }) => [method, method === 'PUT' ? fill(example, body) : example]) ?? [],
    ),
    ...(exchange.sandbox === 'default' ? {} : { sandbox: exchange.sandbox }),
  };
}

/** The example with the shown object's own values: not all of its fields may be changed, such as an entry's scope. */
function fill(example: unknown, shown: unknown): unknown {
  if (typeof example !== 'object' || example === null || typeof shown !== 'object' || shown === null) return example;
  const values = new Map(Object.entries(shown));
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, values.has(name) ? values.get(name) : value]),
  );
}

const titleCase = (name: string) =>
  name
    .replaceAll(/(?:^|-)[a-z]/g, (c) => c.toUpperCase())
    .replace('Www', 'WWW')
    .replace('Ratelimit', 'RateLimit');

// Each prefix of the path that is served by itself is a breadcrumb.
function breadcrumbs(baseUrl: string, path: string, find: FindPath): PageLink[] {
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
