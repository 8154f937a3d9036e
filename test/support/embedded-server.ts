// The PostgreSQL server of a test run. As a program it is the run's keeper: it starts the chosen server, records its URL in the state
// file, and stops the server when the run ends or is killed. `before` starts the keeper and `after` stops it.
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

export const image = 'postgres:18';
const pollMs = 500;

/** What `before` records for the tests and for `after`. */
export interface RunState {
  /** A database to connect to in order to create others. */
  readonly url: string;
  /** Part of the name of each database of this run. */
  readonly run: string;
  /** The keeper's process id; absent where the server isn't ours to end. */
  readonly keeper?: number;
}

export interface TestServer {
  readonly url: string;
  stop(): Promise<unknown>;
}

/** Named by the id of tap's process, which is the parent of `before`, of each test file and of `after`. */
export function stateFile(run: number): string {
  return join(tmpdir(), `understudy-test-${process.getuid?.() ?? 0}-${run}.json`);
}

export function findState(run: number): RunState | undefined {
  try {
    const state: RunState = JSON.parse(readFileSync(stateFile(run), 'utf8'));
    return state;
  } catch {
    return undefined;
  }
}

export function writeState(run: number, state: RunState): void {
  const draft = `${stateFile(run)}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(state), { mode: 0o600 });
  renameSync(draft, stateFile(run));
}

/** Begins with the time, so that databases of a killed run can be told from those of a running one. */
export function nameRun(): string {
  return `${Math.floor(Date.now() / 1000)}_${process.pid}`;
}

/** `embedded`, `testcontainers` or a URL, and why. */
export async function chooseServer(): Promise<{ choice: string; why: string }> {
  const wanted = process.env['TEST_DATABASE'] ?? '';
  if (wanted !== '') return { choice: wanted, why: 'TEST_DATABASE says so' };
  if (await engineHasImage()) return { choice: 'testcontainers', why: `a Docker engine answers and has ${image}` };
  return { choice: 'embedded', why: `no Docker engine answers that has ${image}` };
}

async function engineHasImage(): Promise<boolean> {
  const { DOCKER_HOST, XDG_RUNTIME_DIR = '' } = process.env;
  const sockets = [
    '/var/run/docker.sock',
    join(XDG_RUNTIME_DIR, 'docker.sock'),
    join(homedir(), '.docker/run/docker.sock'),
  ];
  for (const host of DOCKER_HOST ? [DOCKER_HOST] : sockets.map((path) => `unix://${path}`)) {
    if (await hasImage(new URL(host))) return true;
  }
  return false;
}

function hasImage({ protocol, pathname, hostname, port }: URL): Promise<boolean> {
  const address = protocol === 'unix:' ? { socketPath: pathname } : { hostname, port };
  return new Promise((resolve) => {
    const asked = request({ ...address, path: `/images/${image}/json`, timeout: 1000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(false));
    asked.end();
  });
}

export async function startServer(choice: string): Promise<TestServer> {
  if (choice === 'embedded') return startTemporary();
  if (choice === 'testcontainers') {
    // Imported only when needed: it takes longer to load than the embedded server takes to start.
    const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
    const container = await new PostgreSqlContainer(image).withTmpFs({ '/var/lib/postgresql': 'rw' }).start();
    return { url: container.getConnectionUri(), stop: () => container.stop() };
  }
  throw new Error(`TEST_DATABASE is ${choice}: it can be embedded, testcontainers or a postgres:// URL`);
}

async function startTemporary(): Promise<TestServer> {
  // Imported only when needed: each test file loads this module, and only the keeper starts a server.
  const { startEmbedded } = await import('../../packaging/start-embedded.ts');
  const { findFastFolder } = await import('./fast-folder.ts');
  const dataDir = mkdtempSync(join(findFastFolder(), 'understudy-test-'));
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  try {
    // The data is thrown away after the run, so it needs no durability.
    const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
    const server = await startEmbedded({ dataDir, settings });
    // A caller that never stops the server keeps it until the process ends.
    process.once('exit', remove);
    return { url: server.url, stop: () => server.stop() };
  } catch (error) {
    remove();
    throw error;
  }
}

async function keep(run: number, choice: string): Promise<void> {
  const server = await startServer(choice);
  writeState(run, { url: server.url, run: nameRun(), keeper: process.pid });
  const ended = Promise.withResolvers<void>();
  process.on('SIGTERM', () => ended.resolve());
  const poll = setInterval(() => {
    if (!isAlive(run)) ended.resolve();
  }, pollMs);
  process.disconnect?.();
  await ended.promise;
  clearInterval(poll);
  rmSync(stateFile(run), { force: true });
  await server.stop();
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

if (process.argv[1] === import.meta.filename) {
  try {
    await keep(Number(process.argv[2]), process.argv[3] ?? '');
  } catch (error) {
    process.send?.(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
