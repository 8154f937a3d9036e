// Load beyond the limits is refused at once in the documented form, and admitted requests are answered.
import Fastify from 'fastify';
import { test } from 'tap';
import { shareStatements } from '../../src/database/batch.ts';
import { loadLimits, shedLoad } from '../../src/edge/overload.ts';
import { noteUnavailable } from '../../src/api/send.ts';
import type { Sender } from '../../src/api/send.ts';
import { head, sendRaw } from '../support/raw.ts';
import type { Service } from '../support/service.ts';
import { askUntil, assertUnavailable, list, startBehindProxy, until } from '../outages/setting.ts';

const sendError: Sender['sendError'] = (_request, reply, _negotiated, error) =>
  void reply.code((error as { status: number }).status).send();

const live = '/_understudy/health/live';
const other = '127.0.0.2';
/** The status of a request with `Connection: close` from one of this machine's addresses. */
const statusOf = async (service: Service, path: string, from: string): Promise<number> =>
  (await sendRaw(service, head(`GET ${path}`, 'Host: localhost'), from)).status;

await test('requests beyond the limit: three quarters of it for one address', async (t) => {
  const { proxy, service } = await startBehindProxy(t, { maxRequests: 20 });
  t.equal((await service.request('GET', list, { as: 'alice' })).status, 200);
  proxy.stall();
  let answered = 0;
  const accepted = Array.from({ length: 15 }, () =>
    service.request('GET', list, { as: 'alice' }).finally(() => answered++),
  );
  assertUnavailable(t, await askUntil(503, () => service.request('GET', list, { as: 'alice' })), 'one too many');
  assertUnavailable(
    t,
    await service.request('POST', list, { as: 'alice', json: {} }),
    'whatever it is, its body unread',
  );
  const others = Array.from({ length: 5 }, () => statusOf(service, list, other).finally(() => answered++));
  t.ok(await until(async () => (await statusOf(service, list, '127.0.0.3')) === 503), 'no address has room any more');
  t.equal(answered, 0, 'the refusals came before the answers to those that were let in');
  for (const from of ['127.0.0.1', other]) t.equal(await statusOf(service, live, from), 200, 'health is answered');
  proxy.resume();
  t.ok(
    (await Promise.all(accepted)).every(({ status }) => status === 200),
    'who was let in is answered',
  );
  t.same(await Promise.all(others), [200, 200, 200, 200, 200], 'and so is the second address');
  t.equal((await service.request('GET', list, { as: 'alice' })).status, 200, 'there is room again');
});

await test('behind a proxy an address is the client’s', async (t) => {
  const { proxy, service } = await startBehindProxy(t, { maxRequests: 4, trustProxy: 1 });
  const askFor = (client: string) =>
    service.request('GET', list, { headers: { 'x-forwarded-for': `192.0.2.99, ${client}` } });
  t.equal((await askFor('192.0.2.1')).status, 200);
  proxy.stall();
  const accepted = [1, 2, 3].map(() => askFor('192.0.2.1'));
  t.equal((await askUntil(503, () => askFor('192.0.2.1'))).status, 503);
  const second = askFor('192.0.2.2');
  proxy.resume();
  for (const { status } of await Promise.all([...accepted, second])) t.equal(status, 200);
});

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

await test('bodies that together exceed the memory bound', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  shedLoad(app, { sendError } as Sender, { maxRequests: 100, maxBodyBytes: 1000, bodyLimitBytes: 600 });
  const held = Promise.withResolvers<void>();
  let inside = 0;
  app.post('/', async () => {
    inside++;
    await held.promise;
    return 'done';
  });
  await app.ready();
  const post = (bytes: number, remoteAddress = '127.0.0.1') =>
    app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'text/plain' },
      payload: 'x'.repeat(bytes),
      remoteAddress,
    });
  const first = post(600);
  await until(() => inside === 1);
  t.equal((await post(200)).statusCode, 503, 'too much of one address');
  t.equal((await post(500, other)).statusCode, 503, 'too much together');
  const second = post(400, other);
  await until(() => inside === 2);
  t.equal((await post(1, '127.0.0.3')).statusCode, 503, 'not a byte more');
  held.resolve();
  t.same([(await first).statusCode, (await second).statusCode], [200, 200]);
  t.equal((await post(600)).statusCode, 200, 'there is room again');
  t.equal(loadLimits(10, 1_048_576).maxBodyBytes, 67_108_864, 'by default 64 MiB');
});

await test('a stalled queue', async (t) => {
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
    isOneRequestsFault: () => false,
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
  for (let i = 0; i < 1000; i++) noteUnavailable(log as never, new Error('away'));
  t.ok(lines.length < 10, `${lines.length} lines`);
  t.match(lines[0], { err: { message: 'away' } }, 'with its cause');
});
