// The PostgreSQL server of a test run. Run as a program it is the run's keeper: it starts the server that was chosen,
// writes down where it is, and ends it with the run, also when the run is killed. `before` starts it and `after` ends it.
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../src/embedded-postgres/embedded.ts';

export const image = 'postgres:18';
const pollMs = 500;

/** What `before` leaves for the tests and for `after`. */
export interface RunState {
  /** A database in which the tests may connect, to make their own. */
  readonly url: string;
  /** In the names of the databases of this run. */
  readonly run: string;
  /** The keeper's process id; absent where the server isn't ours to end. */
  readonly keeper?: number;
}

export interface TestServer {
  readonly url: string;
  stop(): Promise<unknown>;
}

/** The run's state lies under the number of tap's own process, the parent of `before`, of each test and of `after`. */
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

/** Begins with the time, so that what a killed run left behind can be told from what a present one uses. */
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
    // Loaded only here: it takes longer to load than the embedded server to start.
    const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
    const container = await new PostgreSqlContainer(image).withTmpFs({ '/var/lib/postgresql': 'rw' }).start();
    return { url: container.getConnectionUri(), stop: () => container.stop() };
  }
  throw new Error(`TEST_DATABASE is ${choice}: it can be embedded, testcontainers or a postgres:// URL`);
}

async function startTemporary(): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'understudy-test-'));
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  try {
    // Nothing here outlives the run, so nothing has to outlive a power cut.
    const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
    const server = await startEmbedded({ dataDir, settings });
    // Whoever doesn't stop it has it until the process ends, and the server ends then too.
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

if (import.meta.main) {
  try {
    await keep(Number(process.argv[2]), process.argv[3] ?? '');
  } catch (error) {
    process.send?.(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
