// Temporary clusters and the cache that they are copied from: made once, by one process, and never half.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { t as file, test } from 'tap';
import { isGone, makeScratch, readPids, untilGone } from './helpers.ts';
import { listRemains, makePlace, type Place, untilNothingRemains } from '../library/place.ts';
import { startCommand, startServing } from '../support/process.ts';

file.setTimeout(240_000);

const making = 'making a PostgreSQL';
const list = '/api/users/alice/notifications/';
const envOf = ({ env }: Place) => ({ ...env, UNDERSTUDY_TEMPORARY: 'true' });

async function countOf(url: string): Promise<number> {
  const { count } = (await (await fetch(`${url}${list}`)).json()) as { count: number };
  return count;
}

const place = makePlace(file);

await test('four first starts at once share one cluster, which is made once', async (t) => {
  const services = await Promise.all([1, 2, 3, 4].map(() => startServing(t, envOf(place))));
  t.equal(services.filter(({ said }) => said.stderr.includes(making)).length, 1);
  t.same(await Promise.all(services.map(({ url }) => countOf(url))), [10, 10, 10, 10]);
  t.equal(place.clusters().length, 1);
  const headers = { authorization: 'Token wlu_alice_public_sample_token_0000000000' };
  t.equal((await fetch(`${services[0]?.url}${list}1/`, { method: 'DELETE', headers })).status, 204);
  t.same(await Promise.all(services.map(({ url }) => countOf(url))), [9, 10, 10, 10], 'each has data of its own');
  await Promise.all(services.map((service) => service.end()));
  t.strictSame(listRemains(place), []);
});

await test('a start that finds the cluster makes none', async (t) => {
  const { url, said } = await startServing(t, envOf(place));
  t.notMatch(said.stderr, making);
  t.equal(await countOf(url), 10);
  t.match(said.stderr, /data in temporary PostgreSQL 18\.\d+\n/);
});

await test('a cluster for each seed; those that were not used for long go', async (t) => {
  const [known = ''] = place.clusters();
  for (let i = 0; i < 8; i++) {
    const old = join(place.cache, 'understudy/clusters', String(i).repeat(32));
    mkdirSync(old);
    utimesSync(old, i, i);
  }
  const seed = join(t.testdir({ 'own.yaml': 'users: [{ username: zoe }]' }), 'own.yaml');
  const { url } = await startServing(t, { ...envOf(place), UNDERSTUDY_SEED: seed });
  t.equal((await fetch(`${url}/api/users/zoe/`)).status, 200);
  const left = place.clusters();
  t.equal(left.length, 6);
  t.ok(left.includes(known));
  t.notOk(left.includes('0'.repeat(32)));
});

await test('a change of the code that loads makes a new cluster', async (t) => {
  const own = makePlace(t);
  const checkout = makeScratch(t);
  const root = join(import.meta.dirname, '../..');
  for (const name of ['bin', 'src', 'migrations', 'seeds', 'package.json'])
    cpSync(join(root, name), join(checkout, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  const makes = async (): Promise<boolean> => {
    const { PATH = '', HOME = '/' } = process.env;
    const env = { PATH, HOME, ...envOf(own), NODE_COMPILE_CACHE: join(checkout, 'compiled') };
    const args = ['serve', '--port', '0', '--json', '--exit-on-stdin-close'];
    const child = spawn(join(checkout, 'bin/understudy'), args, { env });
    t.teardown(() => child.kill('SIGKILL'));
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await once(child.stdout, 'data');
    child.stdin.end();
    await once(child, 'close');
    return said.includes(making);
  };
  t.equal(await makes(), true);
  t.equal(await makes(), false);
  appendFileSync(join(checkout, 'src/seed/kinds.ts'), '// another initial value\n');
  t.equal(await makes(), true);
});

await test('a cluster that does not start is made anew', async (t) => {
  const own = makePlace(t);
  await (await startServing(t, envOf(own))).end();
  const [name = ''] = own.clusters();
  rmSync(join(own.cache, 'understudy/clusters', name, 'cluster/global/pg_control'));
  const { url, said } = await startServing(t, envOf(own));
  t.match(said.stderr, "the cached PostgreSQL doesn't start and is made anew");
  t.equal(await countOf(url), 10);
  t.same(own.clusters(), [name]);
  t.notMatch((await startServing(t, envOf(own))).said.stderr, making);
});

await test('a cluster that was damaged, and starts all the same, is made anew', async (t) => {
  const own = makePlace(t);
  await (await startServing(t, envOf(own))).end();
  const [name = ''] = own.clusters();
  appendFileSync(join(own.cache, 'understudy/clusters', name, 'cluster/postgresql.conf'), '# a change\n');
  t.match((await startServing(t, envOf(own))).said.stderr, 'is made anew');
  t.notMatch((await startServing(t, envOf(own))).said.stderr, making);
});

await test('no command line tells the name of a temporary folder before the folder is there', async (t) => {
  const own = makePlace(t);
  await startServing(t, envOf(own));
  const [watchdog] = listRemains(own).filter((line) => line.includes('watchdog.mjs'));
  t.match(watchdog, own.tmp);
  t.notMatch(watchdog, `${own.tmp}/understudy-`);
});

await test('a service and a watchdog that are killed together: the next start removes what they left', async (t) => {
  const own = makePlace(t);
  const { child, ended } = await startServing(t, envOf(own));
  const [path = ''] = readdirSync(own.tmp).map((name) => join(own.tmp, name));
  const live = await startServing(t, envOf(own));
  const { watchdog, postgres } = readPids(path);
  process.kill(watchdog, 'SIGSTOP');
  child.kill('SIGKILL');
  await ended;
  process.kill(watchdog, 'SIGKILL');
  await untilGone(watchdog);
  t.notOk(isGone(postgres));
  // What only looks like it: somebody's folder of that name, and one that others can enter.
  mkdirSync(join(own.tmp, 'understudy-folder'));
  mkdirSync(join(own.tmp, 'understudy-abcdef'));
  chmodSync(join(own.tmp, 'understudy-abcdef'), 0o700);
  const next = await startServing(t, envOf(own));
  t.match(next.said.stderr, `left running without a watchdog (process ${postgres})`);
  t.ok(isGone(postgres));
  t.notOk(existsSync(path));
  t.equal(await countOf(live.url), 10, 'one that runs is left alone');
  for (const service of [live, next]) await service.end();
  t.strictSame(readdirSync(own.tmp).toSorted(), ['understudy-abcdef', 'understudy-folder']);
});

await test('a maker that is killed leaves nothing that is taken for whole', async (t) => {
  const own = makePlace(t);
  const { child, said: first, ended } = startCommand(t, ['serve'], { ...envOf(own), PORT: '0' });
  while (!first.stderr.includes(making)) await sleep(5);
  await sleep(500);
  child.kill('SIGKILL');
  await ended;
  await untilNothingRemains(own);
  const { url, said } = await startServing(t, envOf(own));
  t.match(said.stderr, making);
  t.equal(await countOf(url), 10);
  t.match(own.clusters(), [/^[0-9a-f]{32}$/]);
});

await test('a cache that cannot be used: the cluster is made in the temporary folder', async (t) => {
  const [missing, foreign] = [makePlace(t), makePlace(t)];
  rmSync(missing.cache, { recursive: true });
  writeFileSync(missing.cache, '');
  mkdirSync(join(foreign.cache, 'understudy/clusters'), { recursive: true });
  writeFileSync(join(foreign.cache, 'understudy/clusters/letter.txt'), '');
  for (const at of [missing, foreign]) {
    const service = await startServing(t, envOf(at));
    t.equal(await countOf(service.url), 10);
    t.match(service.said.stderr, `${making} 18 in ${at.tmp}/understudy-`);
    await service.end();
    t.strictSame(listRemains(at), []);
  }
  t.same(readdirSync(join(foreign.cache, 'understudy/clusters')), ['letter.txt']);
});

await test('only the account that runs the server can enter', async (t) => {
  await startServing(t, envOf(place));
  const folders = [
    ...readdirSync(place.tmp).map((name) => join(place.tmp, name)),
    place.cache + '/understudy/clusters',
  ];
  const modes = folders.map((path) => statSync(path).mode & 0o077);
  t.ok(
    modes.every((mode) => (mode & 0o066) === 0),
    modes.join(),
  );
});

await test('data that is to be kept, and other commands', async (t) => {
  for (const [name, value] of [
    ['DATABASE_URL', 'postgres://127.0.0.1/x'],
    ['UNDERSTUDY_DATA_DIR', place.tmp],
  ] as const) {
    const { ended, said } = startCommand(t, ['serve'], { ...envOf(place), [name]: value });
    t.equal(await ended, 2);
    t.match(said.stderr, `UNDERSTUDY_TEMPORARY`);
    t.match(said.stderr, name);
  }
  const { ended, said } = startCommand(t, ['migrate'], envOf(place));
  t.equal(await ended, 2);
  t.match(said.stderr, 'UNDERSTUDY_TEMPORARY is set, and only a service can have a');
});
