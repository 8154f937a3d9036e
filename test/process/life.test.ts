// The service as a process: how it waits for its database, and how it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { t as file, test } from 'tap';
import { makeScratch, readPids, untilGone } from '../support/postgres-folders.ts';
import { createTestDatabase } from '../support/database.ts';
import { startCommand, startServing } from '../support/process.ts';
import { createSeededDatabase } from '../support/service.ts';

// Processes take their time to start where many do.
file.setTimeout(180_000);

const list = '/api/users/alice/notifications/';

await test('a refused login ends the start; an unreachable database is waited for', async (t) => {
  const refused = new URL(await createTestDatabase(t));
  refused.password = 'wrong-hunter2';
  const wrong = await startServing(t, { DATABASE_URL: refused.href }).catch((error: Error) => error.message);
  if (typeof wrong !== 'string') t.comment('this server takes any password');
  else {
    t.match(wrong, /^the service ended with 78: [^]*password authentication failed/);
    t.notMatch(wrong, 'hunter2');
  }
  for (const [args, end, code] of [
    [['serve'], '', 0],
    [['generate', '--users', '1'], '; nothing was written', 130],
  ] as const) {
    const away = startCommand(t, [...args], { PORT: '0', DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/x' });
    while (!away.said.stderr.includes('waiting for PostgreSQL at 127.0.0.1:1/x: ')) await sleep(20);
    away.child.kill('SIGINT');
    t.equal(await away.ended, code);
    t.match(away.said.stderr, new RegExp(`\\n${args[0]}: interrupted${end}\\n$`));
    t.notMatch(away.said.stderr, 'hunter2');
  }
});

await test('SIGTERM: requests in progress complete, then it ends', async (t) => {
  const databaseUrl = await createSeededDatabase(t, 'documented');
  const { url, child, ended } = await startServing(t, { DATABASE_URL: databaseUrl });
  // A transaction sees other sessions as at its first look, so one holds the lock and another looks.
  const [holder, looker] = [
    new Client({ connectionString: databaseUrl }),
    new Client({ connectionString: databaseUrl }),
  ];
  for (const client of [holder, looker]) {
    await client.connect();
    t.teardown(() => client.end());
  }
  await holder.query('begin');
  await holder.query('lock table understudy.subscriptions in access exclusive mode');
  const inFlight = fetch(`${url}${list}`);
  const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await looker.query(isWaiting)).rowCount === 0) await sleep(10);
  child.kill('SIGTERM');
  const isRefused = () =>
    fetch(`${url}/_understudy/health/live`).then(
      () => false,
      () => true,
    );
  while (!(await isRefused())) await sleep(10);
  await holder.query('rollback');
  const answer = await inFlight;
  t.equal(answer.status, 200);
  t.match(await answer.json(), { count: 10 });
  t.equal(await ended, 0);
});

await test('npm start: SIGTERM to npm ends the service and PostgreSQL', async (t) => {
  const dataDir = join(makeScratch(t), 'data');
  const { PATH = '', HOME = '/' } = process.env;
  const env = { PATH, HOME, PORT: '0', UNDERSTUDY_DATA_DIR: dataDir };
  const npm = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '../..'),
    env,
    stdio: 'ignore',
    detached: true,
  });
  const ended = once(npm, 'exit');
  let isOver = false;
  // npm leads a process group, so that nothing stays behind if the test fails.
  t.teardown(() => isOver || process.kill(-Number(npm.pid), 'SIGKILL'));
  const serviceFile = join(dataDir, 'service.json');
  while (!existsSync(serviceFile))
    await Promise.race([sleep(50), ended.then(() => Promise.reject(new Error('npm ended')))]);
  const { watchdog, postgres } = readPids(dataDir);
  npm.kill('SIGTERM');
  await ended;
  // They end after the service.
  await Promise.all([untilGone(watchdog), untilGone(postgres)]);
  isOver = true;
});
