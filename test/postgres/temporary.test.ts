// Temporary clusters: unpacked from the one that ships, and removed.
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { t as file, test } from 'tap';
import { isGone, readPids, untilGone } from '../support/postgres-folders.ts';
import { listRemains, makePlace, type Place } from '../support/place.ts';
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

await test('starts at once have data of their own, and none makes a cluster', async (t) => {
  const services = await Promise.all([1, 2, 3, 4].map(() => startServing(t, envOf(place))));
  for (const { said } of services) {
    t.notMatch(said.stderr, making);
    t.match(said.stderr, /data in temporary PostgreSQL 18\.\d+\n/);
  }
  t.same(await Promise.all(services.map(({ url }) => countOf(url))), [10, 10, 10, 10]);
  const headers = { authorization: 'Token wlu_alice_public_sample_token_0000000000' };
  t.equal((await fetch(`${services[0]?.url}${list}1/`, { method: 'DELETE', headers })).status, 204);
  t.same(await Promise.all(services.map(({ url }) => countOf(url))), [9, 10, 10, 10]);
  await Promise.all(services.map((service) => service.end()));
  t.strictSame(listRemains(place), []);
});

await test('no command line tells the name of a temporary folder before the folder is there', async (t) => {
  const own = makePlace(t);
  await startServing(t, envOf(own));
  const [holding] = listRemains(own).filter((line) => line.includes('understudy-watchdog hold'));
  t.match(holding, own.tmp);
  t.notMatch(holding, `${own.tmp}/understudy-`);
});

const listWatchdogs = (own: Place): number[] =>
  listRemains(own).flatMap((line) => (line.includes('understudy-watchdog') ? [Number.parseInt(line)] : []));

await test('a service and watchdogs that are killed together: the next start removes what they left', async (t) => {
  const own = makePlace(t);
  const { child, ended } = await startServing(t, envOf(own));
  const [path = ''] = readdirSync(own.tmp).map((name) => join(own.tmp, name));
  const watchdogs = listWatchdogs(own);
  t.equal(watchdogs.length, 2);
  const live = await startServing(t, envOf(own));
  const { postgres } = readPids(path);
  for (const pid of watchdogs) process.kill(pid, 'SIGSTOP');
  child.kill('SIGKILL');
  await ended;
  for (const pid of watchdogs) process.kill(pid, 'SIGKILL');
  await Promise.all(watchdogs.map(untilGone));
  t.notOk(isGone(postgres));
  // Folders that only look alike: another account's of that name, and one that others can enter.
  mkdirSync(join(own.tmp, 'understudy-folder'));
  mkdirSync(join(own.tmp, 'understudy-abcdef'));
  chmodSync(join(own.tmp, 'understudy-abcdef'), 0o700);
  const next = await startServing(t, envOf(own));
  t.match(next.said.stderr, `of a service that was killed (process ${postgres})`);
  t.ok(isGone(postgres));
  t.notOk(existsSync(path));
  t.equal(await countOf(live.url), 10, 'one that runs is left alone');
  for (const service of [live, next]) await service.end();
  t.strictSame(readdirSync(own.tmp).toSorted(), ['understudy-abcdef', 'understudy-folder']);
});

await test('UNDERSTUDY_TEMPORARY excludes kept data and other commands', async (t) => {
  for (const [name, value] of [
    ['DATABASE_URL', 'postgres://127.0.0.1/x'],
    ['UNDERSTUDY_DATA_DIR', place.tmp],
  ] as const) {
    const { ended, said } = startCommand(t, ['serve'], { ...envOf(place), [name]: value });
    t.equal(await ended, 78);
    t.match(said.stderr, `UNDERSTUDY_TEMPORARY`);
    t.match(said.stderr, name);
  }
  const { ended, said } = startCommand(t, ['migrate'], envOf(place));
  t.equal(await ended, 78);
  t.match(said.stderr, 'UNDERSTUDY_TEMPORARY is set, and only a service can have a');
});
