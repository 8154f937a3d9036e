// Compares src/ with docs/architecture.md: its drawing of what may import what, and its table of folders.
import { dirname } from 'node:path';
import { listImports, type Sources, toArrow } from './sources.ts';

/** The rooms of src/ in the order of the drawing, each with the rooms that it imports. */
export type Drawing = ReadonlyMap<string, readonly string[]>;

/** Reads the lines `folder -> folder, folder` and `folder -> (none)` between the two marks. */
export function readDrawing(page: string): Drawing {
  const block = /<!-- arrows: checked by test\/house -->\n([^]*?)<!-- \/arrows -->/.exec(page)?.[1];
  if (block === undefined) throw new Error('the page has no drawing between the marks for test/house');
  const lines = block.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('```'));
  return new Map(
    lines.map((line) => {
      const [, folder, uses] = /^(\S+)\s+-> (.+)$/.exec(line) ?? [];
      if (folder === undefined || uses === undefined) throw new Error(`no arrow: ${line}`);
      return [folder, uses === '(none)' ? [] : uses.split(', ')];
    }),
  );
}

const [mostRooms, mostArrows] = [16, 80];

/** Lists differences between drawing and imports, arrows that point upwards, and too many rooms or arrows. */
export function compareDrawing(drawing: Drawing, sources: Sources): string[] {
  const faults: string[] = [];
  const order = [...drawing.keys()];
  if (order.length > mostRooms) faults.push(`${order.length} rooms, more than ${mostRooms}`);
  const count = [...drawing.values()].flat().length;
  if (count > mostArrows) faults.push(`${count} arrows, more than ${mostArrows}`);

  const entries = new Set([...sources.keys()].map((file) => file.split('/', 1)[0] ?? ''));
  for (const entry of entries) if (!drawing.has(entry)) faults.push(`${entry} is not drawn`);
  for (const entry of order) if (!entries.has(entry)) faults.push(`${entry} is drawn but not in src/`);

  const needed = new Set<string>();
  for (const { from, to } of listImports(sources)) {
    const arrow = toArrow({ from, to });
    if (arrow.from.includes('/') || arrow.to.startsWith('..')) continue;
    const line = `${arrow.from} -> ${arrow.to}`;
    if (!needed.has(line) && !drawing.get(arrow.from)?.includes(arrow.to))
      faults.push(`${line} is not drawn: ${from} imports ${to}`);
    needed.add(line);
  }
  for (const [entry, uses] of drawing) {
    for (const used of uses) {
      if (!needed.has(`${entry} -> ${used}`)) faults.push(`${entry} -> ${used} is drawn, but no import needs it`);
      else if (order.indexOf(used) < order.indexOf(entry)) faults.push(`${entry} -> ${used} points upwards`);
    }
  }
  return faults;
}

/** Lists the differences between the table's folders and the folders with files. */
export function compareTable(page: string, sources: Sources): string[] {
  const rows = page.match(/^\| `.+$/gm) ?? [];
  const told = new Set(rows.flatMap((row) => row.split(' | ')[0]?.match(/(?<=`)[^`, ]+(?=\/`)/g) ?? []));
  const folders = new Set([...sources.keys()].map((file) => dirname(file)));
  return [
    ...[...folders].filter((folder) => !told.has(folder)).map((folder) => `${folder}/ has no line in the table`),
    ...[...told].filter((folder) => !folders.has(folder)).map((folder) => `${folder}/ has a line, but no file`),
  ];
}
