// The journal's stream over HTTP: what it sends, what it costs the service, and what ends it.
import { setTimeout as delay } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { readConfiguration } from '../../src/process/config.ts';
import { adminOptions } from '../../src/process/service-options.ts';
import { mostStreams } from '../../src/traffic/journal/follow.ts';
import { type Service, type ServiceOptions, startService } from '../support/service.ts';
import { openStream, type OpenStream } from './open-stream.ts';
import { cookieOf } from '../access/as-browser.ts';

const sandboxes = '/_understudy/sandboxes';
const streamOf = (sandbox: string, query = '') => `/_understudy/console/${sandbox}/journal/stream${query}`;
const alive = '/_understudy/health/live';

async function start(t: Test, options: ServiceOptions = {}) {
  const service = await startService(t, options);
  const open = async (path = streamOf('default'), headers?: Record<string, string>): Promise<OpenStream> => {
    const stream = await openStream(service, path, headers);
    t.teardown(() => stream.close());
    return stream;
  };
  return { service, open };
}

const ask = (service: Service, path: string, as?: string) =>
  service.request('GET', path, { ...(as !== undefined && { as }) });

/** The ids of events. */
const idsOf = (text: string) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id ?? '');

await test('what it sends', async (t) => {
  const { service, open } = await start(t);
  await ask(service, '/api/before/');
  const stream = await open();
  t.equal(stream.status, 200);
  t.match(stream.headers, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    connection: 'close',
  });
  await stream.until(/\/api\/before\//);
  await ask(service, '/api/users/alice/notifications/?x=%3Cscript%3E<script>&y="', 'alice');
  const text = await stream.until(/<script|&lt;script/);
  t.match(text, /hx-swap="afterbegin"/);
  t.match(text, /<td class="user">\s*alice/);
  t.match(text, /200 OK/);
  t.notMatch(text, /<script/, 'what clients sent is text');
  t.ok(
    text.split('\n').every((line) => /^(?:$|:|id: |data: )/.test(line)),
    'each line is one of an event',
  );

  const filtered = await open(streamOf('default', '?status=4xx&principal=alice'));
  await ask(service, '/api/nowhere/');
  await ask(service, '/api/users/alice/nowhere/', 'alice');
  const fitting = await filtered.until(/\/alice\/nowhere\//);
  t.notMatch(fitting, /"target">\/api\/nowhere\//);
  t.notMatch(fitting, /200 OK/);
});

await test('a browser that connects again', async (t) => {
  const { service, open } = await start(t);
  await ask(service, '/api/first/');
  const first = await open();
  const [id = ''] = idsOf(await first.until(/first[^]*\n\n/));
  first.close();
  await ask(service, '/api/second/');
  const again = await open(streamOf('default'), { 'last-event-id': id });
  const text = await again.until(/second[^]*\n\n/);
  t.notMatch(text, /first/);
  t.match(text, /hx-swap="afterbegin"/);
  const other = await open(streamOf('default', '?after=0123abcd-1'));
  t.match(await other.until(/\n\n[^]*\n\n/), /hx-swap="innerHTML"[^]*second[^]*first/, 'after a restart');
});

await test('thousands of requests are few events', async (t) => {
  const { service, open } = await start(t);
  const stream = await open(streamOf('default', '?path=/api/nowhere/**'));
  await stream.until(/:/);
  const each = async () => {
    for (let n = 0; n < 100; n++) await ask(service, '/api/nowhere/');
  };
  await Promise.all(Array.from({ length: 30 }, each));
  await ask(service, '/api/nowhere/last/');
  const text = await stream.until(/\/last\//);
  t.match(text, /\d+ more arrived here/);
  const rows = text.match(/<tr>/g)?.length ?? 0;
  t.ok(rows <= 25 * idsOf(text).length && rows < 1500, `${rows} rows of 3,001 requests`);
});

await test('it holds no slot, and takes few connections', async (t) => {
  const { service, open } = await start(t, { maxRequests: 1 });
  const untilAnswered = async (path: string) => {
    for (;;) {
      const answered = await ask(service, path);
      if (answered.status !== 503) return answered.status;
    }
  };
  const stream = await open();
  t.equal(stream.status, 200);
  t.equal(await untilAnswered('/api/'), 200, 'the only slot is free');
  const second = await open();
  t.equal(second.status, 503, 'with one request at a time there is one stream');
  t.equal(second.headers['retry-after'], '1');
  const { maxConnections } = service.app.server;
  t.equal(maxConnections, 8);
  t.equal((await ask(service, alive)).status, 200);
  await stream.until(/\/api\//);
  stream.close();
  for (;;) {
    const next = await open();
    if (next.status === 200) break;
  }
  t.pass('a stream that ended makes room');
});

await test('the number of streams of a sandbox', async (t) => {
  const { service, open } = await start(t);
  await service.request('PUT', `${sandboxes}/other`);
  const all = await Promise.all(Array.from({ length: mostStreams.ofSandbox }, () => open()));
  t.ok(all.every(({ status }) => status === 200));
  t.equal((await open()).status, 503);
  t.equal((await open(streamOf('other'))).status, 200);
});

await test('what may not be streamed', async (t) => {
  const { service, open } = await start(t);
  t.equal((await open(streamOf('missing'))).status, 404);
  t.equal((await open(streamOf('default', '?status=nine'))).status, 400);
  t.equal((await open(streamOf('default'), { 'sec-fetch-site': 'cross-site' })).status, 403);
  t.equal((await open(streamOf('default'), { origin: 'https://evil.example' })).status, 403);
  t.equal((await service.request('HEAD', streamOf('default'))).text, '');
  // Each of them gave its place back.
  const all = await Promise.all(Array.from({ length: mostStreams.ofSandbox }, () => open()));
  t.ok(all.every(({ status }) => status === 200));
});

await test('a sandbox that is reset or dropped', async (t) => {
  const { service, open } = await start(t);
  await service.request('PUT', `${sandboxes}/mine`);
  const stream = await open(streamOf('mine'));
  await ask(service, '/sandboxes/mine/api/before/');
  await stream.until(/before/);
  await service.request('POST', `${sandboxes}/mine/reset`);
  await stream.until(/hx-swap="innerHTML"/);
  await service.request('DELETE', `${sandboxes}/mine`);
  t.match(await stream.ended, /event: over\ndata: The sandbox was deleted\.\n\n$/);
});

await test('the service ends', async (t) => {
  const { service, open } = await start(t);
  const stream = await open();
  const idle = await open();
  await service.request('GET', '/api/', { headers: { connection: 'close' } });
  await stream.until(/\/api\//);
  await idle.until(/\/api\//);
  await service.app.drain(3_600_000);
  await Promise.all([stream.ended, idle.ended]);
  t.pass('at once, and so do their connections');
});

await test('a client that reads nothing doesn’t hold it up', async (t) => {
  const { service, open } = await start(t);
  const stream = await open();
  stream.pause();
  for (let n = 0; n < 30; n++) await ask(service, `/api/${'x'.repeat(200)}/`);
  stream.close();
  await service.app.close();
  t.pass('it ended');
});

await test('a session that ends', async (t) => {
  const token = 'correct-horse';
  const { service, open } = await start(t, {
    admin: adminOptions(readConfiguration({ UNDERSTUDY_ADMIN_TOKEN: token })),
  });
  const refused = await open(streamOf('default'), { 'sec-fetch-site': 'same-origin' });
  t.equal(refused.status, 403);
  const cookie = await cookieOf(service, { kind: 'console', adminToken: token, secondsAgo: 3595 });
  const expires = Number(/=(\d+)/.exec(cookie)?.[1]) * 1000;
  const stream = await open(streamOf('default'), {
    cookie,
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
  });
  t.equal(stream.status, 200);
  await ask(service, '/api/');
  await stream.until(/\/api\//);
  await delay(expires - Date.now());
  await ask(service, '/api/secret/');
  const text = await stream.ended;
  t.match(text, /event: over\ndata: You are signed out\.\n\n$/);
  t.notMatch(text, /secret/);
});
