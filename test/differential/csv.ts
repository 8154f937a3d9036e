// Reads CSV as JSON, so that it can be compared like JSON.
import type { Json } from '../transcripts/engine/raw-json.ts';

/** Returns each line, even the head, as an object of its cells by column. Groups, and roles, are a list. */
export function readCsv(text: string, isKept: (column: string) => boolean): Json {
  const rows = parse(text);
  const columns = rows[0] ?? [];
  return rows.map((cells) => {
    // The line's end of the last row begins an empty line, whose only cell belongs to no column.
    if (cells.length === 1 && cells[0] === '') return {};
    const row: { [column: string]: Json } = {};
    for (const [index, cell] of cells.entries()) {
      const column = columns[index] ?? `cell ${index}`;
      const [, list] = /^(groups|roles)\.\d+$/u.exec(column) ?? [];
      if (list !== undefined) ((row[list] ??= []) as Json[]).push(cell);
      else if (isKept(column)) row[column] = column === 'id' && /^[1-9]\d*$/u.test(cell) ? Number(cell) : cell;
    }
    return row;
  });
}

/** Returns the cells of each line as written, with their quotes. */
function parse(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, cell = '', end] of text.matchAll(/("(?:[^"]|"")*"|(?:[^,\r]|\r(?!\n))*)(,|\r\n|$)/guy)) {
    rows.at(-1)?.push(cell);
    if (end === '') break;
    if (end !== ',') rows.push([]);
  }
  return rows;
}
