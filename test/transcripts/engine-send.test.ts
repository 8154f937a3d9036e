// A request is sent exactly as its transcript has it.
import net from 'node:net';
import { test } from 'tap';
import { parseRawJson } from './engine/raw-json.ts';
import { send } from './engine/send-request.ts';
import type { Target } from './engine/send-request.ts';
import type { TranscriptRequest } from './engine/transcript.ts';
import { getPort } from './engine-server.ts';

const tokens = new Map([['amy', 'secret-of-amy']]);

/** Answers `answer` to any bytes, and keeps what came. */
async function startSocket(answer: string) {
  const kept = { text: '' };
  const server = net.createServer((socket) => {
    socket.on('data', (chunk: Buffer) => {
      kept.text += chunk.toString('utf8');
      const length = Number(/content-length: (\d+)/iu.exec(kept.text)?.[1] ?? 0);
      const end = kept.text.indexOf('\r\n\r\n');
      if (end !== -1 && Buffer.byteLength(kept.text.slice(end + 4)) >= length) socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = getPort(server);
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { kept, close, baseUrl: `http://127.0.0.1:${port}` };
}

const empty = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

/** The bytes that are sent for `request`, with the base URL's host and port as HOST. */
async function capture(request: Partial<TranscriptRequest>, path = ''): Promise<string> {
  const socket = await startSocket(empty);
  await send({ method: 'GET', path: '/', ...request }, { baseUrl: socket.baseUrl + path, tokens });
  await socket.close();
  return socket.kept.text.replaceAll(socket.baseUrl.slice('http://'.length), 'HOST');
}

await test('nothing is added, and the path is sent byte for byte', async (t) => {
  const rest = 'Host: HOST\r\nConnection: close\r\n\r\n';
  t.equal(await capture({ path: '/api//a/../%zz?x={|}&y=%00' }), `GET /api//a/../%zz?x={|}&y=%00 HTTP/1.1\r\n${rest}`);
  t.equal(await capture({ path: '/api/' }, '/sandboxes/x'), `GET /sandboxes/x/api/ HTTP/1.1\r\n${rest}`);
  for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'DELETE'])
    t.equal(await capture({ method }), `${method} / HTTP/1.1\r\n${rest}`);
  for (const method of ['POST', 'PROPFIND', 'FOO'])
    t.equal(
      await capture({ method }),
      `${method} / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
});

await test('the token is added, and headers are sent unchanged', async (t) => {
  t.match(await capture({ as: 'amy' }), /\r\nauthorization: Token secret-of-amy\r\n/);
  const own = { Authorization: 'bearer {token:amy}', Accept: '' };
  t.match(await capture({ as: 'amy', headers: own }), /\r\nauthorization: bearer secret-of-amy\r\naccept: ?\r\n/);
});

await test('bodies of each kind are sent byte for byte', async (t) => {
  const json = parseRawJson('{"a":1.0,"b":1000000000000000000000000000000,"c":"{base_url}/x/"}');
  const sent = await capture({ method: 'POST', json });
  t.match(sent, /\r\ncontent-type: application\/json\r\n/);
  t.match(sent, /\r\n\r\n\{"a":1\.0,"b":1000000000000000000000000000000,"c":"http:\/\/HOST\/x\/"\}$/);

  const form = await capture({ method: 'POST', form: { a: parseRawJson('1.0'), b: 'x y&ü', c: '' } });
  t.match(form, /\r\ncontent-type: application\/x-www-form-urlencoded\r\n/);
  t.match(form, /\r\n\r\na=1\.0&b=x\+y%26%C3%BC&c=$/);

  const multipart = await capture({ method: 'POST', multipart: { a: '1', 'b"': 'ü\r\n--understudy-transcript' } });
  const [, boundary] = /content-type: multipart\/form-data; boundary=(\S+)\r\n/.exec(multipart) ?? [];
  t.equal(multipart.split(`--${boundary}\r\n`).length, 3, 'the boundary stands in no field');
  t.match(multipart, /name="b%22"\r\n\r\nü\r\n--understudy-transcript\r\n/);
  t.ok(multipart.endsWith(`\r\n--${boundary}--\r\n`));

  const raw = await capture({ method: 'DELETE', raw: '\uFEFF{' });
  t.notMatch(raw, /content-type/i);
  t.match(raw, /content-length: 4\r\n[^]*\r\n\r\n\uFEFF\{$/);
});

await test('an answer is taken as it came', async (t) => {
  const answer = 'HTTP/1.1 418 -\r\nAllow: GET\r\nallow: POST\r\nLocation: a\r\nLocation: b\r\n\r\n\uFEFFü\0';
  const socket = await startSocket(answer);
  const received = await send({ method: 'GET', path: '/' }, { baseUrl: socket.baseUrl, tokens });
  await socket.close();
  t.equal(received.status, 418);
  t.same(received.headers['allow'], ['GET', 'POST']);
  t.same(received.headers['location'], ['a', 'b']);
  t.equal(received.body, '\uFEFFü\0');
});

const ask = (baseUrl: string, more: Partial<Target> = {}) =>
  send({ method: 'GET', path: '/' }, { baseUrl, tokens, ...more });

await test('servers that do not respond are reported', async (t) => {
  const hangsUp = await startSocket('');
  await t.rejects(ask(hangsUp.baseUrl), { name: 'NoAnswerError' });
  await hangsUp.close();
  await t.rejects(ask(hangsUp.baseUrl), { name: 'UnreachableError' }, 'nothing listens any more');
  const halfway = await startSocket('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc');
  await t.rejects(ask(halfway.baseUrl), { name: 'NoAnswerError' });
  await halfway.close();

  const silent = net.createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<net.Socket>();
  silent.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  const baseUrl = `http://127.0.0.1:${getPort(silent)}`;
  await t.rejects(ask(baseUrl, { timeoutMs: 50 }), { name: 'NoAnswerError', message: 'nothing within 50 ms' });
  const controller = new AbortController();
  silent.once('connection', () => controller.abort());
  await t.rejects(ask(baseUrl, { signal: controller.signal }), { name: 'AbortError' });
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

await test('an answer that doesn’t end is given up', async (t) => {
  const chunk = Buffer.alloc(1 << 20, 'x');
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    const more = () => socket.write(chunk, (error) => error ?? more());
    socket.once('data', more);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const target = { baseUrl: `http://127.0.0.1:${getPort(server)}`, tokens };
  await t.rejects(send({ method: 'GET', path: '/' }, target), { message: /\(more than 33554432 bytes\)$/ });
});
