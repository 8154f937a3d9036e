// Makes docs/reference/releases.md from the findings of `npm run follow -- --page`.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { declaredOperations } from '../generator/steps.ts';
import { code, toName } from '../transcripts/engine/classes.ts';
import type { Change } from './changes.ts';
import type { Findings } from './report.ts';

/** Such as `GET /api/users/{username}/`, in the order of the OpenAPI document. */
export const operations: readonly string[] = declaredOperations.map(toName);

const keptFile = join(import.meta.dirname, 'data/releases.json');
export const pageFile = join(import.meta.dirname, '../../docs/reference/releases.md');

export interface Kept extends Pick<Findings, 'release' | 'mirrored' | 'recorded' | 'generated' | 'compared'> {
  /** Such as `2026-11-23`. */
  readonly date: string;
  readonly changes: readonly Omit<Change, 'kind' | 'scenario' | 'steps'>[];
}

export const readKept = async (): Promise<Kept[]> => JSON.parse(await readFile(keptFile, 'utf8')) as Kept[];

export async function keepFindings({ notes: _notes, changes, ...findings }: Findings): Promise<void> {
  const kept: Kept = {
    ...findings,
    date: new Date().toISOString().slice(0, 10),
    changes: changes.map(({ kind: _kind, scenario: _scenario, steps: _steps, ...change }) => change),
  };
  const others = (await readKept()).filter(({ release }) => release !== kept.release);
  const all = [...others, kept].toSorted((a, b) => b.release.localeCompare(a.release, 'en', { numeric: true }));
  await writeFile(keptFile, formatKept(all));
  await writeFile(pageFile, replaceTables(await readFile(pageFile, 'utf8'), formatReleases(all)));
}

const formatKept = (all: readonly Kept[]): string =>
  `${JSON.stringify(all, null, 1).replaceAll(/\n {4}| *\n {3}(?=\})/gu, ' ')}\n`;

export const replaceTables = (page: string, tables: string): string =>
  page.replace(/(?<=<!-- releases:[^\n]*-->\n).*(?=<!-- \/releases -->)/su, () => tables);

// The most names in a cell: components have a hundred fields.
const maxNames = 10;
const others = 'other methods and paths';
const form = 'form';

/** The row of an operation. HEAD counts as GET. All OPTIONS share a row, and so do undeclared operations. */
function rowOf(operation: string): string {
  const [method = '', path = ''] = operation.split(' ');
  if (method === 'OPTIONS') return method;
  const row = method === 'HEAD' ? `GET ${path}` : operation;
  return operations.includes(row) ? row : others;
}

const shortened: readonly (readonly [place: RegExp, name: string])[] = [
  [/^body\.actions/u, 'fields'],
  [/^body\.errors/u, 'errors'],
  [/^body(?:\.count|\.next|\.previous|\.results(?:\[\]\.id)?)$/u, 'entries'],
  [/^(?:text|body)$/u, form],
];

function nameOf({ place, before, now }: Kept['changes'][number]): string {
  const bare = place.replace(/^left /u, '');
  if (bare === 'status') return `${before}→${now}`;
  const short = shortened.find(([places]) => places.test(bare))?.[1];
  if (short !== undefined) return short;
  const field = bare.replace(/^body(?:\.results)?(?:\[\])?\./u, '');
  if (now === '(absent)') return `−${field}`;
  return before === '(absent)' ? `+${field}` : field;
}

function describe(changes: Kept['changes']): string {
  const names = new Set(changes.map(nameOf));
  // `form` is a change of a whole text, such as CSV. CSV changes with JSON, so it isn't named beside others.
  if (names.size > 1) names.delete(form);
  const hidden = names.size - maxNames;
  const shown = [...names].toSorted().slice(0, maxNames).join(', ');
  return hidden > 0 ? `${shown} and ${hidden} more` : shown;
}

export function formatReleases(all: readonly Kept[]): string {
  const cellOf = ({ changes, compared }: Kept, row: string): string => {
    const own = changes.filter(({ operation }) => rowOf(operation) === row);
    if (own.length > 0) return describe(own);
    return Object.keys(compared).some((operation) => rowOf(operation) === row) ? '=' : '?';
  };
  const rows = [...new Set([...operations, 'OPTIONS', others])].map((name) => ({
    name: name === others ? others : code(name),
    cells: all.map((kept) => cellOf(kept, name)),
  }));
  // Operations that changed alike share a row.
  const shared = [...Map.groupBy(rows, ({ cells }) => cells.join('|')).values()];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const heads = ['operation', ...all.map(({ release }) => release)];
  const dates = [...new Set(all.map(({ date }) => date))].toSorted();
  return [
    `Measured ${dates.length > 1 ? `from ${dates[0]} to ${dates.at(-1)}` : `on ${dates[0]}`}, each release with `,
    `${all[0]?.recorded.toLocaleString('en')} recorded steps and ${Math.min(...all.map(({ generated }) => generated))} generated ones:\n\n`,
    ...[heads, heads.map(() => '---')].map(line),
    ...shared.map((row) => line([row.map(({ name }) => name).join(', '), ...(row[0]?.cells ?? [])])),
  ].join('');
}
