// Reads tables of docs/ that tests compare with the code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(import.meta.dirname, '../../docs');

/** The cells of a row, by column. */
export type Row = Readonly<Record<string, string>>;

/** The rows of the table between `<!-- name -->` and `<!-- /name -->`. Throws if there is no such table. */
export function readTable(file: string, name: string): Row[] {
  const text = readFileSync(join(docs, file), 'utf8');
  const table = text.split(`<!-- ${name} -->\n`)[1]?.split(`\n<!-- /${name} -->`)[0];
  if (table === undefined) throw new Error(`${file} has no table ${name}`);
  const [columns = [], , ...rows] = table.split('\n').map(cellsOf);
  return rows.map((cells) => Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? ''])));
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** A cell without the backquotes around it. */
export const plain = (cell: string | undefined): string => (cell ?? '').replace(/^`(.*)`$/, '$1');
