// The command line of the bench.
import { parseArgs } from 'node:util';

export interface Options {
  /** The parts to run, in their order. */
  readonly parts: readonly string[];
  readonly seconds: number;
  readonly warmUp: number;
  readonly rounds: number;
  /** Undefined leaves the choice to the part. */
  readonly connections: readonly number[] | undefined;
  readonly users: readonly number[];
  readonly real: string | undefined;
  readonly page: boolean;
}

export const usage = `usage: npm run bench -- [PART …] [options]

  --seconds N          how many seconds a program is under load in a round (2)
  --warm-up N          how many rounds run before the counted rounds (3)
  --rounds N           how many rounds count (3)
  --connections N,…    numbers of connections (1,8,32,128 for lists, 1,32 for writes and peers, 32 for jobs)
  --users N,…          how many users the databases of lists have (1000,100000)
  --page               also write the table of docs/explanation/performance.md
  --real URL           in the part peers, also measure a real Weblate, which npm run follow -- --serve runs

BENCH_DATABASE_URL names a server on which the bench may create and drop databases (default: an embedded PostgreSQL in a temporary folder).`;

/** @throws Error with a message for the user */
export function readOptions(args: string[], known: readonly string[], usual: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '2' },
      'warm-up': { type: 'string', default: '3' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string' },
      users: { type: 'string', default: '1000,100000' },
      real: { type: 'string' },
      page: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.find((part) => !known.includes(part));
  if (unknown !== undefined) throw new Error(`unknown part "${unknown}"; expected ${known.join(', ')}`);
  return {
    parts: positionals.length === 0 ? usual : positionals,
    seconds: readCount('--seconds', values.seconds),
    warmUp: readCount('--warm-up', values['warm-up']),
    rounds: readCount('--rounds', values.rounds),
    connections: values.connections === undefined ? undefined : readCounts('--connections', values.connections),
    users: readCounts('--users', values.users),
    page: values.page,
    real: values.real?.replace(/\/$/, ''),
  };
}

const readCounts = (name: string, text: string) => text.split(',').map((part) => readCount(name, part));

function readCount(name: string, text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new Error(`${name} must be a whole number from 1, not "${text}"`);
  return count;
}
