// A primary with a synchronous streaming replica: reads go to the replica, an acknowledged write is visible there at once, and no
// acknowledged write is missing after a failover.
import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { t as tap, type Test, test } from 'tap';
import { askUntil, until, withClient } from '../outages/setting.ts';
import { startProxy } from '../outages/proxy.ts';
import { startServing } from '../support/process.ts';
import type { Answered } from '../support/service.ts';
import { findFreePort, findProgram, runServer } from './programs.ts';

const debian = '/usr/lib/postgresql';
const folders = readIfThere(debian).map((version) => join(debian, version, 'bin'));
const programs = ['initdb', 'postgres', 'pg_basebackup'].map((name) => findProgram(name, ...folders));
const [initdb = '', postgres = '', pgBasebackup = ''] = programs;
const skip = programs.includes(undefined) && 'initdb, postgres and pg_basebackup are not installed';
// PostgreSQL refuses to run as root; any other account will do.
const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const token = 'wlu_alice_public_sample_token_0000000000';
const path = '/api/users/alice/notifications/';

function readIfThere(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted().toReversed();
  } catch {
    return [];
  }
}

async function waitFor(url: string): Promise<boolean> {
  return until(async () => {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  });
}

async function startPair(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-replica-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
  const ports = [await findFreePort(), await findFreePort()] as const;
  const [primary, replica] = ports.map((port) => `postgres://postgres@127.0.0.1:${port}/postgres`) as [string, string];
  const data = (name: string) => join(folder, name);
  const run = (file: string, args: string[]) =>
    execFileSync(file, args, { ...account, cwd: folder, stdio: 'pipe', env: { LC_ALL: 'C.UTF-8' } });
  const serve = (name: string, port: number, settings: string[]) => {
    const all = [
      'listen_addresses=127.0.0.1',
      `port=${port}`,
      `unix_socket_directories=${folder}`,
      'fsync=off',
      ...settings,
    ];
    return runServer(t, postgres, ['-D', data(name), ...all.flatMap((setting) => ['-c', setting])], account);
  };
  run(initdb, ['-D', data('primary'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']);
  const primaryServer = serve('primary', ports[0], ['synchronous_standby_names=*', 'synchronous_commit=local']);
  await waitFor(primary);
  run(pgBasebackup, [
    '-D',
    data('replica'),
    '-R',
    '-c',
    'fast',
    '-d',
    `${primary}?application_name=replica`,
    '--no-sync',
  ]);
  const replicaServer = serve('replica', ports[1], ['hot_standby_feedback=on']);
  await waitFor(replica);
  return { primary, replica, ports, primaryServer, replicaServer };
}

async function ask(url: string, method: string, to: string, json?: object): Promise<Answered> {
  const answer = await fetch(url + to, {
    method,
    headers: { authorization: `Token ${token}`, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: {}, text, json: text === '' ? undefined : JSON.parse(text) };
}

const count = (url: string, text: string) =>
  withClient(tap, url, async (client) => Number((await client.query<{ n: number }>(text)).rows[0]?.n));

await test('a replica that has applied every acknowledged write', { skip }, async (t) => {
  const pair = await startPair(t);
  const proxy = await startProxy(t, pair.ports[0]);
  const through = pair.primary.replace(`:${pair.ports[0]}/`, `:${proxy.port}/`);
  const service = await startServing(t, {
    DATABASE_URL: through,
    UNDERSTUDY_READ_DATABASE_URL: pair.replica,
  });
  await askUntil(200, () => ask(service.url, 'GET', path));

  const acknowledged: number[] = [];
  const write = () => ask(service.url, 'POST', path, { notification: 'LockNotification', scope: 20, frequency: 1 });
  let missed = 0;
  for (let i = 0; i < 50; i++) {
    const { status, json } = await write();
    t.equal(status, 201);
    const { id } = json as { id: number };
    if ((await ask(service.url, 'GET', `${path}${id}/`)).status !== 200) missed++;
    if (i < 49) await ask(service.url, 'DELETE', `${path}${id}/`);
    else acknowledged.push(id);
  }
  t.equal(missed, 0, 'each of fifty entries is found at once by a read');
  const connections = `select count(*)::int as n from pg_stat_activity where application_name = 'understudy'`;
  t.equal(await count(pair.replica, connections), 1, 'reads have a connection to the replica');

  pair.primaryServer.kill('SIGKILL');
  t.equal((await askUntil(503, () => ask(service.url, 'GET', '/_understudy/health/ready'))).status, 503, 'not ready');
  t.equal((await ask(service.url, 'GET', path)).status, 200, 'reads go on');
  t.equal((await write()).status, 503, 'writes do not');
  await withClient(t, pair.replica, (client) => client.query('select pg_promote()'));
  proxy.cut();
  proxy.aim(pair.ports[1]);
  t.equal((await askUntil(200, () => ask(service.url, 'GET', '/_understudy/health/ready'))).status, 200, 'ready again');
  t.equal((await ask(service.url, 'GET', `${path}${acknowledged[0]}/`)).status, 200, 'what was acknowledged is there');
  t.equal((await ask(service.url, 'DELETE', `${path}${acknowledged[0]}/`)).status, 204, 'writes resume');
});
