// Clients that are slow, endless, huge or idle get an answer that ends their connection, and harm nobody else.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Test, test } from 'tap';
import { list } from '../outages/setting.ts';
import { type Service, startService } from '../support/service.ts';

const start = `GET ${list} HTTP/1.1\r\nHost: localhost\r\n`;

function open(t: Test, service: Service): Socket {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  t.teardown(() => socket.destroy());
  return socket;
}

/** All that comes until the service ends the connection. */
// What has come until the connection ends, by whichever side: who still sends when the server has closed gets an error for it.
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  if (!socket.closed) await new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  return text;
}

const assertServed = async (t: Test, service: Service) =>
  t.equal((await service.request('GET', list, { as: 'alice' })).status, 200, 'others are served');

await test('how long a client may take', async (t) => {
  const { server } = (await startService(t)).app;
  t.match(server, { headersTimeout: 15_000, requestTimeout: 60_000, keepAliveTimeout: 75_000, timeout: 150_000 });
  t.equal(server.maxConnections, 4000);
});

await test('slow headers', async (t) => {
  const service = await startService(t);
  service.app.server.headersTimeout = 200;
  const [silent, slow] = [open(t, service), open(t, service)];
  slow.write(start);
  const drip = setInterval(() => slow.write('X-Drip: 1\r\n'), 50);
  t.teardown(() => clearInterval(drip));
  await assertServed(t, service);
  const answers = await Promise.all([readAll(silent), readAll(slow)]);
  t.match(answers[1], /^HTTP\/1\.1 408 Request Timeout\r\n[^]*"code":"request_timeout"/);
  await assertServed(t, service);
});

await test('a slow body', async (t) => {
  const service = await startService(t);
  service.app.server.headersTimeout = 200;
  service.app.server.requestTimeout = 400;
  const slow = open(t, service);
  slow.write(
    `POST ${list} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
  );
  const drip = setInterval(() => slow.write(' '), 50);
  t.teardown(() => clearInterval(drip));
  t.match(await readAll(slow), /^HTTP\/1\.1 408 /);
  await assertServed(t, service);
});

await test('huge headers', async (t) => {
  const service = await startService(t);
  const huge = open(t, service);
  huge.write(`${start}X-Huge: ${'x'.repeat(100_000)}\r\n\r\n`);
  t.match(await readAll(huge), /^HTTP\/1\.1 431 [^]*"code":"request_header_fields_too_large"/);
  await assertServed(t, service);
});

await test('an endless body', async (t) => {
  const service = await startService(t);
  const endless = open(t, service);
  let written = 0;
  endless.write(
    `POST ${list} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const chunk = `10000\r\n${' '.repeat(0x1_00_00)}\r\n`;
  const pour = setInterval(() => {
    if (endless.writableLength < 1_000_000) endless.write(chunk, () => (written += chunk.length));
  }, 1);
  t.teardown(() => clearInterval(pour));
  // The answer may be lost with the connection, which is closed while the client still sends.
  t.match(await readAll(endless), /^(?:HTTP\/1\.1 413 [^]*"code":"request_too_large"[^]*)?$/);
  t.ok(written < 20_000_000, `the connection ended after ${written} bytes`);
  await assertServed(t, service);
});

await test('idle connections, and readers that stop reading', async (t) => {
  const service = await startService(t);
  const idle = Array.from({ length: 500 }, () => open(t, service));
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  // Each asks for many pages and reads none.
  for (const socket of idle.slice(0, 50)) {
    socket.pause();
    socket.write(`${start.replace(' HTTP', '?page_size=1000 HTTP').replace('alice', 'erin')}\r\n`.repeat(20));
  }
  for (let i = 0; i < 20; i++) await assertServed(t, service);
});
