// The fuzzer on the service: no 5xx, nothing that hangs, no answer of another form. And on itself: it must see what it looks for.
import { createServer, type Server } from 'node:http';
import { t as file, type Test, test } from 'tap';
import { startService } from '../support/service.ts';
import { describeFault, fuzz } from './fuzz.ts';
import { makeRequest } from './grammar.ts';

file.setTimeout(180_000);

/** The same each time: other seeds, and more requests, are for `node test/fuzz/run.ts`. */
const seed = 1;
const requests = 1500;
/** Deletes wear the sample off: it is put back after so many. */
const round = 250;

await test('the service', async (t) => {
  const service = await startService(t, { bodyLimitBytes: 65_536 });
  const seen = new Set<string>();
  for (let first = 0; first < requests; first += round) {
    await service.reset();
    const { faults, statuses } = await fuzz({ url: service.url, seed, first, count: round });
    t.same(faults.map(describeFault), [], `seed ${seed}, ${first} to ${first + round}`);
    for (const status of statuses.keys()) seen.add(status);
  }
  for (const status of ['200', '201', '204', '400', '401', '403', '404', '405', '406', '415'])
    t.ok(seen.has(status), `some were answered ${status}`);
  t.equal((await service.request('GET', '/_understudy/health/ready')).status, 200);
});

await test('the same seed makes the same requests', async (t) => {
  for (const number of [0, 1, 999]) {
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

await test('it sees what it looks for', async (t) => {
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
    [401, {}, ''],
    [405, {}, ''],
  ];
  for (const [status, headers, body] of bad) {
    const url = await listen(
      t,
      createServer((_request, response) => response.writeHead(status, headers).end(body)),
    );
    const { faults } = await fuzz({ url, seed: 1, first: 0, count: 20 });
    t.ok(faults.length >= 5, `${status} ${body}`);
  }
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
