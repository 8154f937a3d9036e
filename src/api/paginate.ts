// Pagination: the page that a query requests, and the envelope with its links (transcripts page__*).
import { type Answer, type Call, ok } from './call.ts';
import { apiError } from '../errors.ts';
import { parsePairs, replaceQuery } from './wire/query-string.ts';

/** The requested page: 0 is the last one, undefined one that can't exist. */
export interface PageRequest {
  readonly page: number | undefined;
  readonly size: number;
}

export const maxPageSize = 1000;
export const lastPage = 0;
// Times maxPageSize this is close to PostgreSQL's largest integer; no table has rows beyond it.
const highestPage = 2_000_000;

/**
 * Reads `page` and `page_size`. Never throws: an invalid page is 404 only after the checks of user and permission (transcript
 * order__page), and an invalid size means the default.
 */
export function readPageRequest(query: { page?: string; page_size?: string }, defaultSize: number): PageRequest {
  const size = query.page_size === undefined ? undefined : pythonInteger(query.page_size);
  return {
    page: readPage(query.page),
    size: size === undefined || size <= 0 ? defaultSize : Math.min(size, maxPageSize),
  };
}

function readPage(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return 1;
  if (text === 'last') return lastPage;
  const page = pythonInteger(text);
  return page === undefined || page < 1 ? undefined : Math.min(page, highestPage);
}

// What Python's int() accepts: surrounding white space, a sign, digits of any script, single underscores between them. Its white space
// includes U+0085 and not U+FEFF, unlike JavaScript's.
const integer = /^[\s\x85]*([+-]?)(\p{Nd}+(?:_\p{Nd}+)*)[\s\x85]*$/u;

function pythonInteger(text: string): number | undefined {
  const match = text.includes('\uFEFF') ? null : integer.exec(text);
  if (match === null) return undefined;
  const digits = (match[2] as string).replaceAll('_', '').replace(/\P{ASCII}/gu, (digit) => String(digitValue(digit)));
  return Number(`${match[1]}${digits}`);
}

// Unicode has the digits of every script in runs of ten from its zero; adjoining runs keep that alignment.
function digitValue(digit: string): number {
  const point = digit.codePointAt(0) as number;
  let first = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return (point - first) % 10;
}

export interface PageLinks {
  readonly next: string | null;
  readonly previous: string | null;
}

/** An existing page: its number, entries a page, entries in all. */
export interface PageFound {
  readonly page: number;
  readonly size: number;
  readonly total: number;
}

/**
 * The absolute links to the pages before and after.
 * @param url the collection's absolute URL without a query
 * @param query the request's raw query, without `?`
 */
export function pageLinks(url: string, query: string, { page, size, total }: PageFound): PageLinks {
  const hasNext = page * size < total;
  if (!hasNext && page === 1) return { next: null, previous: null };
  const pairs = parsePairs(query);
  const link = (number: number) => {
    const replaced = replaceQuery(pairs, 'page', number === 1 ? null : String(number));
    return replaced === '' ? url : `${url}?${replaced}`;
  };
  return { next: hasNext ? link(page + 1) : null, previous: page > 1 ? link(page - 1) : null };
}

/**
 * The requested page's number. Throws 404 `Invalid page.` for one that can't exist or lies beyond the last one. Page 1 of an empty list
 * exists.
 */
export function findPageNumber({ page, size }: PageRequest, total: number): number {
  const last = Math.max(1, Math.ceil(total / size));
  if (page === undefined || page > last) throw apiError('invalid_page');
  return page === lastPage ? last : page;
}

/**
 * The collection envelope of specification 2.2 around one page. Throws 404 if there is no such page.
 * @param results the page's entries as JSON text, with commas between
 */
export function answerPage(call: Call, request: PageRequest, total: number, results: string): Answer {
  const page = findPageNumber(request, total);
  const { next, previous } = pageLinks(call.baseUrl + call.path, call.search, { page, size: request.size, total });
  return ok(`{"count":${total},"next":${link(next)},"previous":${link(previous)},"results":[${results}]}`);
}

const link = (url: string | null): string => (url === null ? 'null' : JSON.stringify(url));
