// The clock of a sandbox: set, advanced and freed, and its effect on the Weblate API.
import { type Test, test } from 'tap';
import { startService, type ServiceOptions } from '../support/service.ts';

const now = '2026-01-02T03:04:05Z';
const seed = { now, users: [{ username: 'root', is_superuser: true, token: 'wlu_root' }] };
const isReal = (date: string) => Math.abs(Date.parse(date) - Date.now()) < 3_600_000;

async function open(t: Test, options: ServiceOptions = {}) {
  const service = await startService(t, options);
  const base = '/_understudy/sandboxes';
  await service.request('PUT', `${base}/box`, { json: { seed } });
  const own = async (method: string, path: string, json?: unknown) => {
    const answer = await service.request(method, `${base}/${path}`, json === undefined ? {} : { json });
    return answer.json as { now: string; errors?: object[] };
  };
  const ask = (method: string, path: string, json?: unknown, token = 'wlu_root') =>
    service.request(method, `/sandboxes/box${path}`, { token, ...(json !== undefined && { json }) });
  const list = async () => {
    const { status, headers } = await ask('GET', '/api/users/root/notifications/');
    return { status, retry: headers['retry-after'], left: headers['x-ratelimit-remaining'] };
  };
  return { service, own, ask, list };
}

await test('the clock is set, advanced and freed', async (t) => {
  const { own } = await open(t);
  t.same(await own('GET', 'box/clock'), { now }, "the seed's");
  t.same(await own('PUT', 'box/clock', { now: '2030-05-06T09:08:09.123456+02:00' }), {
    now: '2030-05-06T07:08:09.123456Z',
  });
  for (const [by, then] of [
    ['1h', '2030-05-06T08:08:09.123456Z'],
    ['1.5m', '2030-05-06T08:09:39.123456Z'],
    ['2d', '2030-05-08T08:09:39.123456Z'],
    ['544ms', '2030-05-08T08:09:39.667456Z'],
    ['0s', '2030-05-08T08:09:39.667456Z'],
  ] as const)
    t.same(await own('POST', 'box/clock/advance', { by }), { now: then }, by);
  t.same(await own('GET', 'box/clock'), { now: '2030-05-08T08:09:39.667456Z' }, 'it stands still');
  t.match((await own('GET', 'box/seed?format=json')).now, '2030-05-08', 'an export has it');
  await own('POST', 'box/reset');
  t.same(await own('GET', 'box/clock'), { now });

  t.same(await own('PUT', 'box/clock', { now: null }), { now: null });
  t.same(await own('GET', 'box/clock'), { now: null });
  t.ok(isReal((await own('POST', 'box/clock/advance', { by: '0s' })).now), 'from the present');

  await own('PUT', 'default/clock', { now: '0001-01-01' });
  t.same(await own('POST', 'default/clock/advance', { by: '9998d' }), { now: '0028-05-17T00:00:00Z' });
  t.same(await own('PUT', 'default/clock', { now: '9999-12-31T23:59:59.999999Z' }), {
    now: '9999-12-31T23:59:59.999999Z',
  });
});

await test('invalid moments and durations are refused', async (t) => {
  const { service, own } = await open(t);
  const invalid = (attr: string, detail: string) => ({ code: 'invalid', detail, attr });
  const moment = invalid('now', 'Must be null or a moment of the years 1 to 9999, such as 2026-01-02T03:04:05Z.');
  for (const wrong of [
    '',
    'tomorrow',
    '2026-02-30',
    '0000-01-01',
    '9999-12-31T23:00:00-02:00',
    '2026-01-02T03:04:05',
    1,
  ])
    t.same((await own('PUT', 'box/clock', { now: wrong })).errors, [moment], String(wrong));
  t.same((await own('PUT', 'box/clock', { nwo: now, now: '2026-13-01' })).errors, [
    { code: 'unknown', detail: 'Not a known key; did you mean now?', attr: 'nwo' },
    moment,
  ]);
  t.match((await own('PUT', 'box/clock', {})).errors, [{ code: 'required', attr: 'now' }]);
  const duration = invalid('by', 'Must be a duration, such as 90s, 30m, 1h or 2d.');
  for (const by of ['', '1', '-1h', '1w', '1h30m', ' 1h', '1e3s', 3600, null])
    t.same((await own('POST', 'box/clock/advance', { by })).errors, [duration], String(by));
  for (const by of ['3000000d', '9'.repeat(400) + 'd'])
    t.match((await own('POST', 'box/clock/advance', { by })).errors, [
      { code: 'conflict', detail: 'The clock would pass the year 9999.', attr: null },
    ]);
  t.same(await own('GET', 'box/clock'), { now }, 'nothing of it moved the clock');
  for (const [method, path, json] of [
    ['GET', 'clock', undefined],
    ['PUT', 'clock', { now }],
    ['POST', 'clock/advance', { by: '1h' }],
  ] as const)
    t.equal((await service.request(method, `/_understudy/sandboxes/none/${path}`, { json })).status, 404);
});

await test('advances at the same moment all count', async (t) => {
  const { own } = await open(t);
  await Promise.all(Array.from({ length: 20 }, () => own('POST', 'box/clock/advance', { by: '1m' })));
  t.same(await own('GET', 'box/clock'), { now: '2026-01-02T03:24:05Z' });
});

await test('the dates of users follow the clock', async (t) => {
  const { own, ask } = await open(t);
  await own('POST', 'box/clock/advance', { by: '1d' });
  const user = { username: 'ada', full_name: 'Ada', email: 'ada@example.com' };
  t.match((await ask('POST', '/api/users/', user)).json, { date_joined: '2026-01-03T03:04:05Z' });
  const expire = async () => (await ask('PATCH', '/api/users/ada/', { date_expires: '2026-01-03T04:00:00Z' })).status;
  t.equal(await expire(), 200);
  await own('POST', 'box/clock/advance', { by: '1h' });
  t.equal(await expire(), 400, 'lies behind');
});

await test('rate limits follow a clock that runs at first', async (t) => {
  const { own, list } = await open(t, { rateLimits: { anonymous: 'off', user: '2/hour' } });
  await own('PUT', 'box/clock', { now: null });
  t.match(await list(), { status: 200, left: '1' });
  t.match(await list(), { status: 200, left: '0' });
  const refused = await list();
  t.equal(refused.status, 429);
  await own('POST', 'box/clock/advance', { by: `${refused.retry}s` });
  t.match(await list(), { status: 200 }, 'after the seconds of Retry-After');
});

await test('rate limits follow a clock that is set', async (t) => {
  const { own, list } = await open(t, { rateLimits: { anonymous: 'off', user: '2/hour' } });
  t.match(await list(), { status: 200, left: '1' });
  await own('POST', 'box/clock/advance', { by: '20m' });
  t.match(await list(), { status: 200, left: '0' });
  t.match(await list(), { status: 429, retry: '2400' }, 'until the first is an hour old');
  await own('POST', 'box/clock/advance', { by: '2399s' });
  t.match(await list(), { status: 429, retry: '1' });
  await own('POST', 'box/clock/advance', { by: '1s' });
  t.match(await list(), { status: 200, left: '0' }, 'one of the two has left the window');
  t.match(await list(), { status: 429, retry: '1200' });
  await own('PUT', 'box/clock', { now });
  t.match(await list(), { status: 200, left: '1' }, 'a clock that goes back starts them anew');
});
