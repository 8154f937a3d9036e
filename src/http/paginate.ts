// Pagination: the page that a query asks for, and its envelope with links (transcripts page__*).
import { apiError } from '../base/errors.ts';
import { type Answer, type Call, ok } from './call.ts';
import { decode } from './edge/repair-url.ts';
import { pythonInteger } from './wire/python-input.ts';
import { replaceQuery, withQuery } from './wire/query-string.ts';

/** Page and size, as statements take them. Pages are 1 and up, or `lastPage`. */
export type PageParameters = ReturnType<typeof readPageRequest>;

export const lastPage = 0;
const usualPageSize = 50;
const maxPageSize = 1000;
// Stands for all invalid or higher pages. Times maxPageSize, it still fits PostgreSQL's integer.
export const maxPage = 2_000_000;

/**
 * Never throws. An invalid page counts as the highest: its 404 comes after the checks of user and
 * permission (transcript order__page). An invalid size means the default.
 */
export function readPageRequest(query: { page?: string; page_size?: string }) {
  const size = query.page_size === undefined ? undefined : pythonInteger(query.page_size);
  return {
    page: readPage(query.page),
    size: size === undefined || size <= 0 ? usualPageSize : Math.min(size, maxPageSize),
  };
}

function readPage(text: string | undefined) {
  if (text === undefined || text === '') return 1;
  if (text === 'last') return lastPage;
  const page = pythonInteger(text);
  return page === undefined || page < 1 ? maxPage : Math.min(page, maxPage);
}

// Keeps only escapes that a path needs (transcript wire__paths).
function plainPath(path: string) {
  const decoded = decode(path);
  return decoded === undefined ? path : encodeURI(decoded).replaceAll(/[?#;=]/g, encodeURIComponent);
}

/**
 * Weblate's envelope around a page, with absolute links to its neighbours. Throws 404 beyond the last page.
 * An empty list has a page 1.
 * @param results the page's entries as JSON, with commas between
 */
export function answerPage(
  { baseUrl, place: { path, search } }: Pick<Call, 'baseUrl' | 'place'>,
  { page, size }: PageParameters,
  total: number,
  results: string,
): Answer {
  const last = Math.max(1, Math.ceil(total / size));
  if (page > last || page === maxPage) throw apiError('invalid_page');
  const current = page === lastPage ? last : page;
  const link = (number: number) => {
    if (number < 1 || number > last) return 'null';
    const query = replaceQuery(search, 'page', number === 1 ? null : String(number));
    return JSON.stringify(withQuery(`${baseUrl}${path.includes('%') ? plainPath(path) : path}`, query));
  };
  return ok(`{"count":${total},"next":${link(current + 1)},"previous":${link(current - 1)},"results":[${results}]}`);
}
