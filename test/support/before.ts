// Runs once before all test files: chooses the PostgreSQL server, prints the choice, checks that the server answers, and packs a cluster.
import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { Client } from 'pg';
import { findBinaries } from '../../src/postgres/binaries.ts';
import { readPacked } from '../../src/postgres/cluster.ts';
import { packedCluster } from '../../src/base/files.ts';
import { describeContents } from '../../src/service/process/provide-database.ts';
import { dropStale } from './database.ts';
import { chooseServer, findState, nameRun, stateFile, writeState } from './embedded-server.ts';

const run = process.ppid;

/** The keeper is detached because it outlives this process; it watches tap's process and ends with it. */
async function startKeeper(choice: string): Promise<void> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const script = new URL('embedded-server.ts', import.meta.url);
  const keeper = fork(script, [String(run), choice], { detached: true, stdio: 'ignore', execArgv: [], env });
  let fault = 'the keeper exited without a message';
  keeper.on('message', (message: string) => (fault = message));
  // The keeper closes the channel once the server accepts connections, or by exiting if the start fails.
  await new Promise((resolve) => keeper.once('disconnect', resolve));
  keeper.unref();
  if (findState(run) === undefined) throw new Error(fault);
}

/** The services that tests start unpack it. Made if this checkout has none, or has changed since. */
async function packCluster(): Promise<void> {
  const packed = await readPacked({ file: packedCluster, key: describeContents() }, findBinaries());
  if (typeof packed === 'object') return;
  const { packCluster: pack } = await import('../../packaging/pack-cluster.ts');
  await pack(fastQuality);
}

const fastQuality = 4;
const { choice, why } = await chooseServer();
const isUrl = /^postgres(ql)?:\/\//.test(choice);
const named = isUrl ? new URL(choice).host : choice;
process.stdout.write(`# PostgreSQL for the tests: ${named} (${why})\n`);
try {
  // An earlier process with the same id may have left one.
  rmSync(stateFile(run), { force: true });
  if (isUrl) writeState(run, { url: choice, run: nameRun() });
  else await startKeeper(choice);
  await packCluster();
  const client = new Client({ connectionString: findState(run)?.url });
  await client.connect();
  if (isUrl) await dropStale(client);
  await client.end();
} catch (error) {
  process.stderr.write(
    `PostgreSQL for the tests, ${named}: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  // On a failing exit code tap runs neither the tests nor `after`.
  rmSync(stateFile(run), { force: true });
  process.exitCode = 1;
}
