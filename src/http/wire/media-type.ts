// Media types in Accept and Content-Type as Weblate reads them: Python's email package takes them apart, which accepts
// any text (transcripts wire__accept, wire__content-type).
import { unescapeRuns } from './charset.ts';

export interface MediaType {
  readonly type: string;
  readonly subtype: string;
  /** By name in lower case; the last of several with one name counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Longer ones match nothing. */
export const maxMediaTypeLength = 256;

/** Never throws: a text that is no media type becomes one that matches nothing. */
export function readMediaType(text: string): MediaType {
  const [range = '', ...rest] = splitParameters(text);
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
  // A range may itself look like a parameter; its name counts.
  const name = (rest.length > 0 ? range.split('=', 1)[0]! : range).trim().toLowerCase();
  const slash = name.indexOf('/');
  return slash === -1
    ? { type: name, subtype: '', parameters }
    : { type: name.slice(0, slash), subtype: name.slice(slash + 1), parameters };
}

/** Whether a range, which may have wildcards, has the type: `text/csv`. */
export const covers = ({ type, subtype }: MediaType, whole: string): boolean =>
  (type === '*' || whole.startsWith(`${type}/`)) && (subtype === '*' || whole.endsWith(`/${subtype}`));

/** A header's value as Weblate's server passes it on: one with characters beyond ASCII counts as empty. */
export const headerText = (value: string): string => (/[^\t\x20-\x7e]/.test(value) ? '' : value);

// At semicolons, except within quotes.
function splitParameters(text: string): string[] {
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

const unquote = (text: string): string =>
  /^".*"$/s.test(text) && text.length > 1 ? text.slice(1, -1).replaceAll(/\\([\\"])/g, '$1') : text;
