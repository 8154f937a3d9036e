// The client's address behind proxies, and paths that try to escape.
import { test } from 'tap';
import { startService } from '../support/service.ts';
import { head, sendRaw } from '../support/raw.ts';

const list = '/api/users/erin/notifications/';

await test('the client’s address is the one that the trusted proxies report', async (t) => {
  const rateLimits = { anonymous: '3/day', user: 'off' };
  const statuses = async (proxies: number, forwarded: string[]) => {
    const service = await startService(t, { trustProxy: proxies, rateLimits });
    const found: number[] = [];
    for (const addresses of forwarded)
      found.push((await service.request('GET', list, { headers: { 'x-forwarded-for': addresses } })).status);
    return found;
  };
  const rotated = [1, 2, 3, 4].map((n) => `10.0.0.${n}, 192.0.2.7`);
  t.same(await statuses(1, rotated), [200, 200, 200, 429], 'values before the proxy’s own are ignored');
  t.same(await statuses(2, rotated), [200, 200, 200, 200], 'the second proxy’s value counts');
  t.same(
    await statuses(
      2,
      rotated.map((last) => `203.0.113.1, ${last}`),
    ),
    [200, 200, 200, 200],
  );
  t.same(
    await statuses(
      2,
      rotated.map((last) => `${last}, 10.0.0.9`),
    ),
    [200, 200, 200, 429],
  );
  t.same(await statuses(0, rotated), [200, 200, 200, 429], 'without a trusted proxy X-Forwarded-For is ignored');
});

await test('no path leads out of the service', async (t) => {
  const service = await startService(t);
  for (const path of [
    '/../package.json',
    '/api/../../package.json',
    '/api/docs/../../package.json',
    '/api/docs/%2e%2e/%2e%2e/package.json',
    '/api/docs/..%2f..%2fpackage.json',
    '/api/docs/..%5c..%5cpackage.json',
    '/_understudy/../package.json',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/etc/passwd',
    '//etc/passwd',
    '/api/users/..;/notifications/',
    '/api/users/alice%2fnotifications/',
    '/api/users/../users/alice/notifications/../../../../package.json',
    '/sandboxes/../package.json',
    '/sandboxes/%2e%2e/api/users/alice/notifications/',
    `/api/users/${'a'.repeat(10_000)}/notifications/`,
    `/api/${'../'.repeat(500)}etc/passwd`,
  ]) {
    const { status, body } = await sendRaw(service, head(`GET ${path}`, 'Host: localhost'));
    t.ok([400, 404].includes(status), `${status} ${path.slice(0, 80)}`);
    t.notMatch(body, /"dependencies"|root:/, path.slice(0, 80));
  }
});
