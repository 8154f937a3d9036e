// Each request releases its slot and its body's bytes exactly once, whatever happens to it and in whatever order.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { test } from 'tap';
import { list, startBehindProxy, until } from '../support/setting.ts';

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
