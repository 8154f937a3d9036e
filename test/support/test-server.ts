// Finds the PostgreSQL of this checkout's tests, or starts the keeper (keeper.ts): a process that outlives
// the run, and that chooses, starts and ends this PostgreSQL.
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a keeper answers. */
export interface KeptServer {
  /** A database to connect to in order to create others. */
  readonly url: string;
  /** Part of the name of each database of this run. */
  readonly run: string;
  /** Which server was chosen; only the first process of a run gets this text. */
  readonly choice?: string | undefined;
}

const script = join(import.meta.dirname, 'keeper.ts');
const installed = join(import.meta.dirname, '../../node_modules/.package-lock.json');
const pollMs = 20;

/** Differs by checkout and chosen server, and after each `npm ci`, which removes a running server's files. */
function socketPath(): string {
  const { TEST_DATABASE = '', DOCKER_HOST = '' } = process.env;
  const modified = [script, installed].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs);
  const key = hash('sha256', JSON.stringify([script, modified, TEST_DATABASE, DOCKER_HOST])).slice(0, 12);
  return join(tmpdir(), `understudy-test-${process.getuid?.() ?? 0}-${key}`);
}

let found: Promise<KeptServer> | undefined;

/** Asks the keeper once per process. */
export const findServer = (): Promise<KeptServer> => (found ??= find());

async function find(): Promise<KeptServer> {
  const server = await askKeeper(socketPath());
  if (server.choice) process.stderr.write(`# PostgreSQL for the tests: ${server.choice}\n`);
  return server;
}

/** Starts a keeper if none listens on the socket. */
async function askKeeper(path: string): Promise<KeptServer> {
  let keeper: ReturnType<typeof spawn> | undefined;
  for (;;) {
    const server = await ask(path);
    if (server) return server;
    if (keeper?.exitCode) throw new Error(`the keeper of the tests' PostgreSQL ended with ${keeper.exitCode}`);
    if (keeper?.exitCode !== null) {
      const { NODE_OPTIONS: _, ...env } = process.env;
      keeper = spawn(process.execPath, [script, path], { detached: true, stdio: 'ignore', env });
      keeper.unref();
    }
    await sleep(pollMs);
  }
}

/** Undefined if no keeper answers. The connection keeps the keeper running as long as this process runs. */
function ask(path: string): Promise<KeptServer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<KeptServer | undefined>();
  // tap is the parent of each test file's process, and names the run. A file without tap is a run of its own.
  const run = process.env['TAP'] === undefined ? process.pid : process.ppid;
  const socket = connect(path, () => socket.write(String(run)));
  socket.once('data', (chunk) => {
    const answer = JSON.parse(chunk.toString()) as KeptServer & { fault?: string };
    socket.unref();
    if (answer.fault === undefined) resolve(answer);
    else reject(new Error(`PostgreSQL for the tests: ${answer.fault}`));
  });
  socket.on('error', () => undefined);
  socket.once('close', () => resolve(undefined));
  return promise;
}
