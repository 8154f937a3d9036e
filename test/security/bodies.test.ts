// Bodies that mean harm: names of the prototype, compression, nesting.
import { gzipSync } from 'node:zlib';
import { test } from 'tap';
import { startService } from '../support/service.ts';

const list = '/api/users/alice/notifications/';
const asAlice = { as: 'alice' };

await test('names of the prototype', async (t) => {
  const service = await startService(t);
  const json = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const parts = { 'content-type': 'multipart/form-data; boundary=x' };
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'];
  for (const name of names) {
    const bodies = [
      { headers: json, body: `{"${name}":{"polluted":true,"isAdmin":true},"notification":"LockNotification"}` },
      { headers: json, body: `{"constructor":{"prototype":{"polluted":true}},"${name}":1}` },
      { headers: form, body: `${name}=1&${name}[polluted]=true&${name}.polluted=true` },
      { headers: parts, body: `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\npolluted\r\n--x--\r\n` },
    ];
    for (const body of bodies) {
      const { status } = await service.request('POST', list, { ...asAlice, ...body });
      t.equal(status, 400, `${name}: only what is missing counts`);
    }
    t.equal((await service.request('GET', `${list}?${name}=1&${name}[polluted]=1`)).status, 200);
    t.equal((await service.request('GET', `/api/users/${name}/notifications/`, asAlice)).status, 404);
    t.equal((await service.request('GET', list, { headers: { 'x-understudy-sandbox': name } })).status, 404);
    t.equal((await service.request('GET', `/api/${name}/`)).status, 404);
    t.equal((await service.request('GET', `${list}?format=${name}`)).status, 404);
    t.equal(
      (
        await service.request('PUT', `/_understudy/sandboxes/proto-a`, {
          headers: json,
          body: `{"${name}":{"polluted":true}}`,
        })
      ).status >= 500,
      false,
    );
  }
  t.equal(({} as { polluted?: unknown }).polluted, undefined, 'no object has got anything');
  t.same(Object.keys(Object.prototype), []);
});

await test('compression', async (t) => {
  const service = await startService(t);
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
  t.ok(bomb.length < 100_000);
  const before = process.memoryUsage().rss;
  for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip'])
    t.equal(
      (
        await service.request('POST', list, {
          ...asAlice,
          body: bomb,
          headers: { 'content-type': 'application/json', 'content-encoding': encoding },
        })
      ).status,
      400,
      `${encoding} is not undone`,
    );
  t.ok(process.memoryUsage().rss - before < 150_000_000, 'nothing was inflated');
});

await test('nesting and numbers', async (t) => {
  const service = await startService(t);
  const headers = { 'content-type': 'application/json' };
  for (const body of [
    '['.repeat(100_000),
    `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
    `{"scope":1${'0'.repeat(100_000)}}`,
    `{"scope":1e999999}`,
    `{"notification":"${'\\u0000'.repeat(1000)}"}`,
    '{"a":1,'.repeat(10_000),
  ]) {
    const { status } = await service.request('POST', list, { ...asAlice, headers, body });
    t.equal(status, 400, body.slice(0, 30));
  }
  const manyFields = Array.from({ length: 5000 }, (_, i) => `f${i}=1`).join('&');
  t.equal(
    (
      await service.request('POST', list, {
        ...asAlice,
        body: manyFields,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    ).status,
    400,
  );
  t.equal((await service.request('POST', list, { ...asAlice, headers, body: 'x'.repeat(2_000_000) })).status, 413);
});
