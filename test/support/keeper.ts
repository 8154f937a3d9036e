// The keeper of the test server: a process that starts when a test needs a database (test-server.ts).
// The keeper chooses and starts PostgreSQL, and serves all runs of the checkout. It ends when no test has
// been connected to it for a minute.
import { rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { reasonOf } from '../../src/base/failure.ts';
import { dropRun, dropStale } from './database.ts';
import type { KeptServer } from './test-server.ts';

const image = 'postgres:18';
const [path = ''] = process.argv.slice(2);
const idleMs = 60_000;
/** Begins with the time, so that `dropStale` finds the databases of keepers that were killed long ago. */
const name = `${Math.floor(Date.now() / 1000)}_${process.pid}`;

interface Provided {
  readonly url: string;
  /** Which server it is and why, for people. */
  readonly choice: string;
  readonly stop: () => Promise<unknown>;
}

async function provide(): Promise<Provided> {
  const wanted = process.env['TEST_DATABASE'] ?? '';
  if (wanted !== '') return start(wanted, 'TEST_DATABASE says so');
  if (!(await engineHasImage())) return start('embedded', `no Docker engine has ${image}`);
  try {
    return await start('testcontainers', `a Docker engine answers and has ${image}`);
  } catch (error) {
    return start('embedded', `the Docker engine has ${image}, but Testcontainers failed: ${reasonOf(error)}`);
  }
}

async function start(kind: string, why: string): Promise<Provided> {
  if (kind === 'embedded') {
    const { startEmbedded } = await import('../../packaging/start-embedded.ts');
    const { url, stop } = await startEmbedded({});
    return { url, stop, choice: `embedded (${why})` };
  }
  if (kind === 'testcontainers') {
    const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
    const container = await new PostgreSqlContainer(image).withTmpFs({ '/var/lib/postgresql': 'rw' }).start();
    return { url: container.getConnectionUri(), stop: () => container.stop(), choice: `testcontainers (${why})` };
  }
  if (!/^postgres(ql)?:\/\//.test(kind))
    throw new Error(`TEST_DATABASE is ${kind}: it can be embedded, testcontainers or a postgres:// URL`);
  await onServer(kind, dropStale);
  const stop = () => onServer(kind, (client) => dropRun(client, name));
  return { url: kind, stop, choice: `${new URL(kind).host} (${why})` };
}

async function engineHasImage(): Promise<boolean> {
  const { DOCKER_HOST, XDG_RUNTIME_DIR = '' } = process.env;
  const sockets = [
    '/var/run/docker.sock',
    join(XDG_RUNTIME_DIR, 'docker.sock'),
    join(homedir(), '.docker/run/docker.sock'),
  ];
  for (const host of DOCKER_HOST ? [DOCKER_HOST] : sockets.map((socket) => `unix://${socket}`)) {
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

async function onServer(url: string, step: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await step(client);
  } finally {
    await client.end();
  }
}

const runOf = (pid: number): string => `${name}_${pid}`;

/** The process ids of the runs that may have databases. */
const runs = new Set<number>();

/** Answers a test process of the run `pid`. The connection lasts as long as the test process. */
async function serve(socket: Socket, pid: number): Promise<void> {
  try {
    const { url, choice } = await provided;
    const isFirst = !runs.has(pid);
    runs.add(pid);
    const server: KeptServer = { url, run: runOf(pid), choice: isFirst ? choice : undefined };
    socket.write(JSON.stringify(server));
    if (isFirst) await onServer(url, dropEnded);
  } catch (error) {
    socket.end(JSON.stringify({ fault: reasonOf(error) }));
    // Closed, so that the next test process starts another keeper.
    door.close();
  }
}

async function dropEnded(client: Client): Promise<void> {
  for (const pid of runs) {
    if (isAlive(pid)) continue;
    runs.delete(pid);
    await dropRun(client, runOf(pid));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Tells whether another keeper answers at the path. A killed or failed keeper does not answer. */
const isTaken = (): Promise<boolean> =>
  new Promise((resolve) => {
    const other = connect(path, () => resolve(true)).on('error', () => resolve(false));
    other.unref();
  });

if (await isTaken()) process.exit();
rmSync(path, { force: true });
const clients = new Set<Socket>();
let idle = setTimeout(end, idleMs);
const door = createServer((socket) => {
  clearTimeout(idle);
  clients.add(socket);
  socket.once('data', (chunk) => void serve(socket, Number(chunk)));
  socket.on('error', () => undefined);
  socket.once('close', () => {
    clients.delete(socket);
    if (clients.size === 0) idle = setTimeout(end, door.listening ? idleMs : 0);
  });
});
// Another keeper, started at the same moment, took the path first.
door.on('error', () => process.exit());
door.listen(path);
const provided = provide();
process.on('SIGTERM', end);
// `serve` reports an error to each test process that asks.
provided.catch(() => undefined);

function end(): void {
  door.close();
  void finish();
}

async function finish(): Promise<void> {
  const server = await provided.catch(() => undefined);
  await server?.stop();
  process.exit();
}
