// The contents of a browsable page: a request, its answer, and facts from both.
import type { AnonymousAccess } from '../../access/permissions.ts';
import { baseUrlOf, isSandboxName } from '../../access/which-sandbox.ts';
import type { ErrorLine } from '../../base/errors.ts';
import { safeMethods } from '../../base/http-names.ts';
import { isObject, type JsonObject } from '../../base/json-object.ts';
import { isForm } from '../../http/body/decode.ts';
import type { PathTable } from '../../http/path-table.ts';
import type { Exchange } from '../../http/send.ts';
import { parseQuery, replaceQuery } from '../../http/wire/query-string.ts';
import { bodyOf, numberOf, usernameOf, withoutTokens } from '../../traffic/entry.ts';
import type { Journal } from '../../traffic/journal/journal.ts';
import type { CurlRequest } from '../curl.ts';
import type { Visitor } from '../visitor.ts';
import { jsonText } from '../json.ts';
import { absoluteUrl, linksUnder, rootOf } from '../links.ts';
import { breadcrumbs, namePath } from './name-path.ts';

export interface PageOptions {
  readonly anonymous: AnonymousAccess;
  readonly paths: PathTable;
  readonly journal: Pick<Journal, 'open'>;
}

export type VisitedExchange = Exchange & { readonly visitor: Visitor | undefined };

export type PageContents = ReturnType<typeof describeExchange>;

export function describeExchange(exchange: VisitedExchange, options: PageOptions) {
  const { path, prefix, sandbox, status, json, headers, visitor } = exchange;
  const { paths, anonymous } = options;
  // A browser can't send the header that named the sandbox.
  const isByHeader = prefix === '' && isSandboxName(sandbox);
  const baseUrl = isByHeader ? baseUrlOf(exchange.baseUrl, sandbox) : exchange.baseUrl;
  const known = paths.find(path) ?? [];
  const url = absoluteUrl(baseUrl, path);
  const findLink = linksUnder(baseUrl);
  const entryKey = paths.findEntryKey(path);
  const body = json === null ? undefined : (JSON.parse(json) as unknown);
  const object: JsonObject = isObject(body) ? body : {};
  const { results, errors } = object;
  const isList = 'count' in object && Array.isArray(results);
  const entries: readonly unknown[] | undefined = isList ? results : undefined;
  const admitsAnonymous = (method: string) =>
    safeMethods.has(method) ? anonymous !== 'strict' : anonymous === 'write';
  return {
    ...exchange,
    ...options,
    ...openEntry(exchange, options.journal),
    baseUrl,
    url,
    findLink,
    known,
    entryKey,
    body,
    entries,
    /** The fields of a single entry; empty for lists and errors. */
    entry: status < 400 && entries === undefined ? object : {},
    errors: Array.isArray(errors) && typeof object['type'] === 'string' ? (errors as ErrorLine[]) : [],
    admitsAnonymous,
    consoleUrl: `${rootOf(baseUrl)}/_understudy/console/${encodeURIComponent(sandbox.toWellFormed())}/`,
    name: namePath(known[0], path),
    allow: headers['allow']?.split(', ') ?? [],
    breadcrumbs: breadcrumbs(baseUrl, path, paths),
    /** Adds the visitor's public token, or `$TOKEN`; none without a visitor if the request needs none. */
    withToken(request: CurlRequest) {
      const { username, token = '$TOKEN' } = visitor ?? {};
      const isFree = username === undefined && admitsAnonymous(request.method);
      return { ...request, token: isFree ? undefined : token };
    },
    /** A link to an entry of the list: its own URL, or the list's URL with the entry's key. */
    linkTo({ [entryKey ?? '']: name, url: own }: JsonObject) {
      const isKey = typeof name === 'string' || typeof name === 'number';
      const segment = isKey ? encodeURIComponent(String(name).toWellFormed()) : '';
      // Browsers resolve the segments `.` and `..`.
      const ofList = /^\.{0,2}$/.test(segment) ? '' : `${url}${segment}/`;
      const href = findLink(typeof own === 'string' ? own : ofList);
      return href === undefined ? undefined : { label: `${entryKey} ${String(name)}`, href };
    },
  };
}

/** The query's parameter that names an entry of the journal. The page hides it. */
const parameter = 'understudy_entry';

function openEntry(exchange: VisitedExchange, journal: PageOptions['journal']) {
  const id = parseQuery(exchange.search)[parameter];
  if (id === undefined) return { opened: undefined };
  return {
    search: replaceQuery(exchange.search, parameter, null),
    opened: { id, ...findEntry(id, exchange, journal) },
  };
}

/** The request for a form, or a refusal: only those whom the console admits may see what others sent. */
function findEntry(id: string, { sandbox, visitor }: VisitedExchange, journal: PageOptions['journal']) {
  const kept = journal.open(sandbox).find(numberOf(id) ?? 0);
  if (kept === undefined)
    return { refusal: `The journal of this sandbox has no request ${id}. The forms are as usual.` };
  const sender = usernameOf(kept);
  if ((sender === null || sender !== visitor?.username) && !visitor?.isAdmitted)
    return { refusal: `Only the sender of the request ${id}, or a console user, may open it here.`, sender };
  const { value, reason } = bodyOf(kept);
  if (reason !== undefined) return { refusal: `The request ${id} can’t be opened in a form. ${reason}` };
  // The sent text without tokens; a form's body becomes JSON.
  const isText = !isForm({ contentType: kept.request_headers['content-type'] ?? '' });
  return { method: kept.method, body: isText ? withoutTokens(kept.requestBody ?? '') : jsonText(value) };
}
