// The tables about jobs.
import { availableParallelism } from 'node:os';
import { addFigure, print, printRows, row } from '../report.ts';
import { median } from '../rounds.ts';
import { steps, type Way } from './job.ts';
import type { Tally } from './tally.ts';

/** What one way did with so many jobs at once. */
export interface Entry {
  readonly at: number;
  readonly way: Way;
  readonly tally: Tally;
}

/** Where the time of a job goes for its client. */
export function printSteps(title: string, { tally }: Entry): void {
  const jobs = tally.jobs.length;
  const total = sum(tally.jobs);
  const rows = steps.map((step) => {
    const { count, ms } = tally.steps[step];
    return [step, String(count / jobs), (ms / count).toFixed(2), (ms / jobs).toFixed(1), percent(ms / total)];
  });
  rows.push(['job', '', '', (total / jobs).toFixed(1), '']);
  const head = ['step', 'in a job', 'mean ms', 'ms a job', 'share'];
  printRows(`${title}: ${median(tally.perSecond).toFixed(1)} jobs a second`, head, rows);
}

/** How a job divides the machine's processors. */
export function printProcessors(entries: readonly Entry[]): void {
  const cores = availableParallelism();
  const names = [...new Set(entries.flatMap(({ tally }) => Object.keys(tally.processor)))];
  print(`\n| processor time, ms a job and share of ${cores} cores | ${names.join(' | ')} | idle and all else |`);
  print(`|---|${'---:|'.repeat(names.length + 1)}`);
  for (const { way, tally } of entries) {
    const all = tally.elapsed * cores;
    const cell = (ms: number | undefined) =>
      ms === undefined ? '' : Number.isNaN(ms) ? '?' : `${(ms / tally.jobs.length).toFixed(2)} (${percent(ms / all)})`;
    const cells = [...names.map((name) => tally.processor[name]), all - sum(Object.values(tally.processor))].map(cell);
    print(row([way.name, ...cells]));
  }
}

/**
 * One line for each way and number at once, compared with `ours`: with as many at once, or else with its last.
 * @param missing why a way isn't among them
 */
export function printWays(title: string, entries: readonly Entry[], ours: Way, missing: readonly string[]): void {
  const bases = entries.filter(({ way }) => way === ours);
  const rows = entries.map(({ at, way, tally }) => {
    const base = (bases.find((entry) => entry.at === at) ?? bases.at(-1)) as Entry;
    const rate = median(tally.perSecond);
    const ratio = way === ours ? '' : (rate / median(base.tally.perSecond)).toPrecision(2);
    return [String(at), way.name, rate.toPrecision(3), median(tally.jobs).toFixed(1), ratio];
  });
  const [first, ...others] = rows.map(([at, way, rate]) => ({ rate: rate ?? '', way: `${way}, ${at} at once` }));
  const said = others.map(({ way, rate }) => `${way}: ${rate}`).join('; ');
  addFigure(`Jobs of 16 lists and 4 writes a second, ${first?.way}`, first?.rate ?? '', said);
  rows.push(...missing.map((why) => ['', why, '', '', '']));
  printRows(title, ['at once', 'way', 'jobs a second', 'ms a job', 'of ours'], rows, 1);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
