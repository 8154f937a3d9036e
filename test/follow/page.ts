// docs/reference/releases.md: for each operation, which releases answer alike. It is made from what runs of
// `npm run follow -- --page` kept.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { code } from '../transcripts/engine/classes.ts';
import type { Change } from './changes.ts';
import { operations } from './declared.ts';
import type { Findings } from './report.ts';

const keptFile = join(import.meta.dirname, 'releases.json');
export const pageFile = join(import.meta.dirname, '../../docs/reference/releases.md');

/** What the page needs of the findings. */
export interface Kept extends Pick<Findings, 'release' | 'mirrored' | 'recorded' | 'generated'> {
  /** Such as `2026-11-23`. */
  readonly date: string;
  readonly changes: readonly Omit<Change, 'scenario' | 'steps'>[];
}

/** The newest release first. */
export const readKept = async (): Promise<Kept[]> => JSON.parse(await readFile(keptFile, 'utf8')) as Kept[];

/** Enters a release, in place of what was found in it before, and writes the page. */
export async function keepFindings({ notes: _notes, changes, ...findings }: Findings): Promise<void> {
  const kept: Kept = {
    ...findings,
    date: new Date().toISOString().slice(0, 10),
    changes: changes.map(({ scenario: _scenario, steps: _steps, ...change }) => change),
  };
  const others = (await readKept()).filter(({ release }) => release !== kept.release);
  const all = [...others, kept].toSorted((a, b) => b.release.localeCompare(a.release, 'en', { numeric: true }));
  await writeFile(keptFile, `${JSON.stringify(all, null, 1)}\n`);
  await writeFile(pageFile, replaceTables(await readFile(pageFile, 'utf8'), formatReleases(all)));
}

export const replaceTables = (page: string, tables: string): string =>
  page.replace(/(?<=<!-- releases:[^\n]*-->\n).*(?=<!-- \/releases -->)/su, () => tables);

/** The same change in several operations and releases. */
interface Mark {
  readonly number: number;
  readonly change: Kept['changes'][number];
}

export function formatReleases(all: readonly Kept[]): string {
  const marks = new Map<string, Mark>();
  for (const change of all.flatMap(({ changes }) => changes))
    if (!marks.has(change.kind)) marks.set(change.kind, { number: marks.size + 1, change });
  const cellOf = ({ changes }: Kept, operation: string): string => {
    const own = changes.filter((change) => change.operation === operation);
    return own.length === 0
      ? '='
      : own
          .map(({ kind }) => marks.get(kind)?.number ?? 0)
          .toSorted((a, b) => a - b)
          .join(', ');
  };
  const others = all.flatMap(({ changes }) => changes).map(({ operation }) => operation);
  const rows = [...new Set([...operations, ...others])].map((operation) => ({
    operation,
    cells: all.map((kept) => cellOf(kept, operation)),
  }));
  // Operations that changed alike share a row.
  const shared = Map.groupBy(rows, ({ cells }) => cells.join('|'));
  const changed = [...shared.values()].filter(([first]) => first?.cells.some((cell) => cell !== '='));
  const same = rows.length - changed.flat().length;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const dates = [...new Set(all.map(({ date }) => date))].toSorted();
  return [
    `Measured ${dates.length > 1 ? `from ${dates[0]} to ${dates.at(-1)}` : `on ${dates[0]}`}:\n\n`,
    line(['operation', ...all.map(({ release }) => release)]),
    line(['---', ...all.map(() => '---')]),
    ...changed.map((row) => line([row.map(({ operation }) => code(operation)).join(', '), ...(row[0]?.cells ?? [])])),
    line([`${changed.length === 0 ? 'all' : 'the other'} ${same} operations`, ...all.map(() => '=')]),
    ...(marks.size === 0
      ? []
      : ['\n', line(['', 'what', `${all[0]?.mirrored}`, 'there', 'for example']), line(Array(5).fill('---'))]),
    ...[...marks.values()].map(({ number, change: { place, before, now, request } }) =>
      line([`${number}`, ...[place, before, now, request].map(code)]),
    ),
  ].join('');
}
