// Runs once before all test files: chooses the PostgreSQL server, says which, and sees that it answers.
import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { Client } from 'pg';
import { dropStale } from './database.ts';
import { chooseServer, findState, nameRun, stateFile, writeState } from './embedded-server.ts';

const run = process.ppid;

/** The keeper is detached, so that it can outlive this process, and watches tap's own, so that it doesn't outlive that. */
async function startKeeper(choice: string): Promise<void> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const script = new URL('embedded-server.ts', import.meta.url);
  const keeper = fork(script, [String(run), choice], { detached: true, stdio: 'ignore', execArgv: [], env });
  let fault = 'it ended without a word';
  keeper.on('message', (message: string) => (fault = message));
  // It closes the channel when the server stands, and exits if it never will.
  await new Promise((resolve) => keeper.once('disconnect', resolve));
  keeper.unref();
  if (findState(run) === undefined) throw new Error(fault);
}

const { choice, why } = await chooseServer();
const isUrl = /^postgres(ql)?:\/\//.test(choice);
const named = isUrl ? new URL(choice).host : choice;
process.stdout.write(`# PostgreSQL for the tests: ${named} (${why})\n`);
try {
  // One that an earlier process of the same number left is not ours.
  rmSync(stateFile(run), { force: true });
  if (isUrl) writeState(run, { url: choice, run: nameRun() });
  else await startKeeper(choice);
  const client = new Client({ connectionString: findState(run)?.url });
  await client.connect();
  if (isUrl) await dropStale(client);
  await client.end();
} catch (error) {
  process.stderr.write(
    `PostgreSQL for the tests, ${named}: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  // Then tap runs neither the tests nor `after`.
  rmSync(stateFile(run), { force: true });
  process.exitCode = 1;
}
