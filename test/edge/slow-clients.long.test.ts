// Slow, endless, huge or idle clients are answered and disconnected, and don't affect others.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { type Test, test } from 'tap';
import { askUntil, list, startBehindProxy, until } from '../support/setting.ts';
import { type Service, startService } from '../support/service.ts';

const start = `GET ${list} HTTP/1.1\r\nHost: localhost\r\n`;

function open(t: Test, service: Service, options: { allowHalfOpen?: boolean } = {}): Socket {
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', ...options });
  socket.on('error', () => undefined);
  t.teardown(() => socket.destroy());
  return socket;
}

// All that arrives until either side closes the connection; a client that still sends then gets an error, which is ignored.
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  if (!socket.closed) await new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  return text;
}

/** The service's open connections. */
const connectionsOf = ({ app }: Service): Promise<number> => promisify(app.server.getConnections.bind(app.server))();

const assertServed = async (t: Test, service: Service) =>
  t.equal((await service.request('GET', list, { as: 'alice' })).status, 200, 'others are served');

await test('the service has its time limits', async (t) => {
  const { server } = (await startService(t)).app;
  t.match(server, { headersTimeout: 15_000, requestTimeout: 60_000, keepAliveTimeout: 75_000, timeout: 150_000 });
  t.equal(server.maxConnections, 4000);
});

await test('slow headers are 408', async (t) => {
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

await test('a slow body is 408', async (t) => {
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

await test('huge headers are 431', async (t) => {
  const service = await startService(t);
  const huge = open(t, service);
  huge.write(`${start}X-Huge: ${'x'.repeat(100_000)}\r\n\r\n`);
  t.match(await readAll(huge), /^HTTP\/1\.1 431 [^]*"code":"request_header_fields_too_large"/);
  await assertServed(t, service);
});

await test('an endless body is 413', async (t) => {
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
  // The answer may be lost because the connection closes while the client still sends.
  t.match(await readAll(endless), /^(?:HTTP\/1\.1 413 [^]*"code":"request_too_large"[^]*)?$/);
  t.ok(written < 20_000_000, `the connection ended after ${written} bytes`);
  await assertServed(t, service);
});

await test('idle connections, and clients that stop reading, are closed', async (t) => {
  const service = await startService(t);
  const idle = Array.from({ length: 500 }, () => open(t, service));
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  // Each client requests many pages and reads none.
  for (const socket of idle.slice(0, 50)) {
    socket.pause();
    socket.write(`${start.replace(' HTTP', '?page_size=1000 HTTP').replace('alice', 'erin')}\r\n`.repeat(20));
  }
  for (let i = 0; i < 20; i++) await assertServed(t, service);
});

const posting = (path: string) => `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65536\r\n\r\n`;
const ended = (socket: Socket) => once(socket.resume(), 'end');

await test('a client that does not close its side is disconnected', async (t) => {
  const service = await startService(t);
  service.app.server.headersTimeout = 200;
  service.app.server.requestTimeout = 400;
  const live = '/_understudy/health/live';
  const sent = {
    nothing: '',
    'half a head': start,
    'no body': posting(list),
    'too long a body': posting(list).replace('65536', '65537'),
    'no HTTP': 'nonsense\r\n\r\n',
    'too long a head': `${start}X-Huge: ${'x'.repeat(100_000)}\r\n\r\n`,
    'health with a body': posting(live).replace('POST', 'GET'),
    'health with a long body': posting(live).replace('POST', 'GET').replace('65536', '104857600'),
  };
  for (const [what, text] of Object.entries(sent)) {
    const socket = open(t, service, { allowHalfOpen: true });
    socket.write(text);
    await ended(socket);
    t.ok(await until(async () => (await connectionsOf(service)) === 0), what);
  }
});

await test('refusing a body unread closes the connection; health requests count towards no limit', async (t) => {
  const { proxy, service } = await startBehindProxy(t, { maxRequests: 1 });
  t.equal((await service.request('GET', list)).status, 200);
  proxy.stall();
  const accepted = service.request('GET', list);
  await askUntil(503, () => service.request('GET', list));
  const before = await connectionsOf(service);
  const refused = open(t, service, { allowHalfOpen: true });
  refused.write(posting('/_understudy/health/live'));
  const [answer] = (await once(refused, 'data')) as [Buffer];
  t.match(
    answer.toString('latin1'),
    /^HTTP\/1\.1 413 [^]*connection: close\r\n/i,
    'a body there counts towards none, for it has a limit of its own',
  );
  await ended(refused);
  t.ok(await until(async () => (await connectionsOf(service)) === before));
  const watching = open(t, service, { allowHalfOpen: true });
  watching.write(posting('/_understudy/health/live').replace('POST', 'GET'));
  t.match(String((await once(watching, 'data'))[0]), /^HTTP\/1\.1 200 /, 'health is answered');
  proxy.resume();
  t.equal((await accepted).status, 200);
});

await test('connections beyond the limit are closed', async (t) => {
  const service = await startService(t, { maxRequests: 1 });
  t.equal(service.app.server.maxConnections, 8);
  const request = `GET /_understudy/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const answersTo = async (socket: Socket) => {
    socket.write(request);
    const [first] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    return String(first).startsWith('HTTP/1.1 200');
  };
  const used = Array.from({ length: 8 }, () => open(t, service));
  for (const socket of used) t.ok(await answersTo(socket));
  t.notOk(await answersTo(open(t, service)), 'a further one is closed');
  used[0]?.destroy();
  t.ok(await until(async () => (await connectionsOf(service)) === 7));
  t.ok(await answersTo(open(t, service)), 'there is room again');
});
