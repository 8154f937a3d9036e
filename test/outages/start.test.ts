// The database is unreachable when the service starts, or goes away while the service starts.
import { test } from 'tap';
import { createTestDatabase } from '../support/database.ts';
import { startServing } from '../support/process.ts';
import { targetOf, throughPort, until } from '../support/setting.ts';
import { startProxy } from '../support/proxy.ts';

await test('the start waits for a server that comes late', async (t) => {
  const url = await createTestDatabase(t);
  const proxy = await startProxy(t, targetOf(url));
  const { port } = proxy;
  await proxy.refuse();
  const waits = /waiting for PostgreSQL at 127\.0\.0\.1:\d+\/\w+: .*ECONNREFUSED/;
  let isThere = false;
  const service = await startServing(t, { DATABASE_URL: throughPort(url, port) }, (said) => {
    if (isThere || !waits.test(said)) return;
    isThere = true;
    void proxy.accept();
  });
  t.ok(isThere, 'the start waited for the server');
  t.equal((await fetch(`${service.url}/_understudy/health/ready`)).status, 200);
  t.equal(await service.end(), 0);
});

await test('the start continues after the server went away in the middle', async (t) => {
  const url = await createTestDatabase(t);
  const proxy = await startProxy(t, targetOf(url));
  const starting = startServing(t, { DATABASE_URL: throughPort(url, proxy.port) });
  // The first connection only waits for the server; the next ones migrate.
  t.ok(await until(() => proxy.accepted > 1));
  proxy.answersToLose = 5;
  const service = await starting;
  t.equal(
    (await fetch(`${service.url}/_understudy/health/ready`)).status,
    200,
    'the database is migrated and seeded all the same',
  );
  t.equal(await service.end(), 0);
});
