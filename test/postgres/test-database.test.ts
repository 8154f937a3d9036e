// The databases of test files, empty or cloned from a template, and the keeper of their server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import tap, { type Test } from 'tap';
import { createDatabaseFromTemplate, createTestDatabase } from '../support/database.ts';
import { makeScratch, query } from '../support/postgres-folders.ts';
import { askKeeper, type KeptServer } from '../support/test-server.ts';

await tap.test('an empty database, dropped when its test is over', async (t) => {
  let url = '';
  await t.test('a test gets it', async (owner) => {
    url = await createTestDatabase(owner);
    owner.same(await query(url, `select count(*)::int from pg_class where relnamespace = 'public'::regnamespace`), [0]);
  });
  await t.rejects(query(url, 'select 1'), { code: '3D000' });
});

await tap.test('a template is prepared once, and each caller gets a database', async (t) => {
  let prepared = 0;
  // A name of this process's own, so that no other one has prepared the template.
  const name = `numbers ${process.pid}`;
  const prepare = async (url: string): Promise<void> => {
    prepared++;
    await query(url, 'create table numbers as select 1 as number');
  };
  const urls = await Promise.all([1, 2, 3, 4].map(() => createDatabaseFromTemplate(t, name, prepare)));
  t.equal(prepared, 1);
  t.equal(new Set(urls).size, 4);
  await query(urls[0] ?? '', 'insert into numbers values (2)');
  t.same(await query(urls[0] ?? '', 'select number from numbers order by number'), [1, 2]);
  t.same(await query(urls[1] ?? '', 'select number from numbers order by number'), [1]);
});

await tap.test('a preparation that fails leaves no template', async (t) => {
  const name = `failing ${process.pid}`;
  await t.rejects(
    createDatabaseFromTemplate(t, name, () => Promise.reject(new Error('not today'))),
    { message: 'not today' },
  );
  const url = await createDatabaseFromTemplate(t, name, (draft) => query(draft, 'create table there ()'));
  t.same(await query(url, `select to_regclass('there') is not null`), [true]);
});

const { TAP: _, ...environment } = process.env;
const idleMs = 300;

/** Runs a process that asks for the server, as a run of its own, and stays. */
async function startAsker(t: Test, path: string): Promise<{ server: KeptServer; kill: () => Promise<unknown> }> {
  const module = join(import.meta.dirname, '../support/test-server.ts');
  const program = `import { askKeeper } from ${JSON.stringify(module)};
    process.send(await askKeeper(${JSON.stringify(path)}, { idleMs: ${idleMs} }));
    setInterval(() => {}, 1000);`;
  const asker = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...environment, TEST_DATABASE: 'embedded' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(asker, 'exit');
  const kill = () => (asker.kill('SIGKILL'), exited);
  t.teardown(kill);
  const [server] = (await once(asker, 'message')) as [KeptServer];
  return { server, kill };
}

const folderOf = ({ url }: KeptServer): string => new URL(url).searchParams.get('host') ?? '';
const keeperOf = ({ run }: KeptServer): number => Number(run.split('_')[1]);

/** Waits without a limit of its own: the test's time limit applies. */
async function untilEnded(server: KeptServer): Promise<void> {
  while (existsSync(folderOf(server))) await sleep(20);
}

await tap.test('processes that ask at once share one server, which ends once the last was killed', async (t) => {
  const path = join(makeScratch(t), 'keeper');
  const askers = await Promise.all([1, 2, 3].map(() => startAsker(t, path)));
  const [first, ...others] = askers.map(({ server }) => server) as [KeptServer, KeptServer];
  for (const { url } of others) t.equal(url, first.url);
  t.equal(new Set(askers.map(({ server }) => server.run)).size, 3);
  t.match(first.choice, /^embedded \(TEST_DATABASE/);
  await query(first.url, `create database understudy_test_${first.run}_left`);
  await askers[0]?.kill();
  const { server: next } = await startAsker(t, path);
  t.equal(next.url, first.url);
  const left = `select count(*)::int from pg_database where datname like '%_left'`;
  while ((await query(next.url, left))[0] !== 0) await sleep(20);
  t.pass('databases of a run that ended are dropped');
  for (const { kill } of askers) await kill();
  t.ok(existsSync(folderOf(next)), 'one still uses it');
  process.kill(keeperOf(next), 'SIGKILL');
  await untilEnded(next);
  t.ok(existsSync(path), 'a killed keeper leaves its socket');
  const last = await startAsker(t, path);
  t.not(last.server.url, first.url);
  await last.kill();
  await untilEnded(last.server);
  t.notOk(existsSync(path));
});

// Testcontainers goes on to the machine's own engine where DOCKER_HOST can start nothing.
const skip = existsSync('/var/run/docker.sock') && 'this machine has an engine of its own';

await tap.test('an engine that has the image, but can start no container, is no failure', { skip }, async (t) => {
  const folder = makeScratch(t);
  const engine = createServer(({ url }, response) => response.writeHead(url?.startsWith('/images/') ? 200 : 500).end());
  engine.listen(join(folder, 'engine'));
  t.teardown(() => engine.close());
  const env = { ...environment, DOCKER_HOST: `unix://${folder}/engine`, TEST_DATABASE: '' };
  const server = await askKeeper(join(folder, 'keeper'), { idleMs, env });
  t.match(server.choice, /^embedded \(the Docker engine has postgres:18, but Testcontainers failed: ./);
});

await tap.test('an unknown choice is an error', (t) =>
  t.rejects(askKeeper(join(makeScratch(t), 'keeper'), { idleMs, env: { ...environment, TEST_DATABASE: 'mysql' } }), {
    message: /TEST_DATABASE is mysql: it can be/,
  }),
);
