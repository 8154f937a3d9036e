// A service whose database can go away: a proxy stands between the two.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Test } from 'tap';
import type { Owner } from './database.ts';
import { type Answered, createSeededDatabase, type Service, type ServiceOptions, startService } from './service.ts';
import { type Proxy, startProxy, type Target } from './proxy.ts';

export const list = '/api/users/alice/notifications/';
export const aNotification = { notification: 'RepositoryNotification', scope: 10, frequency: 1 };
// Long enough for a busy machine. A test that passes never waits this long.
const timeLimitMs = 60_000;

export interface Setting {
  readonly proxy: Proxy;
  readonly service: Service;
  /** The database's URL without the proxy. */
  readonly directUrl: string;
}

export async function startBehindProxy(t: Owner, options: ServiceOptions = {}): Promise<Setting> {
  const directUrl = options.databaseUrl ?? (await createSeededDatabase(t, 'documented'));
  const proxy = await startProxy(t, targetOf(directUrl));
  const service = await startService(t, { ...options, databaseUrl: throughPort(directUrl, proxy.port) });
  return { proxy, service, directUrl };
}

/** Where the server listens: at a port, or, if it is embedded, at a Unix socket. */
export function targetOf(url: string): Target {
  const { port, searchParams } = new URL(url);
  const number = Number(port || 5432);
  const folder = searchParams.get('host');
  return folder === null ? { port: number, host: '127.0.0.1' } : { path: `${folder}/.s.PGSQL.${number}` };
}

export function throughPort(url: string, port: number): string {
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  through.searchParams.delete('host');
  return through.href;
}

/** Asks until the answer has this status, or until the time limit; returns the last answer. */
export async function askUntil(status: number, ask: () => Promise<Answered>): Promise<Answered> {
  const untilMs = performance.now() + timeLimitMs;
  for (;;) {
    const answer = await ask();
    if (answer.status === status || performance.now() > untilMs) return answer;
    await sleep(20);
  }
}

/** Resolves with true once the condition holds, or with false at the time limit. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const untilMs = performance.now() + timeLimitMs;
  while (!(await holds())) {
    if (performance.now() > untilMs) return false;
    await sleep(20);
  }
  return true;
}

export async function withClient<T>(t: Owner, url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  t.teardown(() => client.end().catch(() => undefined));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Asserts the documented form of a 503, by default for a database that does not answer. */
export function assertUnavailable(t: Test, answer: Answered, what: string, why = 'the database did not answer'): void {
  const detail = `Service temporarily unavailable: ${why}.`;
  const json = { type: 'server_error', errors: [{ code: 'service_unavailable', detail, attr: null }] };
  t.match(
    { status: answer.status, json: answer.json, headers: answer.headers },
    { status: 503, json, headers: { 'retry-after': '1', 'content-type': 'application/json' } },
    what,
  );
}
