// The delays of one sandbox's fault rules don't affect other sandboxes.
import { EventEmitter } from 'node:events';
import { Agent, type ClientRequest, get } from 'node:http';
import type { FastifyReply } from 'fastify';
import { type Test, test } from 'tap';
import { Call } from '../../src/http/call.ts';
import { delay, maxDelayed } from '../../src/traffic/fault-answers.ts';
import { createHolds } from '../../src/traffic/journal/waits.ts';
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
  const { agent, statuses } = sendMany(service, maxDelayed.ofSandbox);
  await untilStruck(service, maxDelayed.ofSandbox);
  for (let n = 0; n < 3; n++) {
    const { status, headers, text } = await service.request('GET', `/sandboxes/slow${list}`);
    t.equal(status, 503);
    t.match(text, /too many delayed requests/);
    t.equal(headers['x-understudy-fault'], undefined, 'the rule is not to blame');
    t.match(headers, { 'retry-after': '1' });
  }
  await untilStruck(service, maxDelayed.ofSandbox);
  agent.destroy();
  t.strictSame(await Promise.all(statuses), Array(maxDelayed.ofSandbox).fill(0));
  const { json } = await service.request('GET', `${base}/slow/requests?status=503`);
  const refused = { fault: null, error: { detail: /too many delayed requests/ } };
  t.match(json, { requests: [refused, refused, refused] });
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
  // Delays alone don't keep the process alive.
  const awake = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(awake));
  let given = 0;
  const slot = { take: () => true, giveBack: () => void given++ };
  t.equal(await delay(asReply(reply(slot)), 1), true);
  t.equal(given, 1, 'it gave its slot back');
  for (const end of ['response', 'connection'] as const) {
    const left = reply(slot);
    const waiting = delay(asReply(left), 60_000);
    (end === 'response' ? left.raw : left.request.raw.socket).emit('close');
    t.equal(await waiting, false, 'the client went away');
  }
  for (const gone of [reply(), reply()].map((one, i) => {
    if (i === 0) one.raw.closed = true;
    else one.request.raw.socket.destroyed = true;
    return one;
  }))
    t.equal(await delay(asReply(gone), 60_000), false, 'it had gone before');
});

await test('the number of delayed requests is limited per sandbox and in all', async (t) => {
  const hold = createHolds(maxDelayed, 'delayed requests');
  const full = { message: 'There are too many delayed requests. Retry when one has ended.' };
  const fill = (sandbox: string) => Array.from({ length: maxDelayed.ofSandbox }, () => hold(sandbox));
  const [release] = fill('a');
  t.throws(() => hold('a'), full);
  release?.();
  hold('a');
  for (const sandbox of ['b', 'c', 'd']) fill(sandbox);
  t.throws(() => hold('e'), full, 'of all sandboxes');
});
