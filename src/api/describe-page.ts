// The contents of the browsable page around an answer: breadcrumbs, allowed methods, pages and formats.
import { STATUS_CODES } from 'node:http';
import { type BrowsablePage, type PageLink, pageNumbers } from '../pages/page-contents.ts';
import { readPageRequest } from './paginate.ts';
import type { PathTable } from './path-table.ts';
import { parsePairs, parseQuery, replaceQuery } from './wire/query-string.ts';

export interface Exchange {
  readonly method: string;
  readonly baseUrl: string;
  /** Under the base, without the query. */
  readonly path: string;
  readonly search: string;
  readonly status: number;
  /** The headers of the JSON answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly json: string | null;
  readonly sandbox: string;
  readonly pageSize: number;
}

export function describePage(exchange: Exchange, table: PathTable): BrowsablePage {
  const { baseUrl, path, search, status } = exchange;
  const known = table.find(path);
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
    name: known?.operations[0]?.config.view?.name ?? 'Not Found',
    breadcrumbs: breadcrumbs(baseUrl, path, table),
    allow: exchange.headers['allow']?.split(', ') ?? [],
    formats: ['json', 'csv', 'api'].map((format) => ({
      label: format,
      href: `${baseUrl}${path}?${replaceQuery(parsePairs(search), 'format', format)}`,
      ...(format === 'api' ? { current: true } : {}),
    })),
    ...(pages === undefined ? {} : { pages }),
    examples: Object.fromEntries(known?.operations.map(({ method, config }) => [method, config.example]) ?? []),
    ...(exchange.sandbox === 'default' ? {} : { sandbox: exchange.sandbox }),
  };
}

const titleCase = (name: string) =>
  name.startsWith('x-ratelimit') || name === 'www-authenticate'
    ? name
        .replace('www', 'WWW')
        .replaceAll(/(^|-)[a-z]/g, (c) => c.toUpperCase())
        .replace('Ratelimit', 'RateLimit')
    : name.replaceAll(/(^|-)[a-z]/g, (c) => c.toUpperCase());

// Each prefix of the path that is served by itself is a breadcrumb.
function breadcrumbs(baseUrl: string, path: string, table: PathTable): PageLink[] {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.flatMap((part, i) => {
    const prefix = `/${parts.slice(0, i + 1).join('/')}/`;
    const known = table.find(prefix);
    if (known === undefined && prefix !== path) return [];
    const isName = known?.url.split('/').at(-2)?.startsWith(':') === true;
    const label = isName ? decode(part) : (known?.operations[0]?.config.view?.name ?? part);
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

interface Envelope {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: unknown[];
}

const isEnvelope = (body: unknown): body is Envelope =>
  typeof body === 'object' && body !== null && 'count' in body && 'results' in body;

function pageLinksOf(exchange: Exchange, body: unknown): BrowsablePage['pages'] {
  if (!isEnvelope(body)) return undefined;
  const { baseUrl, path, search } = exchange;
  const { page, size } = readPageRequest(parseQuery(search), exchange.pageSize);
  const total = Math.max(1, Math.ceil(body.count / size));
  const current = page === undefined || page === 0 ? total : page;
  const links = pageNumbers(current, total).map((n) => ({
    label: String(n),
    href: `${baseUrl}${path}?${replaceQuery(parsePairs(search), 'page', String(n))}`,
    ...(n === current ? { current: true } : {}),
  }));
  return { current, total, links };
}
