// `start()`: what it takes, what it tells, and what it leaves.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { t as file, test } from 'tap';
import { start, type StartOptions } from '../../src/package/library/index.ts';
import { isGone, makeScratch, untilGone, untilMoment } from '../support/postgres-folders.ts';
import { providePackedCluster } from '../support/packed-cluster.ts';
import { listRemains, makePlace, untilNothingRemains } from '../support/place.ts';

// Processes take their time to start where many do.
file.setTimeout(240_000);

await providePackedCluster();
const place = makePlace(file);
/** The tests' environment holds traps: nothing of it may configure a service. */
Object.assign(process.env, place.env, {
  UNDERSTUDY_ANONYMOUS: 'strict',
  UNDERSTUDY_NO_SUCH: 'x',
  DATABASE_URL: 'postgres://127.0.0.1:1/x',
  PORT: 'x',
});

const list = '/api/users/alice/notifications/';
const zoe = { users: [{ username: 'zoe', full_name: 'Zoe' }] };
const namesOf = async (options: StartOptions): Promise<string[]> => {
  await using api = await start(options);
  return (await api.open('default')).users.map(({ username }) => username);
};

await test('without options start() has the documented seed and a client, and leaves nothing', async (t) => {
  const api = await start();
  t.match(api.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  const answer = await fetch(`${api.url}${list}`);
  t.match(await answer.json(), { count: 10 }, 'anonymous reads are on, whatever the environment says');
  const box = await api.sandbox();
  t.equal((await fetch(`${box.baseUrl}${list}`, { headers: box.headers('alice') })).status, 200);
  let unasked = 0;
  api.addEventListener('exit', () => unasked++);
  await Promise.all([api.close(), api.close()]);
  await api.close();
  t.ok(isGone(api.pid));
  t.strictSame(listRemains(place), []);
  t.equal(unasked, 0);
});

await test('a seed is an object, a text or a file', async (t) => {
  t.same(await namesOf({ seed: zoe }), ['zoe']);
  t.same(await namesOf({ seed: 'users:\n  - username: yves\n' }), ['yves']);
  const path = join(makeScratch(t), 'own.yaml');
  writeFileSync(path, 'users: [{ username: xenia }]');
  t.same(await namesOf({ seed: path }), ['xenia']);
});

await test('errors name the options', async (t) => {
  const faults: [StartOptions, RegExp][] = [
    [{ seed: 'documentd' }, /^seed: no seed "documentd"; did you mean "documented"\?$/],
    // @ts-expect-error A misspelt key isn't compiled.
    [{ seed: { users: [{ usernam: 'x' }] } }, /^seed:\nseed:1:11 .*missing\nseed:1:12 .*usernam is not a known key/],
    // @ts-expect-error Nor is a notification that Weblate doesn't have.
    [{ seed: { users: [{ username: 'x', subscriptions: [{ notification: 'Nope' }] }] } }, /^seed:\nseed:1:\d+ .*Nope/],
    [{ seed: 'users:\n  - {username: a}\n  - {username: a}\n' }, /^seed:\nseed:3:16 users\[1\]\.username repeats/],
    [{ port: 80_000 }, /^port must be a port/],
    [{ databaseUrl: 'postgres://127.0.0.1/x', env: { UNDERSTUDY_TEMPORARY: 'true' } }, /UNDERSTUDY_TEMPORARY/],
    [
      { env: { UNDERSTUDY_SEDE: 'x' } },
      /^UNDERSTUDY_SEDE is not a variable of this version; did you mean UNDERSTUDY_SEED\?$/,
    ],
    [{ anonymus: 'read' } as StartOptions, /^start has no option anonymus; did you mean anonymous\?$/],
    [{ startTimeoutMs: 1 }, /^Understudy did not listen within 1 ms/],
  ];
  for (const [options, message] of faults) await t.rejects(start(options), { message }, JSON.stringify(options));
  await untilNothingRemains(place);
});

await test('a taken port is an error', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  t.teardown(() => holder.close());
  await once(holder, 'listening');
  const { port } = holder.address() as { port: number };
  await t.rejects(start({ port }), { message: `Port ${port} is taken. Leave \`port\` out for a free one.` });
});

await test('an unexpected end emits exit', async (t) => {
  const api = await start({ seed: zoe });
  const errors: Error[] = [];
  api.addEventListener('exit', ({ error }) => errors.push(error));
  process.kill(api.pid, 'SIGKILL');
  // The service keeps no program alive, so something else must.
  while (errors.length === 0) await sleep(20);
  t.match(errors[0]?.message, /^Understudy ended unasked \(SIGKILL\)/);
  await api.close();
  await t.rejects(api.sandboxes(), { name: 'UnderstudyError', kind: 'unreachable' });
  await untilNothingRemains(place);
});

await test('an aborted start leaves nothing', async (t) => {
  const reason = new Error('no longer wanted');
  await t.rejects(start({ signal: AbortSignal.abort(reason) }), reason);
  for (const moment of [undefined, [''], ['cluster/postmaster.pid']] as const) {
    const controller = new AbortController();
    const rejected = t.rejects(start({ signal: controller.signal }), reason, moment?.[0] ?? 'at once');
    if (moment !== undefined) await untilMoment(join(place.tmp, 'understudy-*'), moment);
    controller.abort(reason);
    await rejected;
    await untilNothingRemains(place);
  }
});

await test('an admin token is required, and the client has it', async (t) => {
  await using api = await start({ adminToken: 'open-sesame', seed: zoe });
  t.equal((await fetch(`${api.url}/_understudy/sandboxes`)).status, 403);
  t.equal((await api.sandboxes()).length, 1);
});

await test('the log is passed on line by line', async (t) => {
  const lines: string[] = [];
  await using api = await start({ log: (line) => lines.push(line), env: { LOG_LEVEL: 'debug' }, seed: zoe });
  await fetch(`${api.url}/api/users/zoe/`);
  while (!lines.some((line) => line.includes('/api/users/zoe/'))) await sleep(20);
  t.ok(lines.some((line) => line.startsWith('Understudy ')));
});

await test('dataDir keeps the data', async (t) => {
  const dataDir = join(makeScratch(t), 'data');
  {
    await using api = await start({ dataDir, seed: zoe });
    await (await api.open('default')).snapshot('kept');
    t.equal(readFileSync(join(dataDir, 'cluster/PG_VERSION'), 'utf8'), '18\n');
  }
  await using again = await start({ dataDir, seed: zoe });
  t.same((await again.open('default')).description.snapshots, ['kept']);
});

await test('each call starts a service of its own', async (t) => {
  const all = await Promise.all([1, 2, 3].map(() => start({ seed: zoe })));
  t.equal(new Set(all.map(({ url }) => url)).size, 3);
  await (await all[0]?.open('default'))?.snapshot('mine');
  t.same((await all[1]?.open('default'))?.description.snapshots, []);
  await Promise.all(all.map((api) => api.close()));
  for (const { pid } of all) await untilGone(pid);
  t.strictSame(listRemains(place), []);
});

await test('a database that is unreachable ends the start before its time is over, with the reason', async (t) => {
  await t.rejects(start({ databaseUrl: 'postgres://127.0.0.1:1/x', startTimeoutMs: 120_000 }), {
    message: /PostgreSQL at 127\.0\.0\.1:1\/x did not answer within 10 seconds: connect ECONNREFUSED/,
  });
});
