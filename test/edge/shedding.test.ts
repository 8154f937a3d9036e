// Load beyond the limits is refused at once; each request releases its slot and its body's bytes exactly once.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import Fastify, { type FastifyRequest } from 'fastify';
import { type Test, test } from 'tap';
import { shareStatements } from '../../src/database/batch.ts';
import { keepContexts } from '../../src/http/call.ts';
import { createLoad, shedLoad } from '../../src/http/edge/overload.ts';
import { createUnavailableLog } from '../../src/http/send.ts';
import type { Service } from '../support/service.ts';
import { askUntil, assertUnavailable, list, startBehindProxy, until } from '../support/setting.ts';

const live = '/_understudy/health/live';

await test('requests beyond the limit are refused at once', async (t) => {
  const { proxy, service } = await startBehindProxy(t, { maxRequests: 20 });
  t.equal((await service.request('GET', list, { as: 'alice' })).status, 200);
  proxy.stall();
  let answered = 0;
  const accepted = Array.from({ length: 20 }, () =>
    service.request('GET', list, { as: 'alice' }).finally(() => answered++),
  );
  const full = await askUntil(503, () => service.request('GET', list, { as: 'alice' }));
  const why = 'too many requests, or too large ones, are under way';
  assertUnavailable(t, full, 'one too many', why);
  const refused = await service.request('POST', list, { as: 'alice', json: {} });
  assertUnavailable(t, refused, 'whatever it is, its body unread', why);
  t.equal(refused.headers['connection'], 'close');
  t.equal(answered, 0, 'the refusals came before the answers to admitted requests');
  t.equal((await service.request('GET', live)).status, 200, 'health is answered');
  const { text } = await service.request('GET', '/_understudy/metrics');
  t.match(text, /^understudy_requests_in_progress 20$/m, 'and metrics');
  proxy.resume();
  t.ok(
    (await Promise.all(accepted)).every(({ status }) => status === 200),
    'admitted requests are answered',
  );
  t.equal((await service.request('GET', list, { as: 'alice' })).status, 200, 'there is room again');
});

await test('a body on its way takes no place among the requests; once complete it does', async (t) => {
  const { proxy, service } = await startBehindProxy(t, { maxRequests: 1 });
  t.equal((await service.request('GET', list, { as: 'alice' })).status, 200);
  const uploads = Array.from({ length: 4 }, () => startUpload(t, service));
  const bytesOnTheirWay = async (bytes: number) =>
    new RegExp(`^understudy_request_body_bytes ${bytes}$`, 'm').test(
      (await service.request('GET', '/_understudy/metrics')).text,
    );
  t.ok(await until(() => bytesOnTheirWay(8)), 'four bodies of two bytes');
  t.equal((await service.request('GET', list, { as: 'alice' })).status, 200, 'the only place is free');
  proxy.stall();
  const accepted = service.request('GET', list, { as: 'alice' });
  await askUntil(503, () => service.request('GET', list));
  t.match(await uploads[0]?.complete(), /^HTTP\/1\.1 503 [^]*retry-after: 1\r\n/i, 'it is taken');
  proxy.resume();
  t.equal((await accepted).status, 200);
  t.match(await uploads[1]?.complete(), /^HTTP\/1\.1 401 /, 'it is free again');
  t.ok(await until(() => bytesOnTheirWay(4)));
});

/** A request whose body lacks its end. */
function startUpload(t: Test, { url }: Service) {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  t.teardown(() => socket.destroy());
  socket.write(`POST ${list} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{`);
  return {
    async complete(): Promise<string> {
      socket.write('}');
      const [answer] = (await once(socket, 'data')) as [Buffer];
      return answer.toString('latin1');
    },
  };
}

await test('disconnected clients free their places', async (t) => {
  const { proxy, service } = await startBehindProxy(t, { maxRequests: 5 });
  t.equal((await service.request('GET', list)).status, 200);
  proxy.stall();
  const leave = new AbortController();
  const left = Array.from({ length: 5 }, () =>
    fetch(service.url + list, { signal: leave.signal }).catch(() => undefined),
  );
  const knock = async () => {
    const signal = AbortSignal.timeout(100);
    return (await fetch(service.url + list, { signal }).catch(() => undefined))?.status === 503;
  };
  t.ok(await until(knock), 'it is full');
  leave.abort();
  await Promise.all(left);
  proxy.resume();
  t.equal((await askUntil(200, () => service.request('GET', list))).status, 200);
});

/** An app whose handlers wait. `/short` takes bodies of at most 100 bytes. */
async function startHeld(t: Test, maxBytes: number) {
  const app = Fastify();
  t.teardown(() => app.close());
  const load = createLoad(100, maxBytes);
  keepContexts(app, { publicUrl: undefined, trustProxy: 0 });
  shedLoad(app, load);
  const held = Promise.withResolvers<void>();
  const handler = () => held.promise.then(() => 'done');
  app.post('/', handler);
  app.post('/short', { bodyLimit: 100 }, handler);
  await app.ready();
  return { app, load, held };
}

await test('bodies that together exceed the memory bound are refused', async (t) => {
  const { app, load, held } = await startHeld(t, 1000);
  const post = (bytes: number) =>
    app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'text/plain' },
      payload: 'x'.repeat(bytes),
    });
  const first = post(600);
  await until(() => load.inUse.requests === 1);
  t.equal((await post(500)).statusCode, 503, 'too much together');
  const second = post(400);
  await until(() => load.inUse.requests === 2);
  t.equal((await post(1)).statusCode, 503, 'not a byte more');
  t.strictSame(load.inUse, { requests: 2, bodyBytes: 1000 });
  held.resolve();
  t.same([(await first).statusCode, (await second).statusCode], [200, 200]);
  t.equal((await post(600)).statusCode, 200, 'there is room again');
  t.strictSame(load.inUse, { requests: 0, bodyBytes: 0 });
});

await test('a body of unknown length counts as its route’s longest, and once it has arrived as what it is', async (t) => {
  const { app, load, held } = await startHeld(t, 1000);
  const post = () =>
    app.inject({
      method: 'POST',
      url: '/short',
      headers: { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' },
      payload: Readable.from(['x'.repeat(70)]),
    });
  const all = Array.from({ length: 9 }, post);
  t.ok(await until(() => load.inUse.requests === 9));
  t.equal(load.inUse.bodyBytes, 9 * 70);
  held.resolve();
  for (const one of all) t.equal((await one).statusCode, 200);
});

await test('bodies may take their bound together, and a lone one more', async (t) => {
  const mebibyte = 1_048_576;
  const load = createLoad(1000, 64 * mebibyte);
  const request = (length: number) =>
    ({
      headers: { 'content-length': String(length) },
      routeOptions: { bodyLimit: mebibyte },
    }) as unknown as FastifyRequest;
  const slots = Array.from({ length: 64 }, () => load.openSlot(request(mebibyte)));
  t.notOk(slots.includes(undefined));
  t.equal(load.openSlot(request(1)), undefined);
  slots[0]?.giveBack();
  t.ok(load.openSlot(request(100 * mebibyte)), 'one above the limit, which is rejected, counts as one at the limit');
});

await test('a stalled queue refuses requests that waited too long', async (t) => {
  // The queue's own timer doesn't keep the process alive.
  const alive = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(alive));
  const held = Promise.withResolvers<void>();
  let sent = 0;
  const ask = shareStatements<number, number>({
    send: async (batch) => {
      sent += batch.length;
      await held.promise;
      return batch;
    },
    weigh: () => 1,
    maxInFlight: 1,
    maxWaitMs: 20,
  });
  const inFlight = ask(1);
  const waiting = [ask(2), ask(3), ask(4)];
  for (const late of waiting) await t.rejects(late, { message: /waited for more than 20 ms/ }, 'is told so');
  t.equal(sent, 1, 'and was not sent');
  held.resolve();
  t.equal(await inFlight, 1);
  t.equal(await ask(5), 5, 'it moves again');
});

await test('an outage is logged once a second', async (t) => {
  const lines: object[] = [];
  const log = { warn: (line: object) => void lines.push(line) };
  const noteUnavailable = createUnavailableLog();
  for (let i = 0; i < 1000; i++) noteUnavailable(log as never, new Error('away'));
  t.ok(lines.length < 10, `${lines.length} lines`);
  t.match(lines[0], { err: { message: 'away' } }, 'with its cause');
});

const maxRequests = 4;
const sandbox = '/sandboxes/slots';
// Each rule looks the user up before it applies.
const rules = [
  { path: '/api/delay/**', delay_ms: 60_000 },
  { path: '/api/answer-later/**', delay_ms: { min: 0, max: 20 }, status: 418 },
  { path: '/api/answer/**', status: 418 },
  { path: '/api/close/**', connection: 'close' },
  { path: '/api/cut/**', connection: 'cut' },
].map(({ path, ...rule }) => ({ ...rule, match: { path, user: 'alice' }, expires_in_seconds: 3600 }));
const paths = [
  ...['delay', 'answer-later', 'answer', 'close', 'cut'].map((name) => `${sandbox}/api/${name}/`),
  `${sandbox}${list}`,
  '/api/nowhere/',
  '/_understudy/sandboxes/slots/requests/find',
];

type Act =
  /** One connection with this many requests at once; the last body may be incomplete. */
  | { readonly kind: 'send'; readonly path: string; readonly body: string; readonly count: number; isWhole: boolean }
  | { readonly kind: 'complete' | 'leave'; readonly which: number }
  | { readonly kind: 'database'; readonly is: 'stalled' | 'back' }
  | { readonly kind: 'wait' };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      path: fc.constantFrom(...paths),
      body: fc.constantFrom('', '', '', '{}', '{}', 'nonsense', '{"within_ms":60000}', 'x'.repeat(70_000)),
      count: fc.integer({ min: 1, max: 3 }),
      isWhole: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('complete' as const, 'leave' as const),
      which: fc.nat(20),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('database' as const),
      is: fc.constantFrom('stalled' as const, 'back' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const) }),
  },
);

function requestOf(path: string, body: string): string {
  const head = [
    `${body === '' ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    'Host: localhost',
    'Authorization: Token wlu_alice_public_sample_token_0000000000',
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

await test('after all requests have ended, no slot and no bytes are in use', async (t) => {
  const { proxy, service } = await startBehindProxy(t, { maxRequests });
  // Requests that still wait behind a delay would keep the service from closing for a minute.
  t.teardown(() => service.app.server.closeAllConnections());
  await service.request('PUT', '/_understudy/sandboxes/slots', { json: { from: 'documented' } });
  await service.request('PUT', '/_understudy/sandboxes/slots/faults', { json: { rules } });
  const inUse = async (): Promise<number[]> => {
    const { text } = await service.request('GET', '/_understudy/metrics');
    const valueOf = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
    return [valueOf('understudy_requests_in_progress'), valueOf('understudy_request_body_bytes')];
  };

  async function run(acts: readonly Act[]): Promise<boolean> {
    const open: { readonly socket: Socket; rest: string }[] = [];
    for (const one of acts) {
      if (one.kind === 'database') {
        if (one.is === 'stalled') proxy.stall();
        else proxy.resume();
      } else if (one.kind === 'wait') await sleep(5);
      else if (one.kind === 'send') {
        const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1' });
        socket.on('error', () => undefined).resume();
        const text = requestOf(one.path, one.body).repeat(one.count);
        const end = one.isWhole ? text.length : text.length - 1;
        socket.write(text.slice(0, end));
        open.push({ socket, rest: text.slice(end) });
      } else {
        const chosen = open[one.which % open.length];
        if (chosen === undefined) continue;
        if (one.kind === 'leave') chosen.socket.destroy();
        else if (!chosen.socket.destroyed) chosen.socket.write(chosen.rest);
        chosen.rest = '';
      }
    }
    proxy.resume();
    const [requests = NaN, bytes = NaN] = await inUse();
    if (!(requests >= 0 && requests <= maxRequests && bytes >= 0)) return false;
    for (const { socket } of open) socket.destroy();
    if (!(await until(async () => (await inUse()).every((value) => value === 0)))) return false;
    return (await service.request('GET', list)).status === 200;
  }

  await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 25 }), run), {
    numRuns: 25,
    endOnFailure: true,
  });
  t.strictSame(await inUse(), [0, 0]);
});
