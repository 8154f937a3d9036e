// Whose name stands in absolute URLs, and paths that try to be something else.
import { test } from 'tap';
import { startService } from '../support/service.ts';
import { head, sendRaw } from './raw.ts';

const list = '/api/users/erin/notifications/';

await test('Host', async (t) => {
  const service = await startService(t);
  const nextOf = async (headers: Record<string, string>, path = list) => {
    const { status, json } = await service.request('GET', path, { headers });
    return status === 200 ? (json as { next: string }).next : status;
  };
  t.equal(
    await nextOf({ host: 'staging.test:8000' }),
    `http://staging.test:8000${list}?page=2`,
    'it is the client that names us',
  );
  for (const host of [
    'evil.example/path',
    'evil.example?x',
    'a b',
    'user@evil.example',
    `evil"onload=`,
    '<b>',
    '[::1',
    'evil.example:port',
    'x\\y',
    'a,b',
    '..//',
  ])
    t.equal(await nextOf({ host }), 400, host);
  t.equal(
    await nextOf({
      host: 'here.test',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
      'x-forwarded-prefix': '/evil',
      'x-original-url': '/evil',
      'x-rewrite-url': '/evil',
    }),
    `http://here.test${list}?page=2`,
    'forwarded headers are not believed',
  );
  const absolute = await sendRaw(service, head(`GET http://evil.example${list}`, 'Host: here.test'));
  t.match(
    JSON.parse(absolute.body),
    { next: `http://here.test${list}?page=2` },
    'nor is the host of an absolute request line',
  );
  const two = await sendRaw(service, head(`GET ${list}`, 'Host: a.test', 'Host: b.test'));
  t.notMatch(two.body, 'b.test', 'of two Hosts the first counts');
});

await test('a proxy that is trusted', async (t) => {
  const service = await startService(t, { trustProxy: 1 });
  const ask = (headers: Record<string, string>) =>
    service.request('GET', list, { headers: { host: 'inside', ...headers } });
  t.match((await ask({ 'x-forwarded-host': 'api.test', 'x-forwarded-proto': 'https' })).json, {
    next: `https://api.test${list}?page=2`,
  });
  t.equal((await ask({ 'x-forwarded-host': 'evil.example/path' })).status, 400, 'what it says is checked as well');
  t.match((await ask({ 'x-forwarded-proto': 'javascript' })).json, { next: `http://inside${list}?page=2` });
});

await test('the client’s address behind proxies', async (t) => {
  const rateLimits = { anonymous: '3/day', user: 'off' };
  const statuses = async (proxies: number, forwarded: string[]) => {
    const service = await startService(t, { trustProxy: proxies, rateLimits });
    const found: number[] = [];
    for (const addresses of forwarded)
      found.push((await service.request('GET', list, { headers: { 'x-forwarded-for': addresses } })).status);
    return found;
  };
  const rotated = [1, 2, 3, 4].map((n) => `10.0.0.${n}, 192.0.2.7`);
  t.same(await statuses(1, rotated), [200, 200, 200, 429], 'what stands before the proxy’s own word is not believed');
  t.same(await statuses(2, rotated), [200, 200, 200, 200], 'the second proxy’s word is');
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
  t.same(await statuses(0, rotated), [200, 200, 200, 429], 'without a proxy X-Forwarded-For counts for nothing');
});

await test('a public URL', async (t) => {
  const service = await startService(t, { publicUrl: 'https://api.test/staging' });
  const { json } = await service.request('GET', list, { headers: { host: 'evil.example' } });
  t.match(json, { next: `https://api.test/staging${list}?page=2` }, 'wins over what the request says');
});

await test('paths', async (t) => {
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
    '/api/users/alice%00/notifications/',
    '/api/users/alice%2fnotifications/',
    '/api/users/../users/alice/notifications/../../../../package.json',
    '/sandboxes/../package.json',
    '/sandboxes/%2e%2e/api/users/alice/notifications/',
    '/sandboxes/default%2f..%2fother/api/users/alice/notifications/',
    `/api/users/${'a'.repeat(10_000)}/notifications/`,
    `/api/${'../'.repeat(500)}etc/passwd`,
  ]) {
    const { status, body } = await sendRaw(service, head(`GET ${path}`, 'Host: localhost'));
    t.ok([400, 404].includes(status), `${status} ${path.slice(0, 80)}`);
    t.notMatch(body, /"dependencies"|root:/, path.slice(0, 80));
  }
});
