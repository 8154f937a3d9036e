// The cookie of a session: where it holds (one sandbox, one port, the URL that the browser knows), and for which requests it counts.
import { test } from 'tap';
import { startService } from '../support/service.ts';
import { entered, followed, formType, html, lastPrincipal, openBrowser, whoIn } from '../support/as-browser.ts';

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

await test('the cookie’s name, path and Secure follow from the URL that the browser knows', async (t) => {
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
    `understudy-user-81-box=ID; Max-Age=3600; Path=/weblate/; ${rest}`,
    'http://api.example:81/weblate/sandboxes/box/api/',
  ]);
  const forwarded = { 'x-forwarded-host': 'front.example', 'x-forwarded-proto': 'https' };
  t.same(await cookieFor({ trustProxy: 1 }, t, forwarded, box), [
    `understudy-user-443-box=ID; Max-Age=3600; Path=/; ${rest}; Secure`,
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

await test('a session of one port doesn’t count at another', async (t) => {
  const [one, other] = [await startService(t), await startService(t)];
  const browser = openBrowser(one);
  await browser.choose({ act_as: 'alice' });
  // Browsers send it to every port of the host.
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  t.equal(whoIn(await one.request('GET', '/', { headers: { ...followed, cookie } })), 'as alice');
  t.equal(whoIn(await other.request('GET', '/', { headers: { ...followed, cookie } })), 'no user');
});

await test('a session of one sandbox doesn’t count in another', async (t) => {
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

const list = '/api/users/alice/notifications/';
const stranger = 'http://evil.example';
const api = { accept: '*/*' };

await test('the cookie counts for pages and for what a page of the service sent, and for no other request', async (t) => {
  // What CORS allows changes nothing about cookies.
  const service = await startService(t, { corsOrigins: ['http://127.0.0.1:5173'] });
  const own = { origin: service.url };
  const browser = openBrowser(service);
  await browser.choose({ act_as: 'alice' });
  const { port } = new URL(service.url);

  const counting: [string, string, Record<string, string>][] = [
    ['an address that was entered', 'GET', entered],
    ['a link of the service', 'GET', followed],
    ['a navigation of a browser that sends no Sec-Fetch headers', 'GET', html],
    ['format=api', 'GET /?format=api', { ...api, 'sec-fetch-site': 'same-origin' }],
    ['a script of the service', 'GET', { ...html, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    ['a script where no Sec-Fetch headers are sent', 'GET', { ...html, ...own }],
    ['HEAD from the service', 'HEAD', followed],
  ];
  for (const [what, method, headers] of counting) {
    const [verb = '', path = '/'] = method.split(' ');
    await browser.request(verb, path === '/' ? list : `${list}${path.slice(1)}`, headers);
    t.equal(await lastPrincipal(service), 'alice', what);
  }

  const ignored: [string, string, Record<string, string>][] = [
    ['JSON by a program', 'GET', {}],
    ['JSON, though the service’s page asks', 'GET', { ...api, 'sec-fetch-site': 'same-origin', ...own }],
    ['format=json of a navigation', 'GET /?format=json', followed],
    ['CSV', 'GET /?format=csv', followed],
    ['another origin', 'GET', { ...html, origin: stranger, 'sec-fetch-site': 'cross-site' }],
    ['a listed origin', 'GET', { ...html, origin: 'http://127.0.0.1:5173', 'sec-fetch-site': 'same-site' }],
    ['another port', 'GET', { ...html, origin: `http://127.0.0.1:${Number(port) + 1}` }],
    ['another scheme', 'GET', { ...html, origin: service.url.replace('http:', 'https:') }],
    ['no origin', 'GET', { ...html, origin: 'null' }],
    ['an origin that only begins so', 'GET', { ...html, origin: `${service.url}0` }],
    ['an image of another site', 'GET', { ...html, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['an image of another port', 'GET', { ...html, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }],
    ['HEAD of another site', 'HEAD', { ...html, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['HEAD of no page', 'HEAD', html],
  ];
  for (const [what, method, headers] of ignored) {
    const [verb = '', path = '/'] = method.split(' ');
    await browser.request(verb, path === '/' ? list : `${list}${path.slice(1)}`, headers);
    t.equal(await lastPrincipal(service), null, what);
  }
});

await test('writes of other pages are refused', async (t) => {
  for (const corsOrigins of [undefined, '*', ['http://127.0.0.1:5173']] as const) {
    const service = await startService(t, { corsOrigins });
    const browser = openBrowser(service);
    await browser.choose({ act_as: 'alice' });
    const body = 'notification=LockNotification&scope=20&frequency=1';
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const sent of [
      { origin: stranger, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      { origin: 'http://127.0.0.1:5173', 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
      {},
    ] as Record<string, string>[]) {
      const answered = await browser.request('POST', list, { ...html, ...type, ...sent }, body);
      t.equal(answered.status, 403, JSON.stringify(sent));
      t.equal(answered.headers['access-control-allow-credentials'], undefined);
      const asProgram = await browser.request('POST', list, { ...api, ...type, ...sent }, body);
      t.equal(asProgram.status, 401, 'JSON has no session');
    }
    t.match((await service.request('GET', list)).json, { count: 10 });
  }
});

await test('only the whole cookie of its own name counts', async (t) => {
  const service = await startService(t);
  const browser = openBrowser(service);
  await browser.choose({ act_as: 'alice' });
  const [[name = '', value = ''] = []] = browser.cookies;
  const who = async (cookie: string) => whoIn(await service.request('GET', '/', { headers: { ...followed, cookie } }));
  t.equal(await who(`${name}=${value}`), 'as alice');
  t.equal(await who(`a=b; ${name}=${value}; c`), 'as alice');
  for (const cookie of [
    `${name}=`,
    name,
    `${name}=${value}x`,
    `${name}="${value}"`,
    `${name}=wlu_alice_public_sample_token_0000000000`,
    `${name.replace(/\d+$/, '1')}=${value}`,
    `${name.replace('user', 'console')}=${value}`,
    `x${name}=${value}`,
    '='.repeat(5000),
  ])
    t.equal(await who(cookie), 'no user', cookie.slice(0, 80));
});
