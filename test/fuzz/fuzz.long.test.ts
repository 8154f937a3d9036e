// Fuzzes the service: no 5xx, no request that hangs, no answer in an undocumented form. The fuzzer itself must detect such faults.
import { createServer, type Server } from 'node:http';
import * as fc from 'fast-check';
import { type Test, test } from 'tap';
import { readWorld } from '../generator/world.ts';
import { describeFault, fuzz } from './fuzz.ts';
import { batches } from './requests.ts';
import { sandboxes, ways } from './sandboxes.ts';
import { fuzzServices } from './services.ts';

await test('random requests to three sandboxes at once show no fault', async (t) => {
  const requests = 1000;
  const { tally, url } = await fuzzServices(t, { requests, narrowRequests: 100 });
  t.equal(tally.requests, requests);
  // Of groups most requests are refused, for they need a superuser.
  t.ok(tally.successes >= 0.25 * requests, `${tally.successes} of ${requests} answered with success`);
  t.ok(tally.unavailable < 0.01 * requests, `${tally.unavailable} answered 503`);
  for (const sandbox of sandboxes)
    for (const way of ways) t.ok(tally.places.has(`${sandbox} by ${way}`), `${sandbox} was reached by ${way}`);
  t.equal((await fetch(`${url}/_understudy/health/ready`)).status, 200);
});

await test('the same seed makes the same requests', async (t) => {
  const world = await readWorld();
  const make = (seed: number) => JSON.stringify(fc.sample(batches(world, 100), { seed, numRuns: 3 }));
  t.equal(make(7), make(7));
  t.not(make(7), make(8));
});

async function listen(t: Test, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

await test('the fuzzer detects faults', async (t) => {
  const bad: [status: number, headers: Record<string, string>, body: string][] = [
    [500, { 'content-type': 'application/json' }, '{}'],
    [404, { 'content-type': 'application/json' }, '{"error":"x"}'],
    [
      404,
      { 'content-type': 'application/json' },
      '{"type":"client_error","errors":[{"code":"odd","detail":"x","attr":null}]}',
    ],
    [200, { 'content-type': 'application/json' }, '{'],
    [200, { 'content-type': 'image/png' }, 'x'],
    [200, { 'content-type': 'application/json', 'x-understudy-sandbox': 'another' }, '{}'],
    [500, { 'x-understudy-fault': 'slow' }, ''],
    [503, {}, ''],
    [401, {}, ''],
    [405, {}, ''],
  ];
  for (const [status, headers, body] of bad) {
    const url = await listen(
      t,
      createServer((_request, response) => response.writeHead(status, headers).end(body)),
    );
    const { faults } = await fuzz({ url, seed: 1, count: 60 });
    t.ok([...faults.values()].reduce((sum, { times }) => sum + times, 0) >= 5, `${status} ${body}`);
  }
  const onPurpose = await listen(
    t,
    createServer((_request, response) => response.writeHead(500, { 'x-understudy-fault': 'busy' }).end()),
  );
  t.same([...(await fuzz({ url: onPurpose, seed: 1, count: 60 })).faults], [], 'a fault on purpose is none');
  for (const [what, answer] of [
    ['ECONNRESET', ''],
    ['HPE', 'nothing of HTTP'],
    ['ECONNRESET', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort'],
    ['ECONNRESET', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n'],
  ] as const) {
    const url = await listen(
      t,
      createServer((request) => request.socket.end(answer)),
    );
    const kinds = [...(await fuzz({ url, seed: 1, count: 20 })).faults.keys()];
    t.ok(
      kinds.some((kind) => kind.startsWith(`no answer: ${what}`)),
      `${what} after ${answer}: ${kinds.join(', ')}`,
    );
  }
});

await test('a fault is reported with the shortest sequence that repeats it', async (t) => {
  let isLocked = false;
  const url = await listen(
    t,
    createServer(({ method, url: path = '' }, response) => {
      const isSetUp = path === '/_understudy/sandboxes/default/seed';
      if (isSetUp || (method === 'POST' && path.endsWith('/groups/'))) isLocked = !isSetUp;
      response.writeHead(isLocked && method === 'DELETE' ? 500 : 400).end();
    }),
  );
  const { faults } = await fuzz({ url, seed: 1, count: 400, atOnce: 8, longest: 40 });
  const [found] = faults.values();
  if (found === undefined) throw new Error('no fault was found');
  const [first, second, ...sequence] = (await describeFault(found, `{"reqId":"${found.id}"}`)).split('\n');
  t.match(first, /^status 500:  \(\d+ times\)$/);
  t.equal(second, '2 requests repeat it:');
  t.match(sequence, [/"method":"POST"/, /"method":"DELETE"/, `log: {"reqId":"${found.id}"}`]);
});
