// Programs take turns, so that other work of the machine affects them equally: only then are ratios of their figures meaningful.
import { type Load, load, type LoadRequest, type Measured } from './load.ts';
import type { Options } from './options.ts';
import { say } from './report.ts';

/** One program on one database. */
export interface Subject {
  readonly name: string;
  readonly url: string;
  /** The requests of its next turn. */
  readonly next: () => Requests;
}

export interface Requests extends Pick<Load, 'once'> {
  readonly requests: readonly LoadRequest[];
  /** Called with the number of requests sent; the next turn waits for it. */
  readonly sent?: (used: number) => void | Promise<unknown>;
}

export interface Turns extends Pick<Options, 'connections' | 'warmUp' | 'rounds' | 'seconds'> {
  /** Ends the turns with an error. */
  readonly signal?: AbortSignal;
}

/** Medians over the rounds. */
export interface Result extends Pick<Measured, 'perSecond' | 'p50Ms' | 'p99Ms'> {
  readonly subject: Subject;
  readonly connections: number;
}

/**
 * Loads every subject at every number of connections. Each number calls other functions and so begins with rounds that aren't
 * counted: V8 compiles the service during some twenty seconds of load, on a core that the requests need.
 * @param usual the numbers of connections, unless the options give others
 */
export async function takeTurns(
  label: string,
  subjects: readonly Subject[],
  turns: Turns,
  usual: readonly number[],
): Promise<Result[]> {
  const results: Result[] = [];
  for (const connections of turns.connections ?? usual) {
    const measured = new Map<Subject, Measured[]>(subjects.map((subject) => [subject, []]));
    for (let round = 1 - turns.warmUp; round <= turns.rounds; round++) {
      say(`${label}: ${connections} connections, ${round < 1 ? 'warming up' : `round ${round} of ${turns.rounds}`}`);
      // Each round begins with another subject: the first may find the machine in another state than the last.
      const order = subjects.map((_, i) => subjects[(i + turns.warmUp + round) % subjects.length] as Subject);
      for (const subject of order) {
        turns.signal?.throwIfAborted();
        const one = await turn(subject, connections, turns.seconds);
        if (round >= 1) measured.get(subject)?.push(one);
      }
    }
    for (const [subject, all] of measured) {
      const of = (pick: (one: Measured) => number) => median(all.map(pick));
      results.push({
        subject,
        connections,
        perSecond: of((one) => one.perSecond),
        p50Ms: of((one) => one.p50Ms),
        p99Ms: of((one) => one.p99Ms),
      });
    }
  }
  return results;
}

async function turn(subject: Subject, connections: number, seconds: number): Promise<Measured> {
  const { requests, once, sent } = subject.next();
  const measured = await load({ url: subject.url, requests, once, connections, seconds });
  await sent?.(measured.used);
  return measured;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
