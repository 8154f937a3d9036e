// The output of the bench: tables as markdown on stdout, progress on stderr, and the table of figures in the documentation.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Result, Subject } from './rounds.ts';

export const say = (line: string): void => void process.stderr.write(`${line}\n`);
export const print = (line: string): void => void process.stdout.write(`${line}\n`);

const figures: (readonly string[])[] = [];

export const addFigure = (what: string, service: string, others: string): void =>
  void figures.push([what, service, others]);

const page = join(import.meta.dirname, '../docs/explanation/performance.md');
const table = /(?<=<!-- figures:[^\n]*-->\n).*?(?=\n<!-- \/figures -->)/s;

/** Replaces the table of docs/explanation/performance.md. @param conditions the line above it */
export function writePage(conditions: string): void {
  const rows = [['what', 'service', 'compared with'], ['---', '---', '---'], ...figures].map(row);
  writeFileSync(
    page,
    readFileSync(page, 'utf8').replace(table, () => [conditions, '', ...rows].join('\n')),
  );
}

/**
 * Prints a table with a line for each program at each number of connections.
 * @param plain the programs that the others are compared with
 */
export function printTable(title: string, results: readonly Result[], plain: readonly Subject[]): void {
  const processes = Object.keys(results[0]?.subject.processes ?? {}).map((name) => `µs of the ${name}`);
  const head = ['connections', 'program', 'per second', 'p50 ms', 'p99 ms', ...processes];
  const ratio = ({ connections, perSecond }: Result, other: Subject): string => {
    const base = results.find((r) => r.subject === other && r.connections === connections);
    return (perSecond / (base?.perSecond ?? NaN)).toFixed(2);
  };
  const rows = results.map((result) => {
    const ratios = plain.map((other) => (plain.includes(result.subject) ? '' : ratio(result, other)));
    const { connections, subject, perSecond, p50Ms, p99Ms } = result;
    const micros = result.processorMicros.map(whole);
    return [
      String(connections),
      subject.name,
      whole(perSecond),
      p50Ms.toFixed(2),
      p99Ms.toFixed(1),
      ...micros,
      ...ratios,
    ];
  });
  printRows(title, [...head, ...plain.map(({ name }) => `of ${name}`)], rows, 1);
  const ours = results.filter(({ subject }) => subject.name === 'service');
  if (ours.length === 0) return;
  addFigure(
    `${title}: requests per second at ${ours.map(({ connections }) => connections).join(', ')} connections; p99`,
    `${ours.map(({ perSecond }) => whole(perSecond)).join(', ')}; ${ours.map(({ p99Ms }) => p99Ms.toFixed(1)).join(', ')} ms`,
    plain
      .map((other) => {
        const ratios = ours.map((one) => ratio(one, other)).join(', ');
        const p99s = results.filter(({ subject }) => subject === other).map(({ p99Ms }) => p99Ms.toFixed(1));
        return `${ratios} times ${other.name}, whose p99 is ${p99s.join(', ')} ms`;
      })
      .join('; '),
  );
}

/** @param names the index of the column that has names, not figures */
export function printRows(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  names = 0,
): void {
  print(`\n**${title}**\n`);
  for (const cells of [head, head.map((_, i) => (i === names ? '---' : '---:')), ...rows]) print(row(cells));
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
