// Content types as Weblate reads them: media types by Python's email package, which takes any text, and
// charsets by Python's names (transcripts wire__accept, wire__content-type, wire__charset).
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { apiError } from '../../base/errors.ts';
import { attempt } from '../../base/failure.ts';

export type MediaType = ReturnType<typeof readMediaType>;

/** Longer types match nothing. */
export const maxMediaTypeLength = 256;

/** Never throws. If the text is no media type, the result matches nothing. */
export function readMediaType(text: string) {
  const [range = '', ...rest] = splitParameters(text);
  /** Names before `=` are in lower case. A repeated name has its last value. */
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const at = part.indexOf('=');
    const name = at === -1 ? part.trim() : part.slice(0, at).trim().toLowerCase();
    const value = at === -1 ? '' : unquote(part.slice(at + 1).trim());
    // RFC 2231: name*=charset'language'escaped
    const escaped = name.endsWith('*') ? /^[^']*'[^']*'(.*)$/s.exec(value)?.[1] : undefined;
    if (escaped !== undefined) parameters.set(name.slice(0, -1), unescapeRuns(escaped));
    else if (name !== '') parameters.set(name, value);
  }
  // If parameters follow the range, the range ends before its first `=`.
  const name = (rest.length > 0 ? range.split('=', 1)[0]! : range).trim().toLowerCase();
  const [type = '', ...subtype] = name.split('/');
  return { type, subtype: subtype.join('/'), parameters };
}

/** Whether a range, maybe with wildcards, covers a type such as `text/csv`. */
export const covers = ({ type, subtype }: MediaType, whole: string) =>
  (type === '*' || whole.startsWith(`${type}/`)) && (subtype === '*' || whole.endsWith(`/${subtype}`));

/** A header's value as Weblate's server passes it on: empty if a character is beyond ASCII. */
export const headerText = (value: string) => (/[^\t\x20-\x7e]/.test(value) ? '' : value);

// Splits at semicolons, except within quotes.
function splitParameters(text: string) {
  const parts: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '"' && text[i - 1] !== '\\') isQuoted = !isQuoted;
    else if (text[i] === ';' && !isQuoted) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...parts, text.slice(start)];
}

const unquote = (text: string) =>
  /^".*"$/s.test(text) && text.length > 1 ? text.slice(1, -1).replaceAll(/\\([\\"])/g, '$1') : text;

export type Charset = 'utf8' | 'latin1';

/** Throws 400 for any charset but these. */
export function readCharset({ parameters }: MediaType): Charset {
  const given = parameters.get('charset') ?? '';
  const name = given.toLowerCase().replaceAll('_', '-');
  if (['', 'utf-8', 'utf8'].includes(name)) return 'utf8';
  if (['latin-1', 'latin1', 'iso-8859-1', 'iso8859-1', 'l1'].includes(name)) return 'latin1';
  throw apiError('charset_unsupported', given);
}

/** A query's or form's text: as Latin-1 if bytes are invalid in the charset, or end amid a character. */
export const decodeWhole = (bytes: Buffer, charset: Charset) =>
  bytes.toString(charset === 'utf8' && !isUtf8(bytes) ? 'latin1' : charset);

/** Decodes escapes such as `%C3%A4`, adjoining ones together. Broken escapes stay. */
export const unescapeRuns = (text: string, charset?: Charset) =>
  text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString(charset));

/** Throws in Python's words for invalid bytes. Leaves out a character that the end cuts off. */
export function decodeText(bytes: Buffer, charset: Charset) {
  if (charset === 'latin1' || isUtf8(bytes)) return bytes.toString(charset);
  const strict = { fatal: true, ignoreBOM: true };
  const textUntil = (end: number) =>
    attempt(() => new TextDecoder('utf-8', strict).decode(bytes.subarray(0, end), { stream: true }));
  // A binary search for the first invalid byte, which the decoder doesn't tell.
  let [sound, broken] = [0, bytes.length + 1];
  while (broken - sound > 1) {
    const middle = Math.floor((sound + broken) / 2);
    if (textUntil(middle) === undefined) broken = middle;
    else sound = middle;
  }
  const text = textUntil(sound) ?? '';
  if (sound === bytes.length) return text;
  const start = Buffer.byteLength(text);
  const what =
    sound - start > 1
      ? `bytes in position ${start}-${sound - 1}`
      : `byte 0x${bytes.toString('hex', start, start + 1)} in position ${start}`;
  throw new Error(`'utf-8' codec can't decode ${what}: invalid ${sound > start ? 'continuation' : 'start'} byte`);
}

const token = "[!#$%&'*+.^`|~\\w-]+";
const mediaType = new RegExp(`^${token}/${token}[ \\t]*(?:;|$)`);

/**
 * Replaces a Content-Type that is no media type with one that Fastify accepts. Weblate rejects such a type
 * only if there is a body, and after it checked the permission (transcript wire__content-type).
 */
export function hideOddContentType({ method, headers }: IncomingMessage) {
  const type = headers['content-type'];
  // Fastify rejects the method QUERY without a Content-Type.
  if (type === undefined ? method === 'QUERY' : !mediaType.test(type))
    headers['content-type'] = 'application/octet-stream';
}
