// Query strings as Weblate reads and writes them: Python's parse_qsl and quote_plus (transcripts
// page__links, page__size-invalid). URLSearchParams differs in `*`, `~` and broken escapes.
import { type Charset, decodeWhole, headerText, readCharset, readMediaType, unescapeRuns } from './media-type.ts';

export const withQuery = (path: string, query: string) => (query === '' ? path : `${path}?${query}`);

/** A query's pairs in their order. A key without `=` has an empty value. Never throws. */
export function parsePairs(query: string, charset?: Charset) {
  const pairs: [key: string, value: string][] = [];
  for (const part of query.split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const [key, value] = at === -1 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
    pairs.push([unquotePlus(key, charset), unquotePlus(value, charset)]);
  }
  return pairs;
}

/** A query's values by key. A repeated key has its last value. */
export function parseQuery(query: string, charset?: Charset) {
  const values: Record<string, string> = Object.create(null);
  for (const [key, value] of parsePairs(query, charset)) values[key] = value;
  return values;
}

/** A query's values in the Content-Type's charset; undefined for UTF-8, which the router reads. */
export function parseQueryIn(query: string, contentType: string | undefined) {
  if (query === '' || contentType === undefined || !/charset/i.test(contentType)) return undefined;
  const charset = readCharset(readMediaType(headerText(contentType)));
  return charset === 'utf8' ? undefined : parseQuery(decodeWhole(Buffer.from(query), charset), charset);
}

/** Sets a key of the query; null removes it. Sorts keys by code point; a key's values keep their order. */
export function replaceQuery(query: string, key: string, value: string | null) {
  const pairs = parsePairs(query).filter(([name]) => name !== key);
  if (value !== null) pairs.push([key, value]);
  // As UTF-8, texts compare by their code points.
  const keyed = pairs.map((pair) => ({ pair, order: Buffer.from(pair[0]) }));
  keyed.sort((a, b) => Buffer.compare(a.order, b.order));
  return keyed.map(({ pair: [name, text] }) => `${quotePlus(name)}=${quotePlus(text)}`).join('&');
}

// As in Python, broken UTF-8 becomes U+FFFD.
function unquotePlus(text: string, charset?: Charset) {
  const spaced = text.replaceAll('+', ' ');
  return spaced.includes('%') ? unescapeRuns(spaced, charset) : spaced;
}

// encodeURIComponent also keeps ! * ' ( ), and throws at lone surrogates. Python's quote_plus keeps
// only _ . - ~.
function quotePlus(text: string) {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!*'()]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
