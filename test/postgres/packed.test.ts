// The cluster that ships: when it is used, what replaces it otherwise, and starts on it that are killed.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { t as file, test, type Test } from 'tap';
import type { PackedHead } from '../../src/postgres/cluster.ts';
import { startEmbedded } from '../../packaging/start-embedded.ts';
import { findRunning, holdsData } from '../../src/postgres/embedded.ts';
import { packedCluster } from '../../src/base/files.ts';
import { describeContents } from '../../src/service/process/provide-database.ts';
import { providePackedCluster } from '../support/packed-cluster.ts';
import { listRemains, makePlace } from '../support/place.ts';
import { startCommand, startServing } from '../support/process.ts';
import { firstMoments, makeScratch, query, readPids, untilGone, untilMoment } from '../support/postgres-folders.ts';

file.setTimeout(240_000);

await providePackedCluster();
const key = describeContents();
const packed = readFileSync(packedCluster);
const head = JSON.parse(packed.subarray(0, packed.indexOf('\n')).toString()) as PackedHead;
const bytes = brotliDecompressSync(packed.subarray(packed.indexOf('\n') + 1));

function start(t: Test, used: string, lines: string[]) {
  const dataDir = join(makeScratch(t), 'data');
  return startEmbedded({ dataDir, packed: { file: used, key }, note: (line) => lines.push(line) });
}

/** Another cluster that ships. */
function pack(t: Test, other: Partial<PackedHead>): string {
  const path = join(makeScratch(t), 'cluster.br');
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };
  const content = brotliCompressSync(bytes, { params });
  writeFileSync(path, Buffer.concat([Buffer.from(`${JSON.stringify({ ...head, ...other })}\n`), content]));
  return path;
}

await test('the cluster is unpacked, and has one database with safe settings', async (t) => {
  const lines: string[] = [];
  const server = await start(t, packedCluster, lines);
  t.teardown(() => server.stop());
  t.same(lines, []);
  t.same(await query(server.url, 'select count(*)::int from understudy.users where sandbox_id = 1'), [8]);
  t.same(await query(server.url, 'select datname from pg_database'), ['postgres']);
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
    t.same(await query(server.url, `show ${setting}`), ['on'], setting);
  t.same(
    await query(
      server.url,
      "select count(*)::int from pg_collation where collprovider = 'i' and collversion is not null",
    ),
    [0],
  );
  t.same(await query(server.url, 'select count(*)::int from understudy.session_keys'), [0], 'no secret ships');
});

for (const [why, used, said] of [
  ['it is missing', () => '/nowhere/cluster.br', /^making a PostgreSQL 18 in [^,]*$/],
  ['another PostgreSQL', (t: Test) => pack(t, { version: '17.1.0' }), 'it is of PostgreSQL 17.1.0, and this is 18.'],
  ['other migrations', (t: Test) => pack(t, { keys: ['x'] }), 'it was made by other code'],
  [
    'a part is missing',
    (t: Test) => pack(t, { files: head.files.slice(0, 300) }),
    "the cluster that ships doesn't start",
  ],
] as const)
  await test(`initdb makes a cluster: ${why}`, async (t) => {
    const lines: string[] = [];
    const server = await start(t, used(t), lines);
    t.teardown(() => server.stop());
    t.equal(lines.length, 1);
    t.match(lines[0], said);
    t.same(await query(server.url, `select to_regnamespace('understudy') is null`), [true]);
  });

await test('after a killed first start the next one succeeds, and nothing is left beside the folder', async (t) => {
  const place = makePlace(t);
  for (const moment of [...firstMoments, ['cluster.whole'], ['service.json']] as const) {
    const dataDir = join(makeScratch(t), 'data');
    const env = { ...place.env, UNDERSTUDY_DATA_DIR: dataDir };
    const { child, ended } = startCommand(t, ['serve'], { ...env, PORT: '0' });
    await untilMoment(dataDir, moment);
    child.kill('SIGKILL');
    await ended;
    const next = await startServing(t, env);
    t.equal((await fetch(`${next.url}/api/users/alice/notifications/`)).status, 200);
    await next.end();
    t.strictSame(listRemains(place), [], moment.join(' '));
  }
});

await test('a cluster that was being made is unpacked again; one that is whole keeps what was written', async (t) => {
  const dataDir = join(makeScratch(t), 'data');
  const env = { UNDERSTUDY_DATA_DIR: dataDir };
  await (await startServing(t, env)).end();
  t.strictSame(
    readdirSync(dataDir).filter((name) => name.startsWith('cluster.')),
    ['cluster.whole'],
  );
  renameSync(join(dataDir, 'cluster.whole'), join(dataDir, 'cluster.making'));
  rmSync(join(dataDir, 'cluster/global/pg_control'));
  t.notOk(holdsData(dataDir));
  const first = await startServing(t, env);
  const authorization = 'Token wlu_alice_public_sample_token_0000000000';
  const one = `${first.url}/api/users/alice/notifications/1/`;
  t.equal((await fetch(one, { method: 'DELETE', headers: { authorization } })).status, 204);
  const pids = readPids(dataDir);
  first.child.kill('SIGKILL');
  await Promise.all([untilGone(pids.watchdog), untilGone(pids.postgres)]);
  t.ok(holdsData(dataDir));
  const next = await startServing(t, env);
  t.match(await (await fetch(`${next.url}/api/users/alice/notifications/`)).json(), { count: 9 });
  await next.end();
  rmSync(join(dataDir, 'cluster.whole'));
  t.ok(holdsData(dataDir));
  const refused = startCommand(t, ['serve'], { ...env, PORT: '0' });
  t.equal(await refused.ended, 78, 'without either mark it is of other code');
  t.match(refused.said.stderr, `${dataDir} holds data of another version of Understudy, `);
  writeFileSync(join(dataDir, 'cluster.whole'), '');
  const last = await startServing(t, env);
  t.match(await (await fetch(`${last.url}/api/users/alice/notifications/`)).json(), { count: 9 }, 'and was kept');
});

await test('the sandbox is as old as the first start, with any seed', async (t) => {
  for (const seed of ['documented', 'empty']) {
    const began = Date.now();
    const UNDERSTUDY_DATA_DIR = join(makeScratch(t), 'data');
    const service = await startServing(t, { UNDERSTUDY_DATA_DIR, UNDERSTUDY_SEED: seed });
    const sandbox = await fetch(`${service.url}/_understudy/sandboxes/default`);
    const { created } = (await sandbox.json()) as { created: string };
    t.ok(Date.parse(created) >= began, `${seed}: ${created}`);
    await service.end();
  }
});

await test('a start that was killed while it tried a socket doesn’t disturb the next one', async (t) => {
  const dataDir = join(makeScratch(t), 'data');
  await (await startEmbedded({ dataDir })).stop();
  writeFileSync(join(dataDir, 'probe.socket'), '');
  const server = await startEmbedded({ dataDir });
  t.teardown(() => server.stop());
  t.match(decodeURIComponent(server.url), `?host=${dataDir}/cluster`, 'the next one has its socket in the folder');
  t.notOk(readdirSync(dataDir).includes('probe.socket'));
});

await test('if the folder’s path is too long, the socket is in a temporary folder', async (t) => {
  const place = makePlace(t);
  const env = { ...place.env, UNDERSTUDY_DATA_DIR: join(makeScratch(t), 'long'.repeat(25)) };
  const service = await startServing(t, env);
  const url = findRunning(env.UNDERSTUDY_DATA_DIR) ?? '';
  t.match(decodeURIComponent(url), `?host=${place.tmp}/understudy-`);
  t.same(await query(url, 'select 1'), [1]);
  const { postgres } = readPids(env.UNDERSTUDY_DATA_DIR);
  process.kill(postgres, 'SIGKILL');
  await untilGone(postgres);
  const statuses = new Set<number>();
  while (!statuses.has(200)) statuses.add((await fetch(`${service.url}/api/users/alice/`)).status);
  t.equal(findRunning(env.UNDERSTUDY_DATA_DIR), url, 'it stays where it was');
  await service.end();
  t.strictSame(listRemains(place), []);
});
