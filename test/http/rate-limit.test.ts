// Rate limits: exact for low limits, bounded in memory for high ones.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { test } from 'tap';
import { createLimits, createRateLimiter } from '../../src/access/rate-limit.ts';
import { startService } from '../support/service.ts';

const attempt = (take: () => Readonly<Record<string, string>>) => {
  try {
    return take()['x-ratelimit-remaining'];
  } catch {
    return 'over';
  }
};

await test('up to sixty requests a window are counted one by one', async (t) => {
  let now = 0;
  const take = createRateLimiter(60, 60_000);
  const times: number[] = [];
  for (let i = 0; i < 5000; i++) {
    now += (i * 7919) % 1900;
    while (times[0] !== undefined && times[0] <= now - 60_000) times.shift();
    const expected = times.length < 60 ? String(60 - times.push(now)) : 'over';
    const found = attempt(() => take('a', 1, now));
    if (found !== expected) t.equal(found, expected, `request ${i}`);
  }
});

await test('a higher limit is kept to a sixtieth of the window', async (t) => {
  let now = 0;
  const take = createRateLimiter(600, 60_000);
  for (let i = 0; i < 600; i++) {
    t.equal(
      attempt(() => take('a', 1, now)),
      String(599 - i),
    );
    now += 50;
  }
  t.equal(
    attempt(() => take('a', 1, now)),
    'over',
  );
  now = 59_999;
  t.equal(
    attempt(() => take('a', 1, now)),
    'over',
    'the first were less than a window ago',
  );
  now = 60_001;
  t.equal(
    attempt(() => take('a', 1, now)),
    '19',
    'those of the first second are free again',
  );
});

await test('a key takes the same memory whatever the limit', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let now = 0;
  const take = createRateLimiter(1_000_000, 86_400_000);
  take('a', 1, now++);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 500_000; i++) take('a', 1, now++);
  collect();
  t.ok(process.memoryUsage().heapUsed - before < 2_000_000);
  t.equal(take('a', 1, now++)['x-ratelimit-remaining'], String(1_000_000 - 500_002));
});

await test('forgetting a sandbox looks at no key', async (t) => {
  const limits = createLimits({ anonymous: '1/day', user: '1/day' });
  const take = (sandbox: string) => attempt(() => limits.user?.(sandbox, 1, 0) ?? {});
  for (const sandbox of ['job', 'other']) t.strictSame([take(sandbox), take(sandbox)], ['0', 'over']);
  const ofMaps = Object.getPrototypeOf(new Map().keys()) as { next(this: void): unknown };
  const looks = t.capture(ofMaps, 'next', ofMaps.next);
  limits.forget('job');
  t.equal(looks().length, 0);
  t.strictSame([take('job'), take('other')], ['0', 'over']);
});

await test('users have a limit of their own, and a token that is unknown counts for no one', async (t) => {
  const service = await startService(t, { rateLimits: { anonymous: '1/day', user: '1/day' } });
  const path = '/api/users/alice/notifications/';
  for (const as of [{}, { as: 'alice' }, { as: 'bob' }]) {
    t.not((await service.request('GET', path, as)).status, 429);
    t.equal((await service.request('GET', path, as)).status, 429);
  }
  for (let i = 0; i < 2; i++) t.equal((await service.request('GET', path, { token: 'unknown' })).status, 401);
});

await test('each sandbox has its own counts, which restart when it is refilled', async (t) => {
  const service = await startService(t, { rateLimits: { anonymous: '1/day', user: '1/day' } });
  const own = '/_understudy/sandboxes/job';
  const statuses = (place: string) =>
    Promise.all(
      [{}, { token: 'wlu_alice_public_sample_token_0000000000' }].map(
        async (as) => (await service.request('GET', `${place}/api/users/alice/notifications/`, as)).status,
      ),
    );
  await service.request('PUT', own, { json: {} });
  await service.request('PUT', `${own}/snapshots/kept`);
  t.strictSame(await statuses(''), [200, 200]);
  t.strictSame(await statuses('/sandboxes/job'), [200, 200]);
  const seed = (await service.request('GET', `${own}/seed?format=json`)).json as { users: { username: string }[] };
  const users = seed.users.map((user) => ({
    ...user,
    ...(user.username === 'bob' && { token: 'wlu_alice_public_sample_token_0000000000' }),
  }));
  for (const [what, act] of [
    ['reset', () => service.request('POST', `${own}/reset`)],
    ['restore', () => service.request('POST', `${own}/snapshots/kept/restore`)],
    // The token is now another user's.
    ['seed', () => service.request('PUT', `${own}/seed`, { json: { ...seed, users } })],
    ['replace', () => service.request('PUT', own, { json: {} })],
  ] as const) {
    t.strictSame(await statuses('/sandboxes/job'), [429, 429], what);
    t.ok((await act()).status < 300);
    t.strictSame(await statuses('/sandboxes/job'), what === 'seed' ? [200, 403] : [200, 200], what);
  }
  t.strictSame(await statuses(''), [429, 429], 'default keeps its own');
});
