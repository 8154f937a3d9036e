// When the cookie of a session counts: for pages, and for requests that a page of the service sent, or by which a page was
// opened. Every other request is one without it.
import { test } from 'tap';
import { startService } from '../support/service.ts';
import { entered, followed, html, lastPrincipal, openBrowser, whoIn } from './as-browser.ts';

const list = '/api/users/alice/notifications/';
const stranger = 'http://evil.example';
const api = { accept: '*/*' };

await test('requests', async (t) => {
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

await test('which cookie counts', async (t) => {
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
