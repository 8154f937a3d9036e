// Two CSV texts, cell by cell.

/** `other` in the form of the first text, if the two mean the same. */
export type Align = (column: string, columns: readonly string[], cell: string, other: string) => string;

/** Cells as written, with their quotes, of each line. */
function parse(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, cell = '', end] of text.matchAll(/("(?:[^"]|"")*"|(?:[^,\r]|\r(?!\n))*)(,|\r\n|$)/guy)) {
    rows.at(-1)?.push(cell);
    if (end === '') break;
    if (end !== ',') rows.push([]);
  }
  return rows;
}
const write = (rows: readonly (readonly string[])[]): string => rows.map((cells) => cells.join(',')).join('\r\n');

const isGroup = (column: string) => /^groups\.\d+$/u.test(column);

/** The second text, in which parts that may differ are those of the first. */
export function alignCsv(expected: string, actual: string, align: Align): [string, string] {
  const [rows, others] = [parse(expected), parse(actual)];
  const columns = rows[0] ?? [];
  // A user's groups come in varying order.
  const inOrder = (cells: readonly string[]) => {
    const groups = cells.filter((_cell, index) => isGroup(columns[index] ?? '')).toSorted();
    return cells.map((cell, index) => (isGroup(columns[index] ?? '') ? (groups.shift() as string) : cell));
  };
  const aligned = others.map((cells, row) =>
    row === 0 || cells.length !== rows[row]?.length
      ? cells
      : inOrder(cells).map((cell, index) => align(columns[index] ?? '', columns, rows[row]?.[index] ?? '', cell)),
  );
  return [write(rows.map((cells, row) => (row === 0 ? cells : inOrder(cells)))), write(aligned)];
}

/** The text without the other columns. */
export function keepColumns(text: string, isKept: (column: string) => boolean): string {
  const rows = parse(text);
  const kept = (rows[0] ?? []).map(isKept);
  if (!kept.includes(true)) return text;
  return write(
    rows.map((cells) => (cells.length === 1 && cells[0] === '' ? cells : cells.filter((_cell, i) => kept[i]))),
  );
}
