// Runs once after all test files: stops the run's own PostgreSQL server, or drops the run's databases from an external one.
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { dropRun } from './database.ts';
import { findState, isAlive, stateFile } from './embedded-server.ts';

const state = findState(process.ppid);
if (state?.keeper !== undefined) {
  process.kill(state.keeper, 'SIGTERM');
  while (isAlive(state.keeper)) await sleep(20);
} else if (state) {
  const client = new Client({ connectionString: state.url });
  await client.connect();
  await dropRun(client, state.run);
  await client.end();
  rmSync(stateFile(process.ppid), { force: true });
}
