// The drawing of folders and arrows in docs/architecture.md, which is the rule of what may import what.
import { listImports, type Sources, toArrow } from './sources.ts';

/** The entries of src/ in the order of use, each with those that it uses. */
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

/** Where drawing and imports differ. A file of src/ itself that uses nothing is open to all, without an arrow. */
export function compareDrawing(drawing: Drawing, sources: Sources): string[] {
  const faults: string[] = [];
  const order = [...drawing.keys()];
  const isOpen = (entry: string) => entry.includes('.') && drawing.get(entry)?.length === 0;

  const entries = new Set([...sources.keys()].map((file) => file.split('/', 1)[0] ?? ''));
  for (const entry of entries) if (!drawing.has(entry)) faults.push(`${entry} is not drawn`);
  for (const entry of order) if (!entries.has(entry)) faults.push(`${entry} is drawn and not in src/`);

  const needed = new Set<string>();
  for (const { from, to } of listImports(sources)) {
    const arrow = toArrow({ from, to });
    if (arrow.from.includes('/') || arrow.to.startsWith('..') || isOpen(arrow.to)) continue;
    const line = `${arrow.from} -> ${arrow.to}`;
    if (!needed.has(line) && !drawing.get(arrow.from)?.includes(arrow.to))
      faults.push(`${line} is not drawn: ${from} imports ${to}`);
    needed.add(line);
  }
  for (const [entry, uses] of drawing) {
    for (const used of uses) {
      if (!needed.has(`${entry} -> ${used}`)) faults.push(`${entry} -> ${used} is drawn, and no import needs it`);
      else if (order.indexOf(used) < order.indexOf(entry)) faults.push(`${entry} -> ${used} points upwards`);
    }
  }
  return faults;
}
