// Fuzzes the service: no 5xx, no request that hangs, no answer in an undocumented form. The fuzzer itself must detect such faults.
import { createServer, type Server } from 'node:http';
import { type Test, test } from 'tap';
import { fuzz } from './fuzz.ts';
import { makeRequest } from './grammar.ts';
import { sandboxes, ways } from './operations.ts';
import { fuzzServices } from './services.ts';

await test('requests over three sandboxes at once', async (t) => {
  const requests = 2000;
  const { tally, url } = await fuzzServices(t, { requests, narrowRequests: 100 });
  t.equal(tally.requests, requests);
  t.ok(tally.successes >= 0.3 * requests, `${tally.successes} of ${requests} answered with success`);
  t.ok(tally.unavailable < 0.01 * requests, `${tally.unavailable} answered 503`);
  for (const sandbox of sandboxes)
    for (const way of ways) t.ok(tally.places.has(`${sandbox} by ${way}`), `${sandbox} was reached by ${way}`);
  t.equal((await fetch(`${url}/_understudy/health/ready`)).status, 200);
});

await test('the same seed makes the same requests', async (t) => {
  for (const number of [10, 77, 999]) {
    t.same(makeRequest(7, number), makeRequest(7, number));
    t.notSame(makeRequest(7, number).bytes, makeRequest(8, number).bytes);
  }
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
    const { faults } = await fuzz({ url, seed: 1, first: 0, count: 60 });
    t.ok(faults.length >= 5, `${status} ${body}`);
  }
  const onPurpose = await listen(
    t,
    createServer((_request, response) => response.writeHead(500, { 'x-understudy-fault': 'busy' }).end()),
  );
  t.same((await fuzz({ url: onPurpose, seed: 1, first: 0, count: 60 })).faults, [], 'a fault on purpose is none');
  const url = await listen(
    t,
    createServer((request) => request.socket.destroy()),
  );
  t.ok(
    (await fuzz({ url, seed: 1, first: 0, count: 20 })).faults.some(
      ({ fault }) => fault === 'closed without an answer',
    ),
  );
});
