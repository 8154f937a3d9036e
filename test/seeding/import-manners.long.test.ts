// import: how it behaves towards the server that it reads, and towards the file that it writes.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'tap';
import { makeClient } from '../../src/import/weblate-client.ts';
import { adminToken, runImport as run, send, startFakeServer } from './import-server.ts';

await test('again after passing faults, and after the limit', async (t) => {
  const server = await startFakeServer(t);
  const faults = new Map<string, ((request: IncomingMessage, response: ServerResponse) => void)[]>([
    [
      '/api/users/admin/notifications/',
      [
        (_, response) => send(response, 503, {}, { 'retry-after': '0' }),
        (request) => void request.socket.destroy(),
        (_, response) => send(response, 429, {}, { 'retry-after': '1' }),
        (_, response) =>
          void response.writeHead(200, { 'content-length': '100' }).write('{"count"', () => response.destroy()),
      ],
    ],
  ]);
  server.intercept = (request, response) => {
    const fault = faults.get((request.url ?? '').split('?')[0] ?? '')?.shift();
    fault?.(request, response);
    return fault !== undefined;
  };
  const { code, stdout } = await run(server, ['--keep-personal-data']);
  t.equal(code, 0);
  t.equal(server.seen.filter((line) => line.includes('/api/users/admin/notifications/')).length, 5);
  t.match(stdout, 'id: 33');
});

await test('waits when the limit is used up, before it is refused', async (t) => {
  const server = await startFakeServer(t);
  let remaining = 3;
  let refusals = 0;
  const client = makeClient({
    baseUrl: server.url,
    token: adminToken,
    signal: new AbortController().signal,
    note: () => {},
  });
  server.intercept = (_, response) => {
    if (remaining === 0) {
      refusals++;
      send(response, 429, {}, { 'retry-after': '1' });
      return true;
    }
    remaining--;
    if (remaining === 0) setTimeout(() => (remaining = 3), 900);
    send(response, 200, {}, { 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset': '1' });
    return true;
  };
  for (let i = 0; i < 7; i++) t.equal((await client.get('api/users/')).status, 200);
  t.equal(refusals, 0);
});

await test('a limit that never ends: reported, and given up', async (t) => {
  const server = await startFakeServer(t);
  const notes: string[] = [];
  const options = { baseUrl: server.url, token: adminToken, signal: new AbortController().signal };
  const makeNext = () => makeClient({ ...options, note: (line) => notes.push(line), firstRetryMs: 5 });
  const client = makeNext();
  let refusals = 0;
  server.intercept = (_, response) => (refusals++, send(response, 429, {}, { 'retry-after': '0' }), true);
  await t.rejects(client.get('api/users/'), {
    name: 'ImportError',
    message: /answered 429 .* 20 in a row/,
  });
  t.equal(refusals, 21);
  t.match(notes, [/^refused by the rate limit 2 times in a row; going on in 0 s$/]);
  for (const status of [429, 503]) {
    server.intercept = (_, response) => (send(response, status, {}, { 'retry-after': '99999999' }), true);
    await t.rejects(makeNext().get('api/users/'), { message: /in 99999999 s, more than a day/ }, `${status}`);
  }
});

await test('never goes to another server, nor in circles', async (t) => {
  const server = await startFakeServer(t);
  const other = await startFakeServer(t);
  const answers: [string, (response: ServerResponse) => void, RegExp][] = [
    [
      'next',
      (response) => send(response, 200, { next: `${other.url}/api/users/?page=2`, results: [] }),
      /leads away, to http:\/\/127\.0\.0\.1:\d+\/api\/users\//,
    ],
    ['a redirect', (response) => send(response, 302, {}, { location: `${other.url}/api/users/` }), /leads on to/],
    [
      'a circle',
      (response) => send(response, 200, { next: `${server.url}/api/users/?page_size=200`, results: [] }),
      /in a circle/,
    ],
    [
      'another form',
      (response) => send(response, 200, { results: [{}] }),
      /doesn't answer as the users interface does/,
    ],
    ['no JSON', (response) => void response.writeHead(200).end('<html>'), /doesn't answer as/],
    ['500', (response) => send(response, 500, {}), /answered 500/],
  ];
  for (const [name, answer, expected] of answers) {
    server.intercept = (_, response) => (answer(response), true);
    const ran = await run(server);
    t.match(ran, { code: 2, stdout: '', stderr: expected }, name);
  }
  t.strictSame(other.seen, []);
});

await test('the token goes to the API alone, and is written nowhere', async (t) => {
  const server = await startFakeServer(t);
  const { stdout, stderr } = await run(server, ['--keep-personal-data']);
  t.notMatch(stdout + stderr, adminToken);
  const anonymous = server.seen.filter((line) => !line.endsWith(` ${adminToken}`));
  t.strictSame(anonymous.toSorted(), ['GET /api/projects/demo/', 'GET /api/projects/secret/']);
});

await test('a file is there whole or as it was', async (t) => {
  const server = await startFakeServer(t);
  const folder = await mkdtemp(join(tmpdir(), 'understudy-import-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const out = join(folder, 'team.yaml');
  await writeFile(out, 'former');
  for (const moment of ['reading users', 'reading notifications', 'reading projects']) {
    const controller = new AbortController();
    const onStderr = (text: string) => void (text.includes(moment) && controller.abort());
    t.match(
      await run(server, ['--out', out], { signal: controller.signal, onStderr }),
      { code: 130, stdout: '' },
      moment,
    );
  }
  t.equal(await readFile(out, 'utf8'), 'former');
  t.match(await run(server, ['--out', out]), { code: 0, stdout: '' });
  t.match(await readFile(out, 'utf8'), /^# Imported from http:/);
  t.strictSame(await readdir(folder), ['team.yaml']);
});
