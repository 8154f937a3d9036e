// service.json: names the service of a data folder while it runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test, type Test } from 'tap';
import { getServerAccount, isRoot } from '../../src/postgres/account.ts';
import { openFolder } from '../../src/postgres/folder.ts';
import { findService, publishService } from '../../src/service/process/service-file.ts';
import { makeScratch } from '../support/postgres-folders.ts';

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
  const file = join(path, 'service.json');
  t.same(findService(place), { file, isThere: false, service: undefined });
  const unpublishOne = publishService(place, one);
  t.same(findService(place), { file, isThere: true, service: one });
  const unpublishOther = publishService(place, other);
  unpublishOne?.();
  t.same(findService(place), { file, isThere: true, service: other });
  t.match(openFolder(path), { path }, 'the folder can still become that of an embedded PostgreSQL');
  unpublishOther?.();
  t.same(findService(place), { file, isThere: false, service: undefined });
  t.same(readdirSync(path), []);
  unpublishOther?.();
});

await test('the file of a killed service is ignored, even if another program has its port', async (t) => {
  const path = join(makeScratch(t), 'data');
  const place = { UNDERSTUDY_DATA_DIR: path };
  const url = await listen(t);
  const ended = spawn('true');
  await once(ended, 'exit');
  publishService(place, { url, pid: ended.pid ?? 0 });
  t.match(findService(place), { isThere: true, service: undefined }, 'its process has ended');
  if (process.platform !== 'linux') return;
  publishService(place, { url: 'http://127.0.0.1:1', pid });
  t.equal(findService(place).service, undefined, 'nothing listens there');
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
    t.equal(findService(place).service, undefined);
  },
);

await test('a file that was tampered with is ignored', async (t) => {
  const path = makeScratch(t);
  const find = (text: string) => {
    writeFileSync(join(path, 'service.json'), text, { mode: 0o644 });
    return findService({ UNDERSTUDY_DATA_DIR: path }).service;
  };
  const { port } = new URL(await listen(t));
  for (const host of ['localhost', '127.0.0.1', '[::1]']) t.ok(find(`{"url":"http://${host}:${port}","pid":${pid}}`));
  for (const text of [
    '',
    'null',
    '[]',
    `{"url":"http://127.0.0.1:${port}"}`,
    `{"url":1,"pid":${pid}}`,
    `{"url":"nowhere","pid":${pid}}`,
    `{"url":"https://collects.example.org:${port}/","pid":${pid}}`,
    `{"url":"http://127.0.0.1.example.org:${port}/","pid":${pid}}`,
  ])
    t.equal(find(text), undefined, text);
});

await test('a folder that cannot take the file is left alone', (t) => {
  const one = { url: 'http://127.0.0.1:8000', pid };
  const path = makeScratch(t);
  writeFileSync(join(path, 'letter.txt'), 'Dear …');
  publishService({ UNDERSTUDY_DATA_DIR: path }, one)?.();
  t.same(readdirSync(path), ['letter.txt']);
  publishService({ UNDERSTUDY_DATA_DIR: join(path, 'letter.txt') }, one)?.();
  t.equal(readFileSync(join(path, 'letter.txt'), 'utf8'), 'Dear …');
  t.end();
});
