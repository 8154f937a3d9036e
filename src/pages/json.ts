// JSON for people: indented, coloured, and with links to this service.
import { html, type Html } from './html.ts';
import type { FindLink } from './links.ts';

// A key with its colon, a string, a number or a literal.
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")(:?)|-?\d[\d.eE+-]*|true|false|null/g;

// On a page, these characters would be invisible or rearrange the line. Valid JSON has them only in strings,
// where an escape means the same.
const unreadable = /[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** @param json valid JSON */
export const escapeInvisible = (json: string) =>
  json.replace(unreadable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const jsonText = (value: unknown) => escapeInvisible(JSON.stringify(value, null, 2));

/** Markup for a `pre`. Strings that `findLink` accepts become links. */
export function renderJson(value: unknown, findLink: FindLink) {
  const text = jsonText(value);
  const pieces: Html[] = [];
  let end = 0;
  for (const token of text.matchAll(tokens)) {
    // Keys stay in the text between values: thousands of pieces more would cost time.
    if (token[2] === ':') continue;
    pieces.push(html`${text.slice(end, token.index)}`, renderToken(token[0], token[1], findLink));
    end = token.index + token[0].length;
  }
  return html`${pieces}${text.slice(end)}`;
}

function renderToken(token: string, string: string | undefined, findLink: FindLink) {
  const kind = /\d/.test(token) ? 'number' : 'literal';
  if (string === undefined) return html`<span class="${kind}">${token}</span>`;
  const href = string.startsWith('"http') ? findLink(String(JSON.parse(string))) : undefined;
  if (href === undefined) return html`<span class="string">${string}</span>`;
  return html`<span class="string">"<a href="${href}">${string.slice(1, -1)}</a>"</span>`;
}
