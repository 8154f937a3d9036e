// The contents of the browsable page around an answer: breadcrumbs, allowed methods and pages.
import type { BrowsablePage, Exchange, PageLink } from '../page-contents.ts';
import { lastPage, readPageRequest } from '../../../http/paginate.ts';
import type { PathTable } from '../../../http/path-table.ts';
import { decode } from '../../../http/edge/repair-url.ts';
import { parseQuery } from '../../../http/wire/query-string.ts';
import { advise } from './advise.ts';
import { describeForms } from './describe-forms.ts';
import { describeShape, entriesIn } from './read-answer.ts';

export function describePage(exchange: Exchange, paths: PathTable): BrowsablePage {
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
