// The files that name the services of a data folder or a database while they run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test, type Test } from 'tap';
import { getServerAccount, isRoot } from '../../src/postgres/account.ts';
import { openFolder } from '../../src/postgres/folder.ts';
import { findServices, publishService } from '../../src/service/process/service-file.ts';
import { makeScratch, useOwnCache } from '../support/postgres-folders.ts';

const { pid } = process;

async function listen(t: Test): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

await test('the file names the last service that started, until it ends', async (t) => {
  const [one, other] = [
    { url: await listen(t), pid },
    { url: await listen(t), pid },
  ];
  const path = join(makeScratch(t), 'deep', 'data');
  const place = { UNDERSTUDY_DATA_DIR: path };
  const where = `the data folder ${path}`;
  t.same(findServices(place), { where, urls: [] });
  const unpublishOne = publishService(place, one);
  t.same(findServices(place), { where, urls: [one.url] });
  const unpublishOther = publishService(place, other);
  unpublishOne();
  t.same(findServices(place), { where, urls: [other.url] });
  t.match(openFolder(path), { path }, 'the folder can still become that of an embedded PostgreSQL');
  unpublishOther();
  t.same(findServices(place), { where, urls: [] });
  t.same(readdirSync(path), []);
  unpublishOther();
});

await test('the file of a killed service is ignored, even if another program has its port', async (t) => {
  const path = join(makeScratch(t), 'data');
  const place = { UNDERSTUDY_DATA_DIR: path };
  const url = await listen(t);
  const ended = spawn('true');
  await once(ended, 'exit');
  publishService(place, { url, pid: ended.pid ?? 0 });
  t.same(findServices(place).urls, [], 'its process has ended');
  if (process.platform !== 'linux') return;
  publishService(place, { url: 'http://127.0.0.1:1', pid });
  t.same(findServices(place).urls, [], 'nothing listens there');
});

await test(
  'the file of a killed service is ignored if another account has its port',
  { skip: (!isRoot || process.platform !== 'linux') && 'needs root, and /proc' },
  async (t) => {
    const place = { UNDERSTUDY_DATA_DIR: makeScratch(t) };
    const { uid, gid } = getServerAccount(undefined);
    const script = `
      process.setgid(${gid});
      process.setuid(${uid});
      require('node:net').createServer().listen(0, '127.0.0.1', function () { process.send(this.address().port); });`;
    const taker = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    t.teardown(() => taker.kill());
    const [port]: number[] = await once(taker, 'message');
    publishService(place, { url: `http://127.0.0.1:${port}`, pid });
    t.same(findServices(place).urls, []);
  },
);

await test('a file that was tampered with is ignored', async (t) => {
  const path = makeScratch(t);
  const find = (text: string) => {
    writeFileSync(join(path, 'service.json'), text, { mode: 0o644 });
    return findServices({ UNDERSTUDY_DATA_DIR: path }).urls.length;
  };
  const { port } = new URL(await listen(t));
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    t.equal(find(`{"url":"http://${host}:${port}","pid":${pid}}`), 1);
  for (const text of [
    '',
    'null',
    '[]',
    `{"url":"http://127.0.0.1:${port}"}`,
    `{"url":1,"pid":${pid}}`,
    `{"url":"http://127.0.0.1:${port}","pid":${pid},"database":"localhost:5432/other"}`,
    `{"url":"nowhere","pid":${pid}}`,
    `{"url":"https://collects.example.org:${port}/","pid":${pid}}`,
    `{"url":"http://127.0.0.1.example.org:${port}/","pid":${pid}}`,
  ])
    t.equal(find(text), 0, text);
});

await test('a folder that cannot take the file is left alone', async (t) => {
  const one = { url: 'http://127.0.0.1:8000', pid };
  const path = makeScratch(t);
  writeFileSync(join(path, 'letter.txt'), 'Dear …');
  publishService({ UNDERSTUDY_DATA_DIR: path }, one)();
  t.same(readdirSync(path), ['letter.txt']);
  publishService({ UNDERSTUDY_DATA_DIR: join(path, 'letter.txt') }, one)();
  t.equal(readFileSync(join(path, 'letter.txt'), 'utf8'), 'Dear …');
});

await test('the services of a database are found by what names it', async (t) => {
  const cache = useOwnCache(t);
  const find = (DATABASE_URL: string) => findServices({ DATABASE_URL }).urls;
  const [one, other] = [await listen(t), await listen(t)];
  const unpublish = publishService(
    { DATABASE_URL: 'postgres://me:secret@DB.example.com/team?sslmode=require' },
    { url: one, pid },
  );

  t.same(find('postgresql://somebody@db.example.com:5432/team'), [one], 'whoever asks, by whatever form');
  for (const [url, what] of [
    ['postgres://db.example.com:5433/team', 'port'],
    ['postgres://db.example.com/Team', 'name'],
    ['postgres://db2.example.com/team', 'host'],
    ['postgres:///team?host=/var/run/postgresql', 'host, which is a socket'],
  ] as const)
    t.same(find(url), [], `another ${what}`);
  const [name = ''] = readdirSync(join(cache, 'understudy', 'services'));
  const file = join(cache, 'understudy', 'services', name);
  t.strictSame(JSON.parse(readFileSync(file, 'utf8')), { url: one, pid, database: 'db.example.com:5432/team' });
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.equal(statSync(join(file, '..')).mode & 0o777, 0o700);

  const socket = 'postgres://%2Fvar%2Frun%2Fpostgresql/team';
  publishService({ DATABASE_URL: socket }, { url: other, pid });
  t.same(find('postgres:///team?host=/var/run/postgresql'), [other], 'a socket has two forms');
  publishService({ DATABASE_URL: socket }, { url: one, pid });
  t.same(find(socket).toSorted(), [one, other].toSorted(), 'several services of one database');
  t.same(find('postgres://db.example.com/team'), [], 'a port has one service: the last one');
  unpublish();
  t.same(find(socket).toSorted(), [one, other].toSorted(), 'one that ends later leaves the file of the next');

  const ended = spawn('true');
  await once(ended, 'exit');
  publishService({ DATABASE_URL: socket }, { url: 'http://127.0.0.1:1', pid: ended.pid ?? 0 });
  t.equal(find(socket).length, 2, 'a process that has ended is no service');
  publishService({ DATABASE_URL: socket }, { url: one, pid });
  t.notOk(readdirSync(join(file, '..')).includes('1.json'), 'the next start removes its file');

  chmodSync(join(cache, 'understudy'), 0o777);
  t.same(find(socket), [], 'a folder into which others can write is no place for it');
});
