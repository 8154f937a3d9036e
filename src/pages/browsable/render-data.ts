// An answer for people: a list as a table, an entry as its fields, codes with names, URLs as links.
import type { TObject, TSchema } from '@sinclair/typebox';
import { isObject, type JsonObject } from '../../base/json-object.ts';
import { membersOf } from '../../http/operation.ts';
import { describeFields, type FieldMetadata } from '../../http/options.ts';
import { html, type Piece } from '../html.ts';
import { lastPage, readPageRequest } from '../../http/paginate.ts';
import { parseQuery } from '../../http/wire/query-string.ts';
import { renderFacts, renderLink, renderTable } from '../parts.ts';
import type { PageContents } from './page-contents.ts';

type Shape = ReturnType<typeof describeFields>;

/** Undefined for data of unknown shape, such as an error. */
export function renderData(page: PageContents) {
  const { body, name, entries, entryKey = 'id' } = page;
  const shape = describeShape(page);
  if (shape === undefined || !isObject(body)) return undefined;
  if (entries?.every(isObject) !== true) return renderEntry(body, shape, page);
  if (entries.length === 0) return html`<p>No entries.</p>`;
  // The first column, which names the entry, stays in sight.
  const all = new Set([entryKey, ...Object.keys(shape), ...entries.flatMap((one) => Object.keys(one))]);
  const keys = [...all].filter((key) => entries.some((entry) => Object.hasOwn(entry, key)));
  const rows = entries.map((entry) => {
    const href = page.linkTo(entry)?.href;
    return html`<tr>
      ${keys.map((key) => {
        if (!Object.hasOwn(entry, key)) return html`<td></td>`;
        const isName = href !== undefined && (key === 'id' || key === entryKey);
        const value = isName ? renderLink(href, String(entry[key])) : renderValue(entry[key], shape[key], page);
        return html`<td data-label="${key}">${value}</td>`;
      })}
    </tr> `;
  });
  return html`<div class="table" tabindex="0" role="group" aria-label="${name}">
    ${renderTable(describePlace(Number(body['count']), entries.length, page), keys, rows)}
  </div>`;
}

/** `51–100 of 137, page 2 of 3`. */
function describePlace(count: number, shown: number, { search }: PageContents) {
  if (shown === count) return `${count} in all`;
  const { page, size } = readPageRequest(parseQuery(search));
  const pages = Math.ceil(count / size);
  const number = page === lastPage ? pages : page;
  const start = (number - 1) * size;
  return `${start + 1}–${start + shown} of ${count}, page ${number} of ${pages}`;
}

/** The fields of an answer by its schema; for a list, those of its entries. */
function describeShape({ method, status, known }: PageContents) {
  const answer = known.find((operation) => operation.method === method)?.response[status];
  const object = answer && !('content' in answer) ? firstObject(answer) : undefined;
  const { count, results } = object?.properties ?? {};
  const item = count && results?.['items'] !== undefined ? firstObject(results['items']) : object;
  return item && describeFields(item);
}

/** Of the schemas for callers with different rights, the first has the most fields. */
const firstObject = (schema: TSchema) =>
  [schema, ...membersOf(schema)].find((member): member is TObject => member.type === 'object');

const renderEntry = (entry: JsonObject, shape: Shape, page: PageContents) =>
  renderFacts(
    Object.entries(entry).map(([key, value]) => [key, renderValue(value, shape[key], page)]),
    'facts entry',
  );

/** Objects with more fields are folded: they would bury other values. */
const maxNested = 6;

function renderValue(value: unknown, shape: FieldMetadata | undefined, page: PageContents): Piece {
  if (isObject(value)) {
    const nested = renderEntry(value, shape?.children ?? {}, page);
    const size = Object.keys(value).length;
    if (size <= maxNested) return nested;
    return html`<details>
      <summary>${size} fields</summary>
      ${nested}
    </details>`;
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return html`<span class="literal">none</span>`;
    return html`<ul>
      ${value.map((item) => html`<li>${renderValue(item, shape, page)}</li> `)}
    </ul>`;
  }
  const choice = shape?.choices?.find((known) => known.value === value);
  if (choice !== undefined && choice.display_name !== String(value))
    return html`${choice.display_name} <code class="hint">${String(value)}</code>`;
  if (typeof value === 'string') return renderText(value, page);
  return html`<span class="${typeof value === 'number' ? 'number' : 'literal'}">${String(value)}</span>`;
}

function renderText(text: string, { findLink, baseUrl }: PageContents) {
  if (text === '') return html`<span class="literal">empty</span>`;
  const href = text.startsWith('http') ? findLink(text) : undefined;
  if (href === undefined) return text;
  // The base URL and the query are left out: a page's links share them.
  const short = text.startsWith(`${baseUrl}/`) ? text.slice(baseUrl.length).replace(/\?.*$/s, '') : text;
  return html`<a href="${href}">${short}</a>`;
}
