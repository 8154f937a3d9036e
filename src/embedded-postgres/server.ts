// The server on the cluster: started under the watchdog, on a free port, and waited for.
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { command } from './cluster.ts';
import type { Place } from './cluster.ts';
import { elsewhere, EmbeddedError } from './embedded-error.ts';
import type { Folder } from './folder.ts';
import { parsePidFile, pidFile } from './pid-file.ts';
import { asAccount } from './rights.ts';
import { listServerOptions } from './settings.ts';

const pollMs = 5;
const slowMs = 3000;
const portAttempts = 5;

export interface RunningServer {
  readonly port: number;
  readonly pid: number;
}

/** The log of the run before, which the next one would write over. */
export function keepLog({ account, log, previousLog }: Folder): void {
  asAccount(account, () => existsSync(log) && renameSync(log, previousLog));
}

/**
 * Serves the cluster on the loopback address; resolves when it takes connections. Throws EmbeddedError with PostgreSQL's own words
 * where it doesn't.
 * @param givenPort left out: a free one
 */
export async function startServer(
  place: Place,
  settings: Readonly<Record<string, string>>,
  givenPort?: number,
): Promise<RunningServer> {
  const { watchdog, folder, binaries } = place;
  for (let attempt = 1; ; attempt++) {
    const port = givenPort ?? (await findFreePort());
    const options = listServerOptions(folder, port, settings);
    const { pid } = await watchdog.ask('serve', { ...command(folder, binaries.postgres, options), log: folder.log });
    if (await becomesReady(place, pid)) return { port, pid };
    const said = asAccount(folder.account, () => readFileSync(folder.log, 'utf8'));
    // Someone else can take the port between our look and the server's.
    const mayTryAnother = givenPort === undefined && attempt < portAttempts;
    if (!mayTryAnother || !said.includes('could not bind')) throw serverFault(folder, said);
  }
}

/** False if the server ended instead. However long recovery takes, it is waited for. */
async function becomesReady({ watchdog, folder, say }: Place, pid: number): Promise<boolean> {
  const over = Promise.race([watchdog.ended(pid), watchdog.gone]).then(() => true);
  const beganMs = Date.now();
  for (let said = false; !(await Promise.race([over, sleep(pollMs, false)]));) {
    const { text } = await watchdog.ask('read', { file: pidFile(folder) });
    const found = parsePidFile(text.split('\n'));
    if (found.pid === pid && found.isReady) return true;
    if (said || Date.now() - beganMs < slowMs) continue;
    say(`waiting for PostgreSQL, which may be recovering from a hard stop (${folder.log})`);
    said = true;
  }
  return false;
}

function serverFault(folder: Folder, log: string): EmbeddedError {
  const said = log.split('\n').findLast((line) => /(FATAL|PANIC):/.test(line));
  return new EmbeddedError(
    `PostgreSQL did not start on ${folder.path}: ${said?.replace(/^.*?(FATAL|PANIC): */, '') ?? 'it ended without a word'}.\n` +
      `Its log: ${folder.log}. ${elsewhere}`,
  );
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ port: 0, host: '127.0.0.1' }, resolve);
  await promise;
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === 'string') throw new Error('a TCP listener has no port');
  return address.port;
}
