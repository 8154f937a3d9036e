// Programs take turns, so that other work of the machine affects them equally. Only then do ratios of their figures mean anything.
import { type Load, load, type LoadRequest, type Measured } from './load.ts';
import type { Options } from './options.ts';
import { processorMs } from './processes.ts';
import { say } from './report.ts';

/** One program on one database. */
export interface Subject {
  readonly name: string;
  readonly url: string;
  /** Returns the requests of the program's next turn. */
  readonly next: () => Requests;
  /** The ids of the processes whose processor time is read, under the names of the processes. */
  readonly processes?: Readonly<Record<string, number>>;
}

export interface Requests extends Pick<Load, 'once'> {
  readonly requests: readonly LoadRequest[];
  /** Called with the number of requests that were sent; the next turn waits for the promise. */
  readonly sent?: (used: number) => void | Promise<unknown>;
}

type Figures = Pick<Measured, 'perSecond' | 'p50Ms' | 'p99Ms'> & {
  /** The processor time per request, of each process. */
  readonly processorMicros: readonly number[];
};

export interface Result extends Figures {
  readonly subject: Subject;
  readonly connections: number;
}

/**
 * Loads every subject at every number of connections. With each new number, the service
 * runs functions that V8 hasn't compiled yet. V8 compiles them during some twenty seconds of load, on a core
 * that the requests need. Each number therefore begins with rounds that aren't counted.
 * @param usual the numbers of connections, unless the options give others
 */
export async function takeTurns(
  label: string,
  subjects: readonly Subject[],
  turns: Options,
  usual: readonly number[],
): Promise<Result[]> {
  const results: Result[] = [];
  for (const connections of turns.connections ?? usual) {
    const measured = new Map<Subject, Figures[]>(subjects.map((subject) => [subject, []]));
    for (let round = 1 - turns.warmUp; round <= turns.rounds; round++) {
      say(`${label}: ${connections} connections, ${round < 1 ? 'warming up' : `round ${round} of ${turns.rounds}`}`);
      // Each round begins with another subject: the first turn of a round may find the machine in another
      // state than the round's last turn.
      const order = subjects.map((_, i) => subjects[(i + turns.warmUp + round) % subjects.length] as Subject);
      for (const subject of order) {
        const one = await turn(subject, connections, turns.seconds);
        if (round >= 1) measured.get(subject)?.push(one);
      }
    }
    for (const [subject, all] of measured) {
      const of = (pick: (one: Figures) => number) => median(all.map(pick));
      results.push({
        subject,
        connections,
        perSecond: of((one) => one.perSecond),
        p50Ms: of((one) => one.p50Ms),
        p99Ms: of((one) => one.p99Ms),
        processorMicros: Object.keys(subject.processes ?? {}).map((_, i) => of((one) => one.processorMicros[i] ?? NaN)),
      });
    }
  }
  return results;
}

async function turn({ url, next, processes = {} }: Subject, connections: number, seconds: number): Promise<Figures> {
  const { requests, once, sent } = next();
  const before = Object.values(processes).map(processorMs);
  const measured = await load({ url, requests, once, connections, seconds });
  const after = Object.values(processes).map(processorMs);
  await sent?.(measured.used);
  const processorMicros = after.map((ms, i) => ((ms - (before[i] ?? NaN)) / measured.used) * 1000);
  return { ...measured, processorMicros };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
