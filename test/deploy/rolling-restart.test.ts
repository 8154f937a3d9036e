// Services behind a balancer restart one after the other under load without losing a request.
import { type Test, test } from 'tap';
import { createSeededDatabase, openClient } from '../support/service.ts';
import { until } from '../support/setting.ts';
import { balance, serveCells } from './cells.ts';
import { type Load, readEntries, startLoad } from './load.ts';
import { skip } from './nginx.ts';

const total = (load: Load) => [...load.statuses.values()].reduce((sum, count) => sum + count, 0);

/** Starts services with these databases; under load, one after the other ends and starts again. */
async function restartUnderLoad(t: Test, databaseUrls: readonly string[], setting: 'retries' | 'any service') {
  const { ports, serve, services } = await serveCells(t, databaseUrls);
  const anyService = [
    ['hash $sandbox consistent;', ''],
    // nginx asks another service if it fails to connect.
    ['proxy_next_upstream off;', 'proxy_next_upstream error;'],
  ] as const;
  const balanced = ports.map((port) => ({ url: `http://127.0.0.1:${port}` }));
  const url = await balance(t, balanced, setting === 'retries' ? [] : anyService);
  const sandboxes = Array.from({ length: 9 }, (_, n) => `rolling-${n}`);
  const client = openClient(t, url);
  for (const name of sandboxes) t.equal((await client.request('PUT', `/_understudy/sandboxes/${name}`)).status, 201);
  const load = await (setting === 'retries'
    ? startLoad(t, url, { users: ['alice'], sandboxes, retries: true })
    : startLoad(t, url));
  const goOn = async () => {
    const before = total(load);
    t.ok(await until(() => total(load) > before + 100), 'requests go on');
  };
  await goOn();
  for (const n of services.keys()) {
    t.equal(await services[n]?.end(), 0, 'the service exits cleanly');
    await goOn();
    load.pauseMs = 20;
    services[n] = await serve(n);
    load.pauseMs = 0;
    await goOn();
  }
  await load.stop();
  t.same(load.faults, [], `${total(load)} requests: ${[...load.statuses].map((pair) => pair.join(': ')).join(', ')}`);
  const there = await Promise.all([...new Set(databaseUrls)].map((of) => readEntries(t, of)));
  const frequencyOf = (entry: string) => there.flatMap((entries) => entries.get(entry) ?? [])[0];
  for (const [entry, frequency] of load.acknowledged)
    t.equal(frequencyOf(entry), frequency, 'an acknowledged write is there');
}

await test('services of one database restart without a lost request', { skip }, async (t) => {
  const databaseUrl = await createSeededDatabase(t, 'documented');
  await restartUnderLoad(t, [databaseUrl, databaseUrl, databaseUrl], 'any service');
});

// While a cell restarts, requests to its sandboxes get 503.
await test('cells restart without a lost request, for clients that retry', { skip }, async (t) => {
  const databaseUrls = await Promise.all([1, 2, 3].map(() => createSeededDatabase(t, 'documented')));
  await restartUnderLoad(t, databaseUrls, 'retries');
});
