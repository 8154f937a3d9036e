// If the database is unreachable or silent, answers are 503 until it is back. If it is slow, they are late.
import { test } from 'tap';
import { asAlice } from './as-alice.ts';
import { askUntil, assertUnavailable, list, startBehindProxy } from '../support/setting.ts';

const fromAlice = { as: 'alice' };

await test('while connections are refused, requests get 503', async (t) => {
  const { proxy, service } = await startBehindProxy(t);
  const { read, write, ready } = asAlice(service);
  t.equal((await read()).status, 200);
  await proxy.refuse();

  assertUnavailable(t, await read(), 'a read');
  assertUnavailable(t, await write(), 'a write');
  assertUnavailable(t, await service.request('OPTIONS', list, fromAlice), 'a request that only looks up the caller');
  assertUnavailable(
    t,
    await service.request('PATCH', `${list}1/`, { as: 'alice', json: { frequency: 3 } }),
    'a write to an entry',
  );
  t.match(await ready(), { status: 503, headers: { 'retry-after': '1' } }, 'not ready');
  t.match(
    await service.request('GET', '/healthz/'),
    { status: 503 },
    'not ready for clients of the real system either',
  );
  t.equal((await service.request('GET', '/_understudy/health/live')).status, 200, 'alive all the same');
  await t.rejects(
    service.database.load.selectFrom('understudy.sandboxes').select('id').execute(),
    { name: 'DatabaseUnavailable' },
    'a transaction',
  );

  await proxy.accept();
  t.equal((await askUntil(200, read)).status, 200, 'reads resume');
  t.equal((await askUntil(201, write)).status, 201, 'writes resume');
  t.equal((await askUntil(200, ready)).status, 200, 'ready again');
});

await test('few requests try to connect to a server that refuses', async (t) => {
  const { proxy, service } = await startBehindProxy(t);
  await proxy.refuse();
  await proxy.accept();
  const before = proxy.accepted;
  proxy.answersToLose = Number.POSITIVE_INFINITY;
  const answers = await Promise.all(Array.from({ length: 200 }, () => service.request('GET', `${list}1/`, fromAlice)));
  t.ok(answers.every(({ status }) => status === 503));
  t.ok(proxy.accepted - before < 20, `${proxy.accepted - before} attempts to connect for 200 requests`);
});

await test('while the server hangs, requests get 503 within the time limit', async (t) => {
  const { proxy, service } = await startBehindProxy(t, { statementTimeoutMs: 500 });
  const { read, write, ready } = asAlice(service);
  t.equal((await read()).status, 200);
  proxy.stall();
  const answers = await Promise.all([
    // More reads than two batches hold, so that some wait in the queue.
    ...Array.from({ length: 60 }, read),
    write(),
    service.request('GET', `${list}1/`, fromAlice),
  ]);
  for (const answer of answers) assertUnavailable(t, answer, 'answered within the time limit');
  t.equal((await ready()).status, 503, 'not ready');
  // The service has given up its connections by now: the server accepts a new one, and doesn't answer.
  assertUnavailable(t, await read(), 'a new connection hangs too');

  proxy.resume();
  t.equal((await askUntil(200, read)).status, 200, 'reads resume');
  t.match(await write(), { status: /201|400/ }, 'writes resume');
});

await test('a slow connection delays answers without errors', async (t) => {
  const { proxy, service } = await startBehindProxy(t);
  const { read } = asAlice(service);
  proxy.delayMs = 150;
  const answers = await Promise.all(Array.from({ length: 40 }, read));
  t.ok(answers.every(({ status }) => status === 200));
});
