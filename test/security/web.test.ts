// Hostile web pages in a developer's browser: scripts in answers, and requests of other origins. test/access/gate.test.ts
// tests what they may do to our own API.
import { test } from 'tap';
import { startService } from '../support/service.ts';

const list = '/api/users/alice/notifications/';
const script = '<script>alert(1)</script>';
const entry = { notification: 'LockNotification', scope: 20, frequency: 1 };

await test('no page runs a script that a request holds', async (t) => {
  const service = await startService(t);
  const escaped = encodeURIComponent(script);
  const html = { accept: 'text/html' };
  for (const path of [
    `/api/users/${escaped}/notifications/?format=api`,
    `${list}?format=api&page=${escaped}`,
    `${list}?format=api&${escaped}=${escaped}`,
    `/${escaped}`,
    `/api/units/${escaped}/`,
    `/sandboxes/${escaped}${list}?format=api`,
    `/sandboxes/${escaped}/`,
    `/session/?next=${escaped}`,
  ]) {
    const { text, headers } = await service.request('GET', path, {
      headers: { ...html, 'x-understudy-sandbox': 'default' },
    });
    t.notMatch(text, '<script>alert', path);
    t.match(headers['content-type'], /^(?:text\/html; charset=utf-8|application\/json)/, path);
  }
  const host = await service.request('GET', `${list}?format=api`, { headers: { host: `"${script}` } });
  t.equal(host.status, 400, 'a Host that is none');
  t.notMatch(host.text, '<script>alert');
});

await test('another origin reads nothing', async (t) => {
  const service = await startService(t);
  const headers = { origin: 'https://evil.example' };
  for (const [method, path] of [
    ['GET', list],
    ['OPTIONS', list],
    ['GET', '/_understudy/health/live'],
    ['GET', '/_understudy/sandboxes'],
    ['GET', '/'],
    ['GET', '/session/'],
    ['POST', '/session/'],
  ] as const) {
    const preflight = {
      ...headers,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const answer = await service.request(method, path, { headers: preflight });
    const allowing = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
    t.same(allowing, [], `${method} ${path} allows no origin`);
    t.equal(answer.headers['set-cookie'], undefined, 'nothing that a browser would send by itself');
  }
});

await test('a form of another origin writes nothing', async (t) => {
  const service = await startService(t);
  const form = { body: 'notification=LockNotification&scope=20&frequency=1' };
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])
    t.equal(
      (
        await service.request('POST', list, {
          ...form,
          headers: { origin: 'https://evil.example', 'content-type': type },
        })
      ).status,
      401,
      `a form of ${type} brings no token`,
    );
});

await test('with anonymous writes another origin may still not write', async (t) => {
  const service = await startService(t, { anonymous: 'write' });
  const own = { origin: service.url };
  t.equal((await service.request('POST', list, { json: entry, headers: own })).status, 201, 'our own page may');
  const others: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { host: 'evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ];
  // An Authorization header without a token is not enough: any script may send one.
  for (const authorization of ['', ' ', 'Token', 'Token a b', 'Basic YTpi', 'nothing'])
    others.push({ host: 'evil.example', origin: 'http://evil.example', authorization });
  for (const headers of others)
    t.equal(
      (await service.request('POST', list, { json: { ...entry, scope: 10 }, headers })).status,
      403,
      JSON.stringify(headers),
    );
});

await test('a page of another site may link to pages, and embed nothing of our own API', async (t) => {
  const service = await startService(t);
  const get = async (path: string, headers: Record<string, string>) =>
    (await service.request('GET', path, { headers })).status;
  // An <img> sends no Origin.
  const image = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
  const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const journal = '/_understudy/sandboxes/default/requests';
  const own = [journal, '/_understudy/sandboxes', '/_understudy/metrics', '/_understudy/schema/', '/_understudy/docs/'];
  for (const site of ['cross-site', 'same-site', 'anything'])
    for (const path of own) t.equal(await get(path, { ...image, 'sec-fetch-site': site }), 403, `${site} ${path}`);
  for (const site of ['same-origin', 'none'])
    for (const path of own) t.equal(await get(path, { ...image, 'sec-fetch-site': site }), 200, `${site} ${path}`);
  const cross = { 'sec-fetch-site': 'cross-site' };
  t.equal(await get('/_understudy/docs/', { ...cross, ...link }), 200, 'a link leads to a page');
  t.equal(await get(journal, { ...cross, ...link }), 403, 'but to nothing else');
  t.equal(await get('/_understudy/docs/', { ...cross, ...link, 'sec-fetch-dest': 'iframe' }), 403, 'nor into a frame');
  t.equal(await get('/_understudy/health/live', { ...cross, ...image }), 200, 'health is for everybody');
  t.equal(await get(list, { ...cross, ...image }), 200, 'and so is the mirrored API');
});
