// Hostile web pages in a developer's browser, wrong tokens and forged addresses. test/access/gate.test.ts has the gate.
import { sql } from 'kysely';
import { t as file, test } from 'tap';
import { hashToken, readTokenHash } from '../../src/access/credentials.ts';
import { head, sendRaw } from '../support/raw.ts';
import { startService } from '../support/service.ts';

const list = '/api/users/alice/notifications/';
const script = '<script>alert(1)</script>';
const entry = { notification: 'LockNotification', scope: 20, frequency: 1 };

const shared = await startService(file);

await test('no page runs a script that a request holds', async (t) => {
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
    const { text, headers } = await shared.request('GET', path, {
      headers: { ...html, 'x-understudy-sandbox': 'default' },
    });
    t.notMatch(text, '<script>alert', path);
    t.match(headers['content-type'], /^(?:text\/html; charset=utf-8|application\/json)/, path);
  }
  const host = await shared.request('GET', `${list}?format=api`, { headers: { host: `"${script}` } });
  t.equal(host.status, 400, 'a Host that is none');
  t.notMatch(host.text, '<script>alert');
});

await test('a form of another origin writes nothing', async (t) => {
  const form = { body: 'notification=LockNotification&scope=20&frequency=1' };
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])
    t.equal(
      (
        await shared.request('POST', list, {
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

await test('a page of another site may link to pages, and embed nothing of the control API', async (t) => {
  const get = async (path: string, headers: Record<string, string>) =>
    (await shared.request('GET', path, { headers })).status;
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
  t.equal(await get(list, { ...cross, ...image }), 200, 'and so is the Weblate API');
});

const right = 'wlu_alice_public_sample_token_0000000000';

await test('guesses of a token are refused', async (t) => {
  const guesses = [
    right.slice(0, -1),
    `${right}0`,
    right.toUpperCase(),
    right.replace('0', '1'),
    'x',
    'x'.repeat(8000),
    hashToken(right).toString('hex'),
  ];
  const answers = await Promise.all(guesses.map((token) => shared.request('GET', list, { token })));
  const [first] = answers;
  for (const [i, answer] of answers.entries()) {
    t.equal(answer.status, 401, `${guesses[i]?.slice(0, 50)}`);
    t.equal(answer.text, first?.text, 'a near miss gets the same answer as any other');
  }
  t.equal((await shared.request('GET', list, { token: right })).status, 200);
});

await test('only hashes of tokens are stored, and compared', async (t) => {
  const { rows } = await sql<{ hash: Buffer }>`select hash from understudy.tokens`.execute(shared.database.load);
  t.ok(rows.length > 0);
  // The time of a comparison reveals only parts of a hash, and no client can find a token with a given hash.
  t.ok(rows.every(({ hash }) => hash.length === 32));
  t.ok(rows.some(({ hash }) => hash.equals(hashToken(right))));
  const columns = await sql<{ column: string }>`select column_name as column from information_schema.columns
    where table_schema = 'understudy' and table_name in ('tokens', 'sandbox_tokens')`.execute(shared.database.load);
  t.same(
    new Set(columns.rows.map(({ column }) => column)),
    new Set(['sandbox_id', 'hash', 'user_id', 'username_key', 'created_at']),
    'no column could hold the text of a token',
  );
});

await test('hashes are remembered of a bounded number of headers, and of none that is long', async (t) => {
  const read = (key: string) => readTokenHash(`Token ${key}`);
  const first = read('first');
  t.equal(read('first'), first);
  t.strictSame(readTokenHash('bearer first'), first);
  for (let n = 0; n < 1000; n++) read(`other-${n}`);
  t.not(read('first'), first, 'it was forgotten');
  t.strictSame(read('first'), hashToken('first'));
  const long = 'x'.repeat(300);
  t.not(read(long), read(long));
});

const ofErin = '/api/users/erin/notifications/';

await test('the client’s address is the one that the trusted proxies report', async (t) => {
  const rateLimits = { anonymous: '3/day', user: 'off' };
  const statuses = async (proxies: number, forwarded: string[]) => {
    const service = await startService(t, { trustProxy: proxies, rateLimits });
    const found: number[] = [];
    for (const addresses of forwarded)
      found.push((await service.request('GET', ofErin, { headers: { 'x-forwarded-for': addresses } })).status);
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
    const { status, body } = await sendRaw(shared, head(`GET ${path}`, 'Host: localhost'));
    t.ok([400, 404].includes(status), `${status} ${path.slice(0, 80)}`);
    t.notMatch(body, /"dependencies"|root:/, path.slice(0, 80));
  }
});
