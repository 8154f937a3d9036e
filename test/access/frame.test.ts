// The frame of every page: its sandbox and user, the ways to others, and the faults in force.
import { type Test, test } from 'tap';
import { adminOptions, readConfiguration } from '../../src/service/config/config.ts';
import { pathIn } from '../../src/pages/links.ts';
import { type Answered, type Service, startService } from '../support/service.ts';
import { choicesIn, followed, openBrowser, whoIn } from '../support/as-browser.ts';
import { type Element, parse } from '../support/markup.ts';
import { openConsole } from '../support/person.ts';

const plain = (text: string) => text.trim().replaceAll(/\s+/g, ' ');
const isIn = (element: Element, name: string): boolean =>
  element.attributes.get('class')?.split(' ').includes(name) === true ||
  (element.parent !== undefined && isIn(element.parent, name));
const linksIn = ({ text }: Answered, name: string) =>
  parse(text)
    .filter((element) => element.name === 'a' && isIn(element, name))
    .map(({ attributes }) => attributes.get('href') ?? '');
const titleOf = ({ text }: Answered) => parse(text).find(({ name }) => name === 'title')?.text;
const faultsIn = ({ text }: Answered) =>
  parse(text)
    .filter(
      ({ name, parent }) => name === 'li' && parent?.parent?.attributes.get('aria-label') === 'Faults of the sandbox',
    )
    // The time depends on the moment.
    .map((element) => plain(element.text).replace(/(?<=ends at) \d\d:\d\d UTC$/, ''));
const consoleOf = ({ text }: Answered) =>
  parse(text)
    .find(({ name, text: label }) => name === 'a' && label === 'Console')
    ?.attributes.get('href');

const locked = { admin: adminOptions(readConfiguration({ UNDERSTUDY_ADMIN_TOKEN: 'correct-horse' })) };
const see = (service: Pick<Service, 'request'>, path: string) => service.request('GET', path, { headers: followed });

async function startWithBox(t: Test, options = {}): Promise<Service> {
  const service = await startService(t, options);
  await service.request('PUT', '/_understudy/sandboxes/box', { headers: { authorization: 'Bearer correct-horse' } });
  return service;
}

await test('every page names its sandbox, and leads to the console of it', async (t) => {
  const service = await startWithBox(t);
  for (const [path, title] of [
    ['/', /· default · Understudy$/],
    ['/sandboxes/box/', /^Home · box · Understudy$/],
    ['/sandboxes/box/api/users/alice/notifications/1/', /^Subscription 1 of alice · box · Understudy$/],
    ['/sandboxes/box/api/users/nobody/', /^404 Not Found · User nobody · box · Understudy$/],
    ['/sandboxes/box/session/', /· box · Understudy$/],
    ['/sandboxes/box/api/docs/', /· box · Understudy$/],
    ['/_understudy/console/box/', /· Console · box · Understudy$/],
    ['/_understudy/console/box/faults/', /^Faults · Console · box · Understudy$/],
  ] as const) {
    const answered = await see(service, path);
    t.match(titleOf(answered), title, path);
    t.equal(
      consoleOf(answered),
      `${service.url}/_understudy/console/${path.includes('box') ? 'box' : 'default'}/`,
      path,
    );
  }
  const list = await see(service, '/_understudy/');
  t.notMatch(titleOf(list), 'default', 'a page of all sandboxes names none');
  t.equal(consoleOf(list), `${service.url}/_understudy/`);
});

await test('pages of the console show and change whom the pages of their sandbox act as', async (t) => {
  const service = await startWithBox(t);
  const browser = openBrowser(service);
  const page = '/_understudy/console/box/faults/';
  const who = async (path: string) => whoIn(await browser.get(path));
  t.equal(await who(page), 'no user');
  const next = service.url + page;
  const chosen = await openBrowser(service, '/sandboxes/box').choose({ act_as: 'bob', next });
  t.equal(chosen.headers['location'], next, 'the choice returns to the console');
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(chosen.headers['set-cookie'] ?? '') ?? [];
  browser.cookies.set(name, value);
  t.equal(await who(page), 'as bob');
  const end = new Date(1000 * Number.parseInt(value)).toISOString().slice(11, 16);
  t.match(plain((await browser.get(page)).text), `as that user, until ${end} UTC`);
  t.match(plain((await browser.get('/')).text), 'as that user, for an hour', 'where none has begun');
  t.equal(await who('/sandboxes/box/'), 'as bob');
  t.equal(await who('/_understudy/console/default/'), 'no user', 'a cookie of one sandbox never acts in another');
  t.equal(await who('/'), 'no user');
  t.equal(choicesIn(await browser.get(page)).length, 8);
});

await test('the oldest sessions end where a browser has very many', async (t) => {
  const service = await startWithBox(t);
  const { port } = new URL(service.url);
  const cookie = [
    ...Array.from({ length: 21 }, (_, n) => `understudy-user-${port}-job-${n}=${2_000_000_000 + n}.x`),
    `understudy-user-${port}=1999999999.x`,
    `understudy-user-${port}0-other=1.x`,
    `understudy-console-${port}=1.x`,
    'understudy-user=1.x',
  ].join('; ');
  const headers = { ...followed, 'content-type': 'application/x-www-form-urlencoded', cookie };
  const response = await fetch(`${service.url}/sandboxes/job-7/session/`, {
    method: 'POST',
    headers: { ...headers, origin: service.url },
    body: 'act_as=',
    redirect: 'manual',
  });
  t.same(
    response.headers.getSetCookie().map((set) => set.replace(/;.*/, '')),
    [`understudy-user-${port}-job-7=`, `understudy-user-${port}-job-0=`, `understudy-user-${port}=`],
    'the chosen one, and those beyond twenty that end first',
  );
});

await test('other sandboxes are shown only where the gate admits', async (t) => {
  const open = await startWithBox(t);
  const path = '/api/users/alice/?format=api';
  t.same(linksIn(await see(open, `/sandboxes/box${path}`), 'sandboxes'), [
    `${open.url}/api/users/alice/`,
    `${open.url}/sandboxes/box/api/users/alice/`,
    `${open.url}/_understudy/`,
  ]);
  const service = await startWithBox(t, { ...locked, databaseUrl: open.databaseUrl });
  const person = openConsole(service);
  for (const page of [`/sandboxes/box${path}`, '/'])
    t.same(linksIn(await see(service, page), 'sandboxes'), [`${service.url}/`]);
  t.same(linksIn(await person.get('console/box/'), 'sandboxes'), [`${service.url}/`], 'nor before signing in');
  await person.post('sign-in/', { token: 'correct-horse' });
  const headers = { ...followed, cookie: person.cookie ?? '' };
  const signedIn = await service.request('GET', `/sandboxes/box${path}`, { headers });
  t.equal(linksIn(signedIn, 'sandboxes').length, 3, 'on every page, once signed in');
  const foreign = await service.request('GET', '/', {
    headers: { ...headers, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  });
  t.same(linksIn(foreign, 'sandboxes'), [`${service.url}/`], 'not for a request of another site');
});

await test('at most ten sandboxes are listed, those used last, and the page’s own', async (t) => {
  const service = await startService(t);
  for (let n = 0; n < 12; n++) await service.request('PUT', `/_understudy/sandboxes/job-${n}`);
  const links = linksIn(await see(service, '/_understudy/console/job-0/faults/'), 'sandboxes');
  t.same(
    links.slice(0, -1).map((link) => link.replace(`${service.url}/_understudy/console/`, '')),
    ['job-0', 'default', ...[11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => `job-${n}`)].map((name) => `${name}/faults/`),
  );
});

await test('another sandbox’s page is of the same kind', async (t) => {
  for (const [path, same] of [
    ['/', '/sandboxes/x/'],
    ['/sandboxes/box/', '/sandboxes/x/'],
    ['/sandboxes/box/api/users/?page=2', '/sandboxes/x/api/users/'],
    ['/_understudy/', '/_understudy/console/x/'],
    ['/_understudy/docs/', '/_understudy/console/x/'],
    ['/_understudy/console/box/seed/', '/_understudy/console/x/seed/'],
    ['/_understudy/console/box/journal/12/?a=b', '/_understudy/console/x/journal/'],
    ['/_understudy/console/new/', '/_understudy/console/x/'],
  ] as const)
    t.equal(pathIn('x', path), same, path);
  t.equal(pathIn('default', '/sandboxes/box/api/'), '/api/');
});

const rule = (path: string, more: object = {}) => ({ match: { path }, status: 429, ...more });

await test('a strip names the faults in force on every page of the sandbox, and leads to them', async (t) => {
  const service = await startWithBox(t);
  const put = (sandbox: string, ...rules: readonly object[]) =>
    service.request('PUT', `/_understudy/sandboxes/${sandbox}/faults`, { json: { rules } });
  await put('box', rule('/api/**'));
  for (let n = 0; n < 2; n++) await service.request('GET', '/sandboxes/box/api/users/');
  for (const path of [
    '/sandboxes/box/',
    '/sandboxes/box/api/docs/',
    '/_understudy/console/box/',
    '/sandboxes/box/session/',
  ])
    t.same(faultsIn(await see(service, path)), ['Fault: 429 on /api/** · hit 2 times, ends at'], path);
  for (const path of ['/', '/_understudy/', '/_understudy/console/default/'])
    t.same(faultsIn(await see(service, path)), []);

  const page = `${service.url}/_understudy/console/box/faults/`;
  t.ok(linksIn(await see(service, '/sandboxes/box/'), 'refuses').includes(page));
  const { text } = await see(service, page.slice(service.url.length));
  const values = new Map(parse(text).map(({ attributes }) => [attributes.get('name'), attributes.get('value')]));
  const removed = await openConsole(service).post('console/box/faults/remove/', { key: values.get('key') ?? '' });
  t.equal(removed.headers['location'], page);
  t.same(faultsIn(await see(service, '/sandboxes/box/')), []);

  const kinds = [
    { connection: 'cut' },
    { delay_ms: 5 },
    { status: 503, match: { method: 'get' } },
    rule('/a'),
    rule('/b'),
  ];
  await put('box', ...kinds);
  t.same(faultsIn(await see(service, '/sandboxes/box/')), [
    'Fault: connection cut on any request · not hit yet, ends at',
    'Fault: delay on any request · not hit yet, ends at',
    'Fault: 503 on GET any path · not hit yet, ends at',
    'and 2 more',
  ]);
});

await test('who may not remove a fault sees that it is in force', async (t) => {
  const service = await startWithBox(t, locked);
  const headers = { authorization: 'Bearer correct-horse' };
  await service.request('PUT', '/_understudy/sandboxes/box/faults', { headers, json: { rules: [rule('/api/**')] } });
  t.same(faultsIn(await see(service, '/sandboxes/box/')), ['Fault: 429 on /api/** · not hit yet, ends at']);
});

await test('pages of a browser pass by the rules, and say so', async (t) => {
  const service = await startWithBox(t);
  const rules = [
    { connection: 'cut', next: 1 },
    { status: 503, next: 1 },
  ];
  await service.request('PUT', '/_understudy/sandboxes/box/faults', { json: { rules } });
  const path = '/sandboxes/box/api/users/';
  const browser = openBrowser(service, '/sandboxes/box');
  for (const choice of ['', 'alice']) {
    await browser.choose({ act_as: choice });
    for (let n = 0; n < 2; n++) {
      const page = await browser.get('/api/users/');
      t.equal(page.status, 200);
      t.match(
        plain(page.text),
        /cut on any request, the next one<\/strong> · not hit yet.*Faults are only for clients: pages are answered normally\./,
      );
    }
    const sent = await browser.request('POST', '/api/users/', { ...followed, origin: service.url }, '{}');
    t.equal(sent.status, choice === '' ? 401 : 403, 'nor does a form meet them');
  }
  await t.rejects(service.request('GET', path), 'the first request of a client meets the first rule');
  t.equal((await service.request('GET', path)).status, 503, 'and the second the second');
  t.equal((await service.request('GET', path)).status, 200);
});

await test('an answer that a rule gives to a token is shown in the frame, and programs get it as it is', async (t) => {
  const service = await startService(t);
  const page = '/api/users/?format=api';
  const seeAs = () => service.request('GET', page, { as: 'alice', headers: followed });
  for (const [fault, status, shown] of [
    [{ status: 503, next: 1, body: { detail: 'Gone <fishing>' } }, 503, /Gone &#60;fishing&#62;/],
    [
      { status: 418, next: 1, body: 'short and stout', headers: { 'Content-Encoding': 'gzip', 'X-Pot': '1' } },
      418,
      /short and stout/,
    ],
    [{ status: 429, next: 1, headers: { 'content-encoding': 'gzip' } }, 429, /throttled/],
    [{ status: 200, next: 1, body: { count: 1 } }, 200, /count/],
  ] as const) {
    await service.request('PUT', '/_understudy/sandboxes/default/faults', { json: { rules: [fault] } });
    const answered = await seeAs();
    t.equal(answered.status, status);
    t.match(answered.headers['content-type'], 'text/html');
    t.match(answered.headers['content-security-policy'], "default-src 'none'");
    t.equal(answered.headers['x-understudy-fault'], '1');
    t.equal(answered.headers['content-encoding'], undefined, 'of the content that the page shows');
    t.match(answered.text, shown);
    t.same(
      faultsIn(answered),
      [`Fault: ${status} on any request, the next one · hit once, ends at`],
      'this request counts',
    );
  }
  await service.request('PUT', '/_understudy/sandboxes/default/faults', {
    json: { rules: [{ status: 302, headers: { Location: '/api/' } }] },
  });
  t.match(await seeAs(), { status: 302, headers: { location: '/api/' } }, 'a redirect is followed');
  await service.request('PUT', '/_understudy/sandboxes/default/faults', {
    json: { rules: [{ status: 503, body: 'as it is' }] },
  });
  t.match(await service.request('GET', '/api/users/'), { status: 503, text: 'as it is' });
});

await test('no rule concerns the documents', async (t) => {
  const service = await startWithBox(t);
  for (const name of ['default', 'box'])
    await service.request('PUT', `/_understudy/sandboxes/${name}/faults`, { json: { rules: [rule('/**')] } });
  for (const path of [
    '/api/docs/',
    '/api/schema/',
    '/sandboxes/box/api/docs/',
    '/sandboxes/box/api/schema/',
    '/_understudy/docs/',
  ])
    t.equal((await see(service, path)).status, 200, path);
  t.equal((await service.request('GET', '/api/')).status, 429);
});
