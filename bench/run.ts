// npm run bench: measures the service beside plain programs, in one run on one machine. The ratios are similar on other machines; the
// figures are not.
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { type BenchServer, openServer } from './databases.ts';
import { benchJournal } from './journal.ts';
import { benchList } from './list.ts';
import { loadTool } from './load.ts';
import { type Options, readOptions, usage } from './options.ts';
import { benchPeers } from './peers.ts';
import { print, say, writePage } from './report.ts';
import { benchSandboxes } from './sandboxes.ts';
import { benchStart } from './start.ts';
import { benchTests } from './tests.ts';
import { benchWrites } from './writes.ts';

const parts: Readonly<Record<string, (server: BenchServer, options: Options) => Promise<void>>> = {
  list: benchList,
  writes: benchWrites,
  journal: benchJournal,
  sandboxes: benchSandboxes,
  start: benchStart,
  peers: benchPeers,
  tests: benchTests,
};

async function main(args: string[]): Promise<number> {
  let options: Options;
  try {
    options = readOptions(args, Object.keys(parts), ['list', 'writes']);
  } catch (error) {
    say(`${(error as Error).message}\n\n${usage}`);
    return 2;
  }
  await using server = await openServer();
  const { seconds, rounds, warmUp } = options;
  const machine = `${availableParallelism()} cores shared by load, programs and database`;
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  const conditions = `${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node ${process.versions.node}, ${server.description}, ${loadTool}; ${machine}. Median of ${rounds} rounds of ${seconds} s, after ${warmUp} to warm up.`;
  print(conditions);
  for (const name of options.parts) await parts[name]?.(server, options);
  if (options.page) writePage(conditions);
  return 0;
}

// At the exit, programs are ended and folders are removed.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  return 1;
});
