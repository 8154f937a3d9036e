// JSON as Weblate's flat CSV: one row per entry, sorted columns, CRLF (transcript format__query).
import { isObject } from '../../base/json-object.ts';
import { pythonText } from './python-text.ts';

export function toCsv(value: unknown) {
  const listed = isObject(value) && Object.hasOwn(value, 'results') ? value['results'] : value;
  const entries = Array.isArray(listed) ? listed : [listed];
  if (entries.length === 0) return '';
  const rows = entries.map((entry) => new Map(flatten(entry, '')));
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))].toSorted();
  return [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? ''))]
    .map((cells) => `${cells.map(quote).join(',')}\r\n`)
    .join('');
}

function* flatten(value: unknown, name: string): Generator<[string, string]> {
  if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* flatten(item, join(name, String(i)));
  else if (isObject(value)) for (const [key, item] of Object.entries(value)) yield* flatten(item, join(name, key));
  else yield [name, value === null ? '' : pythonText(value)];
}

const join = (name: string, part: string) => (name === '' ? part : `${name}.${part}`);

const quote = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
