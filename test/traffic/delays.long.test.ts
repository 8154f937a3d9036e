// The delays of one sandbox's fault rules don't affect other sandboxes.
import { EventEmitter } from 'node:events';
import { Agent, type ClientRequest, get, request as send } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Test, test } from 'tap';
import { createDelay, maxDelayed } from '../../src/traffic/delays.ts';
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

await test('as many delayed requests as there are slots', async (t) => {
  const service = await startDelayed(t, 4);
  const { agent, statuses } = sendMany(service, 8);
  await untilStruck(service, 8);
  t.equal((await service.request('GET', list)).status, 200, 'another sandbox is answered');
  agent.destroy();
  t.strictSame(await Promise.all(statuses), Array(8).fill(0), 'the clients went away');
  const journal = async () => (await service.request('GET', `${base}/slow/requests`)).json as { status: number }[];
  while ((await journal()).length < 8);
  t.ok(
    (await journal()).every(({ status }) => status === 0),
    'which ended the delays',
  );
});

await test('more of one sandbox than may be delayed', async (t) => {
  const service = await startDelayed(t, 200);
  const { agent, statuses } = sendMany(service, maxDelayed + 3);
  await untilStruck(service, maxDelayed + 3);
  const refused = await Promise.all([...Array(3)].map(() => Promise.race(statuses)));
  t.strictSame(refused, [503, 503, 503]);
  agent.destroy();
  const all = await Promise.all(statuses);
  t.strictSame(
    [all.filter((status) => status === 503).length, all.filter((status) => status === 0).length],
    [3, maxDelayed],
  );
});

await test('no room is left when the delay ends', async (t) => {
  const service = await startService(t, { maxRequests: 4 });
  await service.request('PUT', `${base}/slow`);
  const rules = [{ delay_ms: 3000, expires_in_seconds: 60 }];
  await service.request('PUT', `${base}/slow/faults`, { json: { rules } });
  const delayed = service.request('GET', `/sandboxes/slow${list}`);
  await untilStruck(service, 1);
  // Requests with endless bodies.
  const headers = { 'content-type': 'application/json', 'content-length': 2 };
  const others = Array.from({ length: 4 }, () => {
    const other = send(`${service.url}${list}`, { method: 'POST', agent: false, headers });
    other.on('error', () => undefined);
    other.write('{');
    return other;
  });
  t.match(await delayed, { status: 503, headers: { 'x-understudy-fault': '1', 'retry-after': '1' } });
  for (const other of others) other.destroy();
  while ((await service.request('GET', list)).status !== 200);
  t.equal((await service.request('GET', list)).status, 200, 'what it gave back stays given back');
});

await test('what a delayed request holds', async (t) => {
  const delay = createDelay();
  // Delays alone don't keep the process alive.
  const awake = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(awake));
  const events: string[] = [];
  const request = (hasRoom: boolean) =>
    ({
      slot: {
        giveBack: () => events.push('gives back'),
        takeAgain: () => (events.push('takes again'), hasRoom),
      },
    }) as unknown as FastifyRequest;
  const reply = () => ({ raw: new EventEmitter() }) as unknown as FastifyReply;
  t.equal(await delay(request(true), reply(), 'a', 1), true);
  t.strictSame(events.splice(0), ['gives back', 'takes again']);
  await t.rejects(delay(request(false), reply(), 'a', 1), { message: 'Service temporarily unavailable.' });
  events.length = 0;
  const left = reply();
  const waiting = delay(request(true), left, 'a', 60_000);
  left.raw.emit('close');
  t.equal(await waiting, false, 'the client went away');
  t.strictSame(events, ['gives back']);
});
