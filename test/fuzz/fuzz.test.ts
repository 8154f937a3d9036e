// The fuzzer on the service: no 5xx, nothing that hangs, no answer of another form. And on itself: it must see what it looks for.
import { createServer, type Server } from 'node:http';
import { t as file, type Test, test } from 'tap';
import { startServing } from '../support/process.ts';
import { createSeededDatabase, readSeed } from '../support/service.ts';
import { describeFault, fuzz, settings } from './fuzz.ts';
import { makeRequest } from './grammar.ts';
import { sandboxes, ways } from './operations.ts';
import { createTally, unseenErrors, unseenOperations } from './tally.ts';
import { fieldCodes } from './verdict.ts';

file.setTimeout(300_000);

/** The same each time: other seeds, and more requests, are for `node test/fuzz/run.ts`. */
const seed = 1;
const requests = 20_000;
/** Of these, for the second service. */
const narrowRequests = 1000;

/** What no request of the grammar can bring about, and where it is tested. */
const notFuzzed = {
  request_timeout: 'takes fifteen seconds: test/edge/slow-clients.test.ts',
  sandbox_without_baseline: 'takes a sandbox that SQL made: test/seeding/sandboxes.test.ts',
  server_error: 'would be a fault',
  service_unavailable: 'takes a database that is away or busy: test/outages/',
};

await test('requests over three sandboxes at once', async (t) => {
  const start = async (env: Readonly<Record<string, string>> = {}) => {
    const databaseUrl = await createSeededDatabase(t, 'documented', await readSeed('documented'));
    return startServing(t, { DATABASE_URL: databaseUrl, ...settings, ...env });
  };
  const service = await start();
  const narrow = await start({
    UNDERSTUDY_ANONYMOUS: 'strict',
    UNDERSTUDY_ADMIN: 'off',
    UNDERSTUDY_RATE_LIMIT_USER: '10/second',
    UNDERSTUDY_RATE_LIMIT_ANONYMOUS: '10/second',
  });
  const tally = createTally();
  const first = requests - narrowRequests;
  await Promise.all([
    fuzz({ url: service.url, seed, first: 0, count: first, tally }),
    fuzz({ url: narrow.url, seed, first, count: narrowRequests, tally, atOnce: 4 }),
  ]);
  const log = service.said.stdout + narrow.said.stdout;
  t.same(
    tally.faults.map((fault) => describeFault(fault, log)),
    [],
    `faults of seed ${seed}`,
  );
  t.equal(tally.requests, requests);
  t.ok(tally.successes >= 0.3 * requests, `${tally.successes} of ${requests} answered with success`);
  t.ok(tally.unavailable < 0.01 * requests, `${tally.unavailable} answered 503`);
  t.same(await unseenOperations(tally, service.url), [], 'every operation of both documents succeeded');
  for (const sandbox of sandboxes)
    for (const way of ways) t.ok(tally.places.has(`${sandbox} by ${way}`), `${sandbox} was reached by ${way}`);
  t.same(
    unseenErrors(tally).filter((name) => !(name in notFuzzed)),
    [],
    'every error of the catalogue was seen',
  );
  t.same(
    fieldCodes.filter((code) => !tally.errors.has(`field ${code}`)),
    [],
    'and every code of a field',
  );
  for (const status of [
    '200',
    '201',
    '204',
    '400',
    '401',
    '403',
    '404',
    '405',
    '406',
    '409',
    '413',
    '415',
    '429',
    '431',
  ])
    t.ok(tally.statuses.has(status), `some were answered ${status}`);
  t.equal((await fetch(`${service.url}/_understudy/health/ready`)).status, 200);
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
