// import: how it behaves towards the server that it reads, and towards the file that it writes.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { test } from 'tap';
import { command as importCommand } from '../../src/cli/commands/import.ts';
import { runCommand } from '../support/run-command.ts';
import { adminToken, runImport as run, send, startFakeServer } from './import-server.ts';

await test('the first request that fails ends it, and its message says what to change', async (t) => {
  const server = await startFakeServer(t);
  const wrong: [args: string[], fault: RegExp][] = [
    [
      ['--from', `${server.url}/api/`],
      /api\/api\/ answered 404: no API is there; --from is the URL .*, without \/api\//,
    ],
    [['--from', `${server.url}/weblate`], /weblate\/api\/ answered 404: no API is there/],
    [['--from', server.url], /answered 401: it wants a token: --token-env/],
    [['--from', server.url, '--token-env', 'OTHER'], /answered 401: the token is not valid there/],
    [['--from', 'http://127.0.0.1:1'], /no answer from http:\/\/127\.0\.0\.1:1\/api\/: /],
  ];
  for (const [args, fault] of wrong) {
    const ran = await runCommand(importCommand, [...args, '--keep-personal-data'], {
      env: { OTHER: 'wlu_other', ITS_TOKEN: adminToken },
    });
    t.match(ran, { code: 2, stdout: '', stderr: fault }, args.join(' '));
  }
  const failures: [fault: RegExp, answer: (request: IncomingMessage, response: ServerResponse) => void][] = [
    [/answered 403: this token may not read it/, (_, response) => send(response, 403, {})],
    [/answered 404: it does not exist, or is not/, (_, response) => send(response, 404, {})],
    [/answered 429: .* used up, for 7 seconds/, (_, response) => send(response, 429, {}, { 'retry-after': '7' })],
    [/answered 503/, (_, response) => send(response, 503, {}, { 'retry-after': '0' })],
    [/no answer from .*\/api\/users\/admin\/notifications\//, (request) => void request.socket.destroy()],
    [
      /no answer from /,
      (_, response) =>
        void response.writeHead(200, { 'content-length': '100' }).write('{"count"', () => response.destroy()),
    ],
  ];
  for (const [fault, answer] of failures) {
    server.seen.length = 0;
    server.intercept = (request, response) => {
      const isMet = request.url?.startsWith('/api/users/admin/notifications/') === true;
      if (isMet) answer(request, response);
      return isMet;
    };
    t.match(await run(server), { code: 2, stdout: '', stderr: fault });
    t.match(server.seen.at(-1), '/api/users/admin/notifications/', 'nothing is sent after it');
    t.equal(server.seen.filter((line) => line.includes('admin/notifications')).length, 1);
  }
});

await test('import reads a limited number of bytes and pages', async (t) => {
  const server = await startFakeServer(t);
  const packed = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
  let sent = 0;
  server.intercept = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed);
    return true;
  };
  t.match(await run(server), { code: 2, stdout: '', stderr: /answered more than 33554432 bytes/ });
  server.intercept = (request, response) => {
    if (!request.url?.startsWith('/api/users/?')) return false;
    sent++;
    send(response, 200, { next: `${server.url}/api/users/?page=2`, results: [] });
    return true;
  };
  t.match(await run(server), { code: 2, stdout: '', stderr: /\/api\/users\/ has more than 2000 pages/ });
  t.equal(sent, 2000);
});

await test('import sends no request to another server', async (t) => {
  const server = await startFakeServer(t);
  const other = await startFakeServer(t);
  const answers: [string, (response: ServerResponse) => void, RegExp][] = [
    ['a redirect', (response) => send(response, 302, {}, { location: `${other.url}/api/users/` }), /leads on to/],
    ['another form', (response) => send(response, 200, { results: [{}] }), /doesn't answer as Weblate does: \/users/],
    ['no JSON', (response) => void response.writeHead(200).end('<html>'), /doesn't answer as Weblate does: the body/],
  ];
  for (const [name, answer, expected] of answers) {
    server.intercept = (_, response) => (answer(response), true);
    const ran = await run(server);
    t.match(ran, { code: 2, stdout: '', stderr: expected }, name);
  }
  server.intercept = (request, response) => {
    if (!request.url?.startsWith('/api/groups/?')) return false;
    const isLast = request.url.endsWith('page=2');
    send(response, 200, { next: isLast ? null : `${other.url}/api/groups/?page=2`, results: [] });
    return true;
  };
  t.match(await run(server), { code: 0 });
  t.match(server.seen.at(-1), '/api/groups/?page_size=200&page=2', 'the next page is asked of the same server');
  t.strictSame(other.seen, []);
});

await test('the token is written nowhere', async (t) => {
  const server = await startFakeServer(t);
  const { stdout, stderr } = await run(server, ['--keep-personal-data']);
  t.notMatch(stdout + stderr, adminToken);
});

await test('the file is written completely, or stays as it was', async (t) => {
  const server = await startFakeServer(t);
  const folder = await mkdtemp(join(tmpdir(), 'understudy-import-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const out = join(folder, 'team.yaml');
  await writeFile(out, 'former');
  for (const moment of ['reading users', 'reading notifications', 'reading groups']) {
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
