// The page of the documents that says which releases answer alike, and the findings that it is made from.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change } from './changes.ts';
import type { Findings } from './report.ts';

const dataFile = join(import.meta.dirname, 'releases.json');

/** What the page needs of the findings. */
export interface Kept extends Pick<Findings, 'release' | 'mirrored' | 'recorded' | 'generated'> {
  /** Such as `2026-11-23`. */
  readonly date: string;
  readonly changes: readonly Omit<Change, 'scenario' | 'steps'>[];
}

export const readKept = async (): Promise<Kept[]> =>
  JSON.parse(await readFile(dataFile, 'utf8').catch(() => '[]')) as Kept[];

/** Enters the release, in place of what was found in it before. */
export async function keepFindings({ notes: _notes, changes, ...findings }: Findings): Promise<void> {
  const kept: Kept = {
    ...findings,
    date: new Date().toISOString().slice(0, 10),
    changes: changes.map(({ scenario: _scenario, steps: _steps, ...change }) => change),
  };
  const others = (await readKept()).filter(({ release }) => release !== kept.release);
  const all = [...others, kept].toSorted((a, b) => b.release.localeCompare(a.release, 'en', { numeric: true }));
  await writeFile(dataFile, `${JSON.stringify(all, null, 1)}\n`);
}
