// The output of the bench: tables as markdown on stdout, progress on stderr.
import type { Result, Subject } from './rounds.ts';

export const say = (line: string): void => void process.stderr.write(`${line}\n`);
export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * A table of one line for each number of connections and program.
 * @param plain the programs that the others are compared with
 */
export function printTable(title: string, results: readonly Result[], plain: readonly Subject[]): void {
  const head = ['connections', 'program', 'a second', 'p50 ms', 'p99 ms', ...plain.map(({ name }) => `of ${name}`)];
  const rows = results.map((result) => {
    const ratios = plain.map((other) => {
      const base = results.find((r) => r.subject === other && r.connections === result.connections);
      return plain.includes(result.subject) || base === undefined ? '' : (result.perSecond / base.perSecond).toFixed(2);
    });
    const { connections, subject, perSecond, p50Ms, p99Ms } = result;
    return [String(connections), subject.name, whole(perSecond), p50Ms.toFixed(2), p99Ms.toFixed(1), ...ratios];
  });
  printRows(title, head, rows, 1);
}

/** @param names the column that isn't of figures */
export function printRows(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  names = 0,
): void {
  print(`\n**${title}**\n`);
  for (const cells of [head, head.map((_, i) => (i === names ? '---' : '---:')), ...rows]) print(row(cells));
}

/** A line of a table. */
export const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** `12,345` */
export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
