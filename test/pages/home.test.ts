// The home pages of the service and of sandboxes: they show present content, and each command runs as shown.
import { sql } from 'kysely';
import { test } from 'tap';
import { askUntil, startBehindProxy } from '../support/setting.ts';
import { runCurl } from '../support/run-curl.ts';
import { startService, type Service, type ServiceOptions } from '../support/service.ts';
import { type Element, parse } from '../support/markup.ts';

const html = { accept: 'text/html', 'sec-fetch-site': 'none' };
const see = (service: Service, path = '/', headers: Record<string, string> = {}) =>
  service.request('GET', path, { headers: { ...html, ...headers } });

const hasClass = ({ attributes }: Element, name: string) => attributes.get('class')?.split(' ').includes(name) === true;
const plain = (text: string) => text.trim().replaceAll(/\s+/g, ' ');
const textsOf = (page: string, isWanted: (element: Element) => boolean) =>
  parse(page)
    .filter(isWanted)
    .map(({ text }) => plain(text));
const titlesIn = (page: string) => textsOf(page, ({ name }) => name === 'h3');
const linesIn = (page: string): string[] =>
  parse(page)
    .filter(({ name, parent }) => name === 'code' && parent !== undefined && hasClass(parent, 'copy'))
    .filter(({ attributes }) => !/^copy-(?:base-url|variables)$/.test(attributes.get('id') ?? ''))
    .map(({ text }) => text);
const idsIn = (page: string, part: string) =>
  textsOf(page, ({ attributes }) => attributes.get('id')?.startsWith(part) === true);
const namesIn = (page: string) => idsIn(page, 'user-');

/** Runs each command twice, as it was copied; rejects if a response has a status of 400 or above. */
async function run(lines: readonly string[]): Promise<void> {
  for (const line of [...lines, ...lines]) {
    const { status, body } = await runCurl(line);
    if (status >= 400) throw new Error(`${status} ${body}: ${line}`);
  }
}

const reading = 'Read the subscriptions of alice';
const changing = 'Set one of them to daily, as alice';
const back = 'Put everything back, for everybody';
const copying = 'Make a copy of this sandbox for a CI job';
const root = 'Read the root of the API';
const team = { users: [{ username: 'zoe', token: 'wlu_zoe' }, { username: 'yan' }] };

const open = { mode: 'on', token: undefined, allowedHosts: [], isLocal: true } as const;
const admin = (access: Partial<ServiceOptions['admin'] & { mode: 'off' | 'on'; token: string }>) => ({
  access: { ...open, ...access },
  maxSandboxes: 100,
  journalBytes: 1 << 24,
});

const cases: readonly {
  readonly name: string;
  readonly options: ServiceOptions;
  /** Replaces the content of the sandbox. */
  readonly seed?: object;
  readonly titles: readonly string[];
  readonly said: RegExp;
}[] = [
  { name: 'by default', options: {}, titles: [reading, changing, back, copying], said: /They may read users/ },
  { name: 'strict', options: { anonymous: 'strict' }, titles: [reading, changing, back, copying], said: /no user\./ },
  {
    name: 'write',
    options: { anonymous: 'write' },
    titles: [reading, changing, back, copying],
    said: /They may do everything/,
  },
  { name: 'another seed', options: {}, seed: team, titles: [root], said: /None has a public token/ },
  {
    name: 'another seed, strict and closed',
    options: { anonymous: 'strict', admin: admin({ mode: 'off' }) },
    titles: [root],
    seed: team,
    said: /None has a public token/,
  },
  { name: 'no user', options: {}, seed: { users: [] }, titles: [root], said: /None has a public token/ },
  {
    name: 'with an admin token',
    options: { admin: admin({ token: 'secret' }) },
    titles: [reading, changing],
    said: /The console and the control API are open to holders of UNDERSTUDY_ADMIN_TOKEN\./,
  },
  {
    name: 'closed beyond loopback',
    options: { admin: { ...admin({}), access: { ...open, mode: 'auto', isLocal: false } } },
    titles: [reading, changing],
    said: /The console and the control API are closed, because other machines .*: set UNDERSTUDY_ADMIN_TOKEN\./,
  },
];

for (const { name, options, seed, titles, said } of cases)
  await test(`every command on the page works: ${name}`, async (t) => {
    const service = await startService(t, options);
    if (seed !== undefined) {
      const opened = await startService(t, { databaseUrl: service.databaseUrl });
      await opened.request('PUT', '/_understudy/sandboxes/default/seed', { json: seed });
    }
    const { status, text, headers } = await see(service);
    t.equal(status, 200);
    t.match(headers, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "script-src 'self'" });
    t.same(titlesIn(text), titles);
    t.match(text, said);
    const lines = linesIn(text);
    t.equal(lines.length, titles.length);
    await t.resolves(run(lines));
    for (const line of lines) t.notMatch(line, /understudy (?!s)|bin\/|\$/, 'no command depends on one installation');
  });

await test('the page shows the present state of the sample users', async (t) => {
  const service = await startService(t);
  const notes = async () =>
    textsOf(
      (await see(service)).text,
      (one) => one.name === 'span' && one.parent?.name === 'th' && hasClass(one, 'hint'),
    );
  const names = ['admin', 'alice', 'bob', 'carol', 'dave', 'erin', 'jürgen'];
  t.same(namesIn((await see(service)).text), names);
  t.same(await notes(), [
    'superuser, no subscriptions',
    '10 subscriptions',
    '9 subscriptions',
    '6 subscriptions, 5 of them limited to a project or component',
    'no subscriptions',
    '137 subscriptions, 68 of them limited to a project or component',
    'one subscription',
  ]);
  await service.request('PATCH', '/api/users/dave/', { as: 'admin', json: { is_active: false } });
  const json = { notification: 'LockNotification', scope: 20, frequency: 1 };
  await service.request('POST', '/api/users/bob/notifications/', { as: 'bob', json });
  t.same(
    namesIn((await see(service)).text),
    names.filter((name) => name !== 'dave'),
  );
  t.equal((await notes())[2], '10 subscriptions');
  await service.request('PUT', '/_understudy/sandboxes/default/seed', { json: team });
  const { text } = await see(service);
  t.same(namesIn(text), []);
  t.match(text, 'None has a public token.');
  t.notMatch(text, 'tokens are public');
});

await test('only a caller that may reset sees the command for it', async (t) => {
  const service = await startService(t, { admin: { ...admin({}), access: { ...open, mode: 'auto' } } });
  const titles = async (headers: Record<string, string>) => titlesIn((await see(service, '/', headers)).text);
  const byLink = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  t.same(await titles(byLink), [reading, changing, back, copying], 'by a link of another site');
  t.same(await titles({ 'x-forwarded-for': '10.0.0.1' }), [reading, changing], 'through a proxy');
  t.same(await titles({ host: 'rebound.example' }), [reading, changing], 'under a foreign name');
});

await test('a sandbox has a home page', async (t) => {
  const service = await startService(t);
  const json = { from: 'documented' };
  await service.request('PUT', '/_understudy/sandboxes/job-17', { json });
  const { status, text } = await see(service, '/sandboxes/job-17/');
  t.equal(status, 200);
  t.same(
    textsOf(text, ({ name }) => name === 'h1'),
    ['Sandbox job-17'],
  );
  t.same(idsIn(text, 'copy-base-url'), [`${service.url}/sandboxes/job-17`]);
  const hrefs = parse(text).flatMap(({ attributes }) => attributes.get('href') ?? []);
  for (const link of ['/sandboxes/job-17/api/', '/sandboxes/job-17/api/docs/', '/_understudy/console/job-17/', '/'])
    t.ok(hrefs.includes(service.url + link), link);
  t.same(titlesIn(text), [reading, changing, back, copying]);
  t.equal(namesIn(text).length, 7);
  await t.resolves(run(linesIn(text)));
  for (const line of linesIn(text)) t.match(line, /sandboxes\/job-17\/|"from":"job-17"/);
});

await test('if a header names the sandbox, the home page shows the base URL with its name', async (t) => {
  const service = await startService(t);
  await service.request('PUT', '/_understudy/sandboxes/job-17');
  const seeBy = (name: string) => see(service, '/', { 'x-understudy-sandbox': name });
  t.same(idsIn((await seeBy('job-17')).text, 'copy-base-url'), [`${service.url}/sandboxes/job-17`]);
  for (const name of ['job-18', '"><b>']) t.equal((await seeBy(name)).status, 404, name);
});

await test('faults, rate limits and journal of a sandbox leave out its home page', async (t) => {
  const service = await startService(t, { rateLimits: { anonymous: '1/day', user: '1/day' } });
  const own = '/_understudy/sandboxes/box';
  await service.request('PUT', own);
  await sql`update understudy.sandboxes set expires_at = '2100-01-01' where name = 'box'`.execute(
    service.database.load,
  );
  const rules = [{ status: 503 }];
  await service.request('PUT', `${own}/faults`, { json: { rules } });
  for (const path of ['/sandboxes/box/', '/sandboxes/box/session/', '/']) {
    const answered = await see(service, path);
    t.equal(answered.status, 200, path);
    t.equal(answered.headers['x-ratelimit-limit'], undefined);
  }
  for (const name of ['box', 'default'])
    t.same((await service.request('GET', `/_understudy/sandboxes/${name}/requests`)).json, {
      dropped: 0,
      dropped_bodies: 0,
      requests: [],
    });
});

await test('each sandbox has an address of its own', async (t) => {
  const service = await startService(t);
  const redirect = async (path: string) => (await see(service, path)).headers['location'];
  await service.request('PUT', '/_understudy/sandboxes/box');
  t.equal(await redirect('/sandboxes/box'), `${service.url}/sandboxes/box/`);
  t.equal(await redirect('/sandboxes/default'), `${service.url}/sandboxes/default/`);
  t.equal(await redirect('/sandboxes/default/'), `${service.url}/`);
  for (const path of ['/sandboxes/%2F%2Fevil.example', '/sandboxes/b%6fx']) {
    t.equal(await redirect(path), undefined, 'names are literal');
    t.equal((await see(service, path)).status, 404);
  }
  t.equal((await see(service, '/sandboxes/box/?x=1')).status, 200);
  t.equal((await see(service, '/sandboxes/box/nothing')).status, 404);

  const missing = await see(service, '/sandboxes/job-18/');
  t.equal(missing.status, 404);
  t.match(missing.text, /No sandbox is named .*job-18/);
  const sections = parse(missing.text).filter(({ name, parent }) => name === 'a' && parent?.name === 'li');
  t.same(
    sections.map(({ attributes }) => attributes.get('href')?.slice(service.url.length)).slice(0, 4),
    ['/', '/api/', '/api/docs/', '/_understudy/'],
    'its header links to existing pages',
  );
  for (const name of ['all', 'A', '-', 'x'.repeat(64), '%3Cscript%3Ealert(1)%3C%2Fscript%3E', 'b%6fx']) {
    const { status, text } = await see(service, `/sandboxes/${name}/`);
    t.equal(status, 404, name);
    t.match(text, 'No sandbox is named', name);
    t.notMatch(text, '<script>alert');
  }
  const plainly = await service.request('GET', '/sandboxes/job-18/');
  t.match(plainly, { status: 404, json: { errors: [{ code: 'not_found' }] } }, 'JSON for a program');
});

await test('while the database is unreachable, each page says so, and works again afterwards', async (t) => {
  const { service, proxy } = await startBehindProxy(t);
  await proxy.refuse();
  const { status, text } = await askUntil(503, () => see(service));
  t.equal(status, 503);
  t.match(text, 'Service temporarily unavailable');
  const paths = ['/', '/sandboxes/default/api/', '/api/users/alice/', '/_understudy/', '/_understudy/console/default/'];
  for (const path of paths) {
    const page = await see(service, path);
    t.equal(page.status, 503, path);
    t.match(page.text, /<main[^]*(?:database|unavailable)/i, path);
  }
  await proxy.accept();
  for (const path of paths) t.equal((await askUntil(200, () => see(service, path))).status, 200, path);
});
