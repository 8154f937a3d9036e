// From one start to the next: data that is kept, processes that are left behind, and signals.
import { spawn } from 'node:child_process';
import { chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import tap from 'tap';
import { getServerAccount, isRoot } from '../../src/postgres/account.ts';
import { startEmbedded } from '../../packaging/start-embedded.ts';
import { untilAvailable } from '../../src/service/process/provide-database.ts';
import { hear, isGone, makeScratch, query, readPids, startService, untilGone } from '../support/postgres-folders.ts';

const io = { signal: new AbortController().signal, note: () => undefined };

await tap.test('a stop ends the server and keeps the data', async (t) => {
  const dataDir = join(makeScratch(t), 'deep', 'postgres');
  const first = await startEmbedded({ dataDir, settings: { work_mem: '5MB' } });
  t.match(first.version, /^18\.\d+/);
  t.same(await query(first.url, 'show work_mem'), ['5MB'], 'settings reach the server');
  t.same(await query(first.url, 'select current_database()'), ['postgres']);
  t.same(await query(first.url, 'show fsync'), ['on'], 'durability is the default');
  t.same(await query(first.url, 'show listen_addresses'), [''], 'nothing but a socket');
  t.equal(statSync(join(dataDir, 'cluster')).mode & 0o777, 0o700, 'which only its account can reach');
  await query(first.url, 'create table kept as select 42 as answer');
  const { postgres, watchdog } = readPids(dataDir);
  // A number that another process has by now: PostgreSQL by itself refuses to start on such a file.
  const pidFile = readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8');
  await Promise.all([first.stop(), first.stop()]);
  await first.stop();
  t.ok(isGone(postgres));
  t.ok(isGone(watchdog));
  t.notOk(existsSync(join(dataDir, 'cluster/postmaster.pid')));

  const account = isRoot ? getServerAccount() : undefined;
  const owner = account && { uid: account.uid, gid: account.gid };
  const other = spawn('sleep', ['60'], { cwd: '/', ...owner });
  t.teardown(() => other.kill());
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const left = join(dataDir, 'cluster', name);
    writeFileSync(left, pidFile.replace(/^\d+/, String(other.pid)));
    if (account) chownSync(left, account.uid, account.gid);
  }
  const second = await startEmbedded({ dataDir });
  t.same(await query(second.url, 'select answer from kept'), [42]);
  t.equal(other.exitCode, null, 'the other process was left alone');
  await second.stop();
});

await tap.test('a service that is killed leaves nothing, and its folder can be used again', async (t) => {
  const dataDir = join(makeScratch(t), 'postgres');
  const { service, said } = await startService(t, dataDir);
  const url = said.url ?? '';
  await query(url, 'create table kept as select 42 as answer');
  const pids = readPids(dataDir);

  // As a terminal does at Ctrl-C.
  process.kill(-(service.pid ?? 0), 'SIGINT');
  t.same(await hear(service), { interrupted: true });
  t.same(await query(url, 'select answer from kept'), [42], 'Ctrl-C leaves the server to the service');

  service.kill('SIGKILL');
  // At once, while the former server is still ending.
  const next = await startEmbedded({ dataDir });
  t.ok(isGone(pids.watchdog));
  t.ok(isGone(pids.postgres));
  t.same(await query(next.url, 'select answer from kept'), [42]);
  await next.stop();

  const { service: second } = await startService(t, dataDir);
  const orphaned = readPids(dataDir);
  process.kill(orphaned.watchdog, 'SIGSTOP');
  second.kill('SIGKILL');
  process.kill(orphaned.watchdog, 'SIGKILL');
  await untilGone(orphaned.watchdog);
  t.notOk(isGone(orphaned.postgres), 'a server without service and watchdog');
  const lines: string[] = [];
  const last = await startEmbedded({ dataDir, note: (line) => lines.push(line) });
  t.ok(
    lines.includes(`ending the PostgreSQL of a service that was killed (process ${orphaned.postgres})`),
    lines.join('\n'),
  );
  t.ok(isGone(orphaned.postgres));
  t.same(await query(last.url, 'select answer from kept'), [42]);
  await last.stop();
});

await tap.test(
  'a watchdog that is killed: the server is lost, runs until the stop, and nothing after it',
  async (t) => {
    const dataDir = join(makeScratch(t), 'postgres');
    const server = await startEmbedded({ dataDir });
    await query(server.url, 'create table kept as select 42 as answer');
    const pids = readPids(dataDir);
    process.kill(pids.watchdog, 'SIGKILL');
    // The server keeps no program alive, so something else must.
    while (!server.lost.aborted) await sleep(20);
    t.match(server.lost.reason, { message: 'The watchdog of the embedded PostgreSQL was ended from outside.' });
    t.same(await query(server.url, 'select answer from kept'), [42], 'for requests in progress');
    await server.stop();
    t.ok(isGone(pids.postgres));
    t.notOk(existsSync(join(dataDir, 'cluster/postmaster.pid')));
  },
);

await tap.test('a server that ends is started again on its socket, with what was committed', async (t) => {
  const dataDir = join(makeScratch(t), 'postgres');
  const lines: string[] = [];
  const server = await startEmbedded({ dataDir, settings: { work_mem: '5MB' }, note: (line) => lines.push(line) });
  await query(server.url, 'create table kept as select 42 as answer');
  for (const signal of ['SIGKILL', 'SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
    // By itself, a server that gets SIGTERM would wait for it.
    const idle = new Client({ connectionString: server.url });
    idle.on('error', () => undefined);
    await idle.connect();
    const { postgres } = readPids(dataDir);
    process.kill(postgres, signal);
    await untilGone(postgres);
    const answer = await untilAvailable({ description: 'PostgreSQL', ready: server.ready }, io, () =>
      query(server.url, 'select answer from kept'),
    );
    t.same(answer, [42], signal);
    t.not(readPids(dataDir).postgres, postgres);
  }
  t.same(await query(server.url, 'show work_mem'), ['5MB'], 'with the settings of the first');
  const reports = lines.filter((line) => line.startsWith('PostgreSQL ended unasked and is started again'));
  t.equal(reports.length, 4);
  const { postgres } = readPids(dataDir);
  await server.stop();
  t.ok(isGone(postgres), 'nothing restarts after a stop');
  t.equal(lines.filter((line) => line.includes('unasked')).length, 4);
});

await tap.test('of two that start at once on one folder, one runs and the other names it', async (t) => {
  const dataDir = join(makeScratch(t), 'postgres');
  const both = [0, 1].map(() => startService(t, dataDir));
  const first = await Promise.race(both);
  t.match(first.said.url, /^postgres:/, 'the other one waits');
  writeFileSync(join(dataDir, 'service.json'), JSON.stringify({ pid: first.service.pid }), { mode: 0o644 });
  const faults = (await Promise.all(both)).map(({ said }) => said.fault);
  t.match(
    faults.find((fault) => fault !== undefined),
    `PassingError: The data folder ${dataDir} is in use by another service (process ${first.service.pid})`,
  );
  t.same(await query(first.said.url ?? '', 'select 1'), [1], 'the loser leaves the winner alone');
  const pids = readPids(dataDir);
  first.service.kill('SIGKILL');
  await Promise.all([untilGone(pids.watchdog), untilGone(pids.postgres)]);
});
