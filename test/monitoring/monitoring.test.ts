// Metrics for Prometheus, and health, which answers whatever the headers say: a balancer chooses Host and passes on others.
import { type Test, test } from 'tap';
import { family as renderFamily } from '../../src/service/monitoring/metrics.ts';
import { addSandbox } from '../support/sandbox-database.ts';
import { type Service, startService } from '../support/service.ts';
import { startBehindProxy } from '../support/setting.ts';
import { head, sendRaw } from '../support/raw.ts';

const list = '/api/users/:username/notifications/';

async function scrape(t: Test, service: Service): Promise<Map<string, number>> {
  const { status, headers, text } = await service.request('GET', '/_understudy/metrics');
  t.equal(status, 200);
  t.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  return readPage(t, text);
}

// Strict: each line is a comment or a sample; each family is described once and its samples follow.
function readPage(t: Test, text: string): Map<string, number> {
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  let family = '';
  t.ok(text.endsWith('\n'));
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line);
    if (comment !== null) {
      const [, kind, name = '', rest = ''] = comment;
      if (kind === 'TYPE') t.notOk(types.has(name), `${name} is told once`);
      if (kind === 'TYPE') types.set(name, rest);
      family = name;
      continue;
    }
    const sample = /^([a-z_]+)((?:\{(?:[a-z]+="(?:[^"\\\n]|\\[\\"n])*",?)+\})?) (\S+)$/.exec(line);
    if (sample === null) throw new Error(`neither comment nor sample: ${line}`);
    const [, name = '', labels = '', value = ''] = sample;
    t.equal(
      name.replace(/_(?:bucket|sum|count)$/, (end) => (types.get(family) === 'histogram' ? '' : end)),
      family,
    );
    t.ok(Number.isFinite(Number(value)), line);
    samples.set(name + labels, Number(value));
  }
  return samples;
}

const requests = (method: string, route: string, status: number) =>
  `understudy_http_requests_total{method="${method}",route="${route}",status="${status}"}`;

await test('requests are counted by route and status', async (t) => {
  const service = await startService(t);
  for (const path of ['/api/users/alice/notifications/', '/api/users/bob/notifications/?page=9'])
    await service.request('GET', path);
  await service.request('GET', '/sandboxes/default/api/users/alice/notifications/');
  await service.request('DELETE', '/api/users/alice/notifications/', { as: 'alice' });
  for (let i = 0; i < 20; i++) await service.request('GET', `/nowhere/${i}`);
  const found = await scrape(t, service);
  t.equal(found.get(requests('GET', list, 200)), 2, 'a sandbox’s path is the same route');
  t.equal(found.get(requests('GET', list, 404)), 1);
  t.equal(found.get(requests('DELETE', list, 405)), 1);
  t.equal(found.get(requests('GET', '(unknown)', 404)), 20);
  t.equal([...found.keys()].filter((key) => key.includes('unknown') && key.includes('_total')).length, 1);
});

await test('durations are a histogram', async (t) => {
  const service = await startService(t);
  for (let i = 0; i < 3; i++) await service.request('GET', '/api/users/alice/notifications/');
  const found = await scrape(t, service);
  const name = 'understudy_http_request_duration_seconds';
  const labels = `method="GET",route="${list}"`;
  const buckets = [...found].flatMap(([key, value]) => (key.startsWith(`${name}_bucket{${labels}`) ? [value] : []));
  t.equal(buckets.length, 14);
  t.same(
    buckets,
    buckets.toSorted((a, b) => a - b),
    'each bucket includes those before it',
  );
  t.equal(found.get(`${name}_bucket{${labels},le="+Inf"}`), 3);
  t.equal(found.get(`${name}_count{${labels}}`), 3);
  t.ok((found.get(`${name}_sum{${labels}}`) ?? 0) > 0);
});

const sent = (way: string) => `understudy_database_statements_total{way="${way}"}`;

await test('statements, the pool, sandboxes and the process are measured', async (t) => {
  const service = await startService(t);
  const before = await scrape(t, service);
  await service.request('GET', '/api/users/alice/notifications/', { as: 'alice' });
  await service.request('POST', '/api/users/alice/notifications/', {
    as: 'alice',
    json: { notification: 'LockNotification', scope: 0, frequency: 1 },
  });
  await service.request('POST', '/_understudy/sandboxes/default/reset');
  await addSandbox(service.database.load, 'second');
  const after = await scrape(t, service);
  const grown = (name: string) => (after.get(name) ?? NaN) - (before.get(name) ?? NaN);
  t.same(
    ['lists', 'reads', 'writes', 'long_writes'].map((way) => grown(sent(way))),
    [1, 1, 1, 1],
    'the list, the count of sandboxes, the entry, the reset',
  );
  t.equal(grown('understudy_sandboxes'), 1);
  t.equal(after.get('understudy_database_statements_failed_total{way="reads"}'), 0);
  t.equal(after.get('understudy_database_pool_waiting'), 0);
  t.equal(after.get('understudy_database_up'), 1);
  for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'process_start_time_seconds'])
    t.ok((after.get(name) ?? 0) > 0, name);
  t.ok(after.has('understudy_event_loop_lag_seconds{quantile="0.99"}'));
});

await test('metrics are answered without a database', async (t) => {
  const { proxy, service } = await startBehindProxy(t);
  await proxy.refuse();
  const found = await scrape(t, service);
  t.equal(found.get('understudy_database_up'), 0);
  t.notOk(found.has('understudy_sandboxes'));
  t.equal(found.get('understudy_database_statements_failed_total{way="reads"}'), 1);
});

await test('values of labels are escaped', async (t) => {
  const text = renderFamily('counter', 'a_total', 'A.', [{ labels: { route: '/a"\\\n' }, value: 3 }]);
  t.equal(text, '# HELP a_total A.\n# TYPE a_total counter\na_total{route="/a\\"\\\\\\n"} 3\n');
});

await test('health is answered whatever Host and sandbox the check names', async (t) => {
  const service = await startService(t);
  for (const path of ['/_understudy/health/live', '/_understudy/health/ready', '/healthz/'])
    for (const header of ['Host: not a host', 'Host: localhost\r\nX-Understudy-Sandbox: Not a Name'])
      t.equal((await sendRaw(service, head(`GET ${path}`, header))).status, 200, `${path}, ${header}`);
  const refused = await sendRaw(service, head('GET /api/', 'Host: not a host'));
  t.equal(refused.status, 400, 'other paths need a Host for their links');
});
