// Where a session holds: in one sandbox, at one port, under the URL that the browser knows.
import { test } from 'tap';
import { startService } from '../support/service.ts';
import { followed, formType, lastPrincipal, openBrowser, whoIn } from './as-browser.ts';

const cookieFor = async (
  options: Parameters<typeof startService>[1],
  t: Parameters<typeof startService>[0],
  headers: Record<string, string>,
  path = '/session/',
) => {
  const service = await startService(t, options);
  await service.request('PUT', '/_understudy/sandboxes/box');
  const answered = await service.request('POST', path, {
    headers: { ...followed, ...formType, ...headers },
    body: 'act_as=alice&next=api/',
  });
  return [answered.headers['set-cookie']?.replace(/=\d+\.[^;]{87};/, '=ID;'), answered.headers['location']];
};

await test('the cookie’s name, path and Secure', async (t) => {
  const rest = 'HttpOnly; SameSite=Strict';
  t.same(await cookieFor({}, t, { host: '127.0.0.1:9000' }), [
    `understudy-user-9000=ID; Max-Age=3600; Path=/; ${rest}`,
    'http://127.0.0.1:9000/api/',
  ]);
  t.same(await cookieFor({}, t, { host: 'understudy' }), [
    `understudy-user-80=ID; Max-Age=3600; Path=/; ${rest}`,
    'http://understudy/api/',
  ]);
  t.same(await cookieFor({ publicUrl: 'https://api.example/weblate' }, t, { origin: 'https://api.example' }), [
    `understudy-user-443=ID; Max-Age=3600; Path=/weblate/; ${rest}; Secure`,
    'https://api.example/weblate/api/',
  ]);
  const box = '/sandboxes/box/session/';
  t.same(await cookieFor({ publicUrl: 'http://api.example:81/weblate' }, t, {}, box), [
    `understudy-user-81-box=ID; Max-Age=3600; Path=/weblate/sandboxes/box/; ${rest}`,
    'http://api.example:81/weblate/sandboxes/box/api/',
  ]);
  const forwarded = { 'x-forwarded-host': 'front.example', 'x-forwarded-proto': 'https' };
  t.same(await cookieFor({ trustProxy: 1 }, t, forwarded, box), [
    `understudy-user-443-box=ID; Max-Age=3600; Path=/sandboxes/box/; ${rest}; Secure`,
    'https://front.example/sandboxes/box/api/',
  ]);
  t.match(await cookieFor({}, t, { ...forwarded, host: 'a:1' }), [/^understudy-user-1=.*Strict$/, 'http://a:1/api/']);
  t.match(await cookieFor({}, t, {}, '/sandboxes/default/session/'), [
    /^understudy-user-\d+=ID; Max-Age=3600; Path=\/;/,
  ]);
});

await test('behind a public URL or a proxy, its own origin is the one that the browser knows', async (t) => {
  for (const [options, sent, own] of [
    [{ publicUrl: 'https://api.example/weblate' }, {}, 'https://api.example'],
    [{ publicUrl: 'https://api.example:443/weblate' }, {}, 'https://api.example'],
    [{ trustProxy: 1 }, { 'x-forwarded-host': 'front.example', 'x-forwarded-proto': 'https' }, 'https://front.example'],
    [{}, { host: 'Mapped.Example:9000' }, 'http://mapped.example:9000'],
  ] as const) {
    const service = await startService(t, options);
    const post = async (origin: string) => {
      const headers = { accept: 'text/html', ...formType, ...sent, origin };
      return (await service.request('POST', '/session/', { headers, body: 'act_as=alice' })).status;
    };
    t.equal(await post(own), 303, own);
    for (const other of [`${own}:1`, own.replace(/^https?/, 'ftp'), 'http://evil.example', service.url])
      t.equal(await post(other), 403, other);
  }
});

await test('a session of one port is none of another', async (t) => {
  const [one, other] = [await startService(t), await startService(t)];
  const browser = openBrowser(one);
  await browser.choose({ act_as: 'alice' });
  // Browsers send it to every port of the host.
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  t.equal(whoIn(await one.request('GET', '/', { headers: { ...followed, cookie } })), 'as alice');
  t.equal(whoIn(await other.request('GET', '/', { headers: { ...followed, cookie } })), 'no user');
});

await test('a session of one sandbox is none of another', async (t) => {
  const service = await startService(t);
  for (const name of ['box', 'box-2']) await service.request('PUT', `/_understudy/sandboxes/${name}`);
  const ofDefault = openBrowser(service);
  await ofDefault.choose({ act_as: 'alice' });
  const ofBox = openBrowser(service, '/sandboxes/box');
  await ofBox.choose({ act_as: 'bob' });
  const both = [...ofDefault.cookies, ...ofBox.cookies].map((pair) => pair.join('=')).join('; ');
  const ids = [...ofDefault.cookies.values(), ...ofBox.cookies.values()];
  const who = async (path: string, cookie: string) =>
    whoIn(await service.request('GET', path, { headers: { ...followed, cookie } }));
  // As browsers send them, and in the other order.
  for (const cookie of [both, both.split('; ').toReversed().join('; ')]) {
    t.equal(await who('/', cookie), 'as alice');
    t.equal(await who('/sandboxes/box/', cookie), 'as bob');
    t.equal(await who('/sandboxes/box-2/', cookie), 'no user');
    t.equal(await who('/sandboxes/default/api/', cookie), 'as alice');
  }
  const { port } = new URL(service.url);
  for (const id of ids)
    t.equal(await who('/sandboxes/box-2/', `understudy-user-${port}-box-2=${id}`), 'no user', 'renamed');
  // A header that names a sandbox brings no cookie into it.
  const headers = { ...followed, cookie: both, 'x-understudy-sandbox': 'box' };
  await service.request('GET', '/api/users/', { headers });
  t.equal(await lastPrincipal(service, 'box'), null);
});
