// The delays of one sandbox's fault rules don't affect other sandboxes.
import { EventEmitter } from 'node:events';
import { Agent, type ClientRequest, get } from 'node:http';
import type { FastifyReply } from 'fastify';
import { type Test, test } from 'tap';
import { Call } from '../../src/http/call.ts';
import { createDelay, maxDelayed } from '../../src/traffic/fault-answers.ts';
import { askUntil, startBehindProxy } from '../support/setting.ts';
import { statusOf } from '../support/raw.ts';
import { type Service, startService } from '../support/service.ts';

const base = '/_understudy/sandboxes';
const list = '/api/users/alice/notifications/';

async function startDelayed(t: Test, maxRequests: number): Promise<Service> {
  const service = await startService(t, { maxRequests });
  await service.request('PUT', `${base}/slow`);
  const rules = [{ name: 'slow', delay_ms: 60_000 }];
  await service.request('PUT', `${base}/slow/faults`, { json: { rules } });
  return service;
}

function sendMany(service: Service, count: number): { agent: Agent; statuses: Promise<number>[] } {
  const agent = new Agent();
  const ask = (): ClientRequest => get(`${service.url}/sandboxes/slow${list}`, { agent });
  const statuses = Array.from({ length: count }, () => statusOf(ask()));
  return { agent, statuses };
}

async function untilStruck(service: Service, times: number): Promise<void> {
  for (;;) {
    const { json, status } = await service.request('GET', `${base}/slow/faults`);
    if (status !== 200) throw new Error(`${status} beside delayed requests`);
    const [rule] = json as { struck: number }[];
    if (rule?.struck === times) return;
  }
}

await test('delayed requests take no slots from others', async (t) => {
  const service = await startDelayed(t, 4);
  const { agent, statuses } = sendMany(service, 8);
  await untilStruck(service, 8);
  t.equal((await service.request('GET', list)).status, 200, 'another sandbox is answered');
  agent.destroy();
  t.strictSame(await Promise.all(statuses), Array(8).fill(0), 'the clients went away');
  const journal = async () =>
    ((await service.request('GET', `${base}/slow/requests`)).json as { requests: { status: number }[] }).requests;
  while ((await journal()).length < 8);
  t.ok(
    (await journal()).every(({ status }) => status === 0),
    'which ended the delays',
  );
});

await test('delayed requests beyond the limit of a sandbox are refused', async (t) => {
  const service = await startDelayed(t, 200);
  const { agent, statuses } = sendMany(service, maxDelayed.ofSandbox + 3);
  await untilStruck(service, maxDelayed.ofSandbox + 3);
  const refused = await Promise.all([...Array(3)].map(() => Promise.race(statuses)));
  t.strictSame(refused, [503, 503, 503]);
  agent.destroy();
  const all = await Promise.all(statuses);
  t.strictSame(
    [all.filter((status) => status === 503).length, all.filter((status) => status === 0).length],
    [3, maxDelayed.ofSandbox],
  );
});

await test('a delayed request takes no slot again', async (t) => {
  const { proxy, service } = await startBehindProxy(t, { maxRequests: 1 });
  await service.request('PUT', `${base}/slow`);
  await service.request('PUT', `${base}/slow/faults`, { json: { rules: [{ delay_ms: 3000, status: 418 }] } });
  t.equal((await service.request('GET', list)).status, 200);
  const delayed = service.request('GET', `/sandboxes/slow${list}`);
  await untilStruck(service, 1);
  proxy.stall();
  const other = service.request('GET', list);
  await askUntil(503, () => service.request('GET', list));
  t.match(await delayed, { status: 418, headers: { 'x-understudy-fault': '1' } }, 'though there is no room');
  t.equal((await service.request('GET', list)).status, 503);
  proxy.resume();
  t.equal((await other).status, 200);
});

/** The parts of a reply that a delay uses. */
function reply(slot?: Call['slot'], closed = false) {
  const raw = Object.assign(new EventEmitter(), { closed, socket: null });
  const socket = Object.assign(new EventEmitter(), { destroyed: false });
  const request = { originalUrl: '/', headers: {}, raw: { socket } };
  const made = { raw, request: { ...request, context: undefined as unknown as Call } };
  made.request.context = new Call(made as never, {} as never);
  made.request.context.slot = slot;
  return made;
}
const asReply = (given: ReturnType<typeof reply>) => given as unknown as FastifyReply;

await test('a delayed request gives its slot back, and ends when its client disconnects', async (t) => {
  const delay = createDelay();
  // Delays alone don't keep the process alive.
  const awake = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(awake));
  let given = 0;
  const slot = { take: () => true, giveBack: () => void given++ };
  t.equal(await delay(asReply(reply(slot)), 'a', 1), true);
  t.equal(given, 1, 'it gave its slot back');
  for (const end of ['response', 'connection'] as const) {
    const left = reply(slot);
    const waiting = delay(asReply(left), 'a', 60_000);
    (end === 'response' ? left.raw : left.request.raw.socket).emit('close');
    t.equal(await waiting, false, 'the client went away');
  }
  for (const gone of [reply(), reply()].map((one, i) => {
    if (i === 0) one.raw.closed = true;
    else one.request.raw.socket.destroyed = true;
    return one;
  }))
    t.equal(await delay(asReply(gone), 'a', 60_000), false, 'it had gone before');
});

await test('the number of delayed requests is limited per sandbox and in all', async (t) => {
  const awake = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(awake));
  const delay = createDelay();
  const full = { message: 'Service temporarily unavailable: too many requests are delayed already.' };
  const fill = async (sandbox: string) => {
    const replies = Array.from({ length: maxDelayed.ofSandbox }, () => reply());
    for (const one of replies) await delay(asReply(one), sandbox, 0);
    return replies;
  };
  for (let n = 0; n <= maxDelayed.inAll; n++)
    if (await delay(asReply(reply(undefined, true)), 'a', 0)) t.fail('it has gone');
  const [first] = await fill('a');
  await t.rejects(delay(asReply(reply()), 'a', 0), full, 'they count until they are answered');
  first?.raw.emit('close');
  t.equal(await delay(asReply(reply()), 'a', 0), true);
  for (const sandbox of ['b', 'c', 'd']) await fill(sandbox);
  await t.rejects(delay(asReply(reply()), 'e', 0), full, 'of all sandboxes');
});
