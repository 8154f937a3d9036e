// CORS: what web pages of listed origins get, and what all others get.
import { test } from 'tap';
import { appOptions, readConfiguration } from '../../src/service/config/config.ts';
import { askUntil, list, startBehindProxy } from '../support/setting.ts';
import { type Answered, type Ask, startService } from '../support/service.ts';

const page = 'http://localhost:5173';
const stranger = 'https://evil.example';
const entry = { notification: 'LockNotification', scope: 20, frequency: 1 };

const corsHeaders = ({ headers }: Answered) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
const preflight = (origin: string, method: string, headers?: string): Ask => ({
  headers: {
    origin,
    'access-control-request-method': method,
    ...(headers !== undefined && { 'access-control-request-headers': headers }),
  },
});

await test('off: nothing changes for a request with Origin', async (t) => {
  const service = await startService(t);
  for (const method of ['GET', 'OPTIONS', 'PATCH']) {
    const without = await service.request(method, list);
    const answer = await service.request(method, list, preflight(page, 'POST', 'authorization'));
    const { date: _date, ...headers } = answer.headers;
    const { date: _, ...expected } = without.headers;
    t.same({ ...answer, headers }, { ...without, headers: expected }, method);
  }
});

await test('listed origins may read, and no others', async (suite) => {
  const service = await startService(suite, { corsOrigins: [page, 'app://desktop'] });
  const from = (origin: string) => ({ headers: { origin } });
  const allowed = { 'access-control-allow-origin': page, 'access-control-expose-headers': 'x-understudy' };

  await suite.test('a page of a listed origin reads the answer', async (t) => {
    const answer = await service.request('GET', list, { as: 'alice', ...from(page) });
    t.same(corsHeaders(answer), allowed);
    t.equal(answer.headers['vary'], 'Accept, Origin');
    const other = await service.request('GET', list, from('app://desktop'));
    t.equal(other.headers['access-control-allow-origin'], 'app://desktop');
    const csv = await service.request('GET', `${list}?format=csv`, from(page));
    t.match(csv.headers, { 'content-type': 'text/csv; charset=utf-8', vary: 'Accept, Origin', ...allowed });
  });

  await suite.test('a request without Origin gets no CORS header', async (t) => {
    const answer = await service.request('GET', list, { as: 'alice' });
    t.same(corsHeaders(answer), {});
    t.equal(answer.headers['vary'], 'Accept');
  });

  await suite.test('responses to an origin that is not listed have no CORS headers', async (t) => {
    for (const origin of [stranger, 'null', `${page}0`, 'http://localhost', 'https://localhost:5173', `${page}/`]) {
      const answer = await service.request('GET', list, from(origin));
      t.same([answer.status, corsHeaders(answer), answer.headers['vary']], [200, {}, 'Accept, Origin'], origin);
      const asked = await service.request('OPTIONS', list, preflight(origin, 'POST', 'authorization'));
      t.same([asked.status, asked.text, corsHeaders(asked)], [204, '', {}], `preflight of ${origin}`);
      t.match(asked.headers, { vary: 'Accept, Origin', 'x-understudy-hint': /UNDERSTUDY_CORS_ORIGINS/ });
    }
  });

  await suite.test('a page of a listed origin reads errors too', async (t) => {
    await service.request('PUT', '/_understudy/sandboxes/job');
    const fault = { match: { path: '/api/users/bob/' }, status: 503, headers: { 'Retry-After': '7', Vary: 'Cookie' } };
    await service.request('PUT', '/_understudy/sandboxes/default/faults', { json: { rules: [fault] } });
    const zoe = { username: 'zoe', email: 'zoe@example.org', full_name: 'Zoe' };
    const cases: [method: string, path: string, ask: Ask, status: number, exposed: RegExp, vary?: string][] = [
      ['POST', list, { json: entry }, 401, /^x-understudy$/],
      ['POST', list, { as: 'alice', json: {} }, 400, /^x-understudy$/],
      ['GET', '/api/users/bob/', {}, 503, /^(?=.*retry-after)(?=.*x-understudy-fault)(?!.*vary)/, 'Cookie, Origin'],
      ['GET', '/api/users/nobody/', {}, 404, /x-understudy/],
      ['GET', list.slice(0, -1), {}, 404, /x-understudy-hint/],
      ['GET', '/api/screenshots/', {}, 404, /x-understudy-not-mirrored/],
      ['DELETE', list, { as: 'alice' }, 405, /^x-understudy$/],
      ['OPTIONS', list, { as: 'alice' }, 200, /^x-understudy$/],
      ['GET', `/sandboxes/job${list}`, {}, 200, /^(?=.*x-understudy-sandbox)/],
      ['GET', `/sandboxes/unknown${list}`, {}, 404, /x-understudy-sandbox/],
      ['GET', `/%61pi/users/`, {}, 200, /^x-understudy$/],
      ['POST', '/api/users/', { as: 'admin', json: zoe }, 201, /^(?=.*\blocation\b)(?=.*x-understudy)/],
    ];
    for (const [method, path, ask, status, exposed, vary = 'Accept, Origin'] of cases) {
      const answer = await service.request(method, path, { ...ask, headers: { origin: page } });
      t.equal(answer.status, status, `${method} ${path}`);
      t.match(answer.headers, {
        'access-control-allow-origin': page,
        'access-control-expose-headers': exposed,
        vary,
      });
      t.equal(answer.headers['access-control-allow-credentials'], undefined);
    }
  });

  await suite.test('a preflight names the methods of its path and the headers that were asked for', async (t) => {
    const headers = 'authorization,content-type,x-understudy-sandbox';
    for (const [path, methods] of [
      [list, 'GET, POST, HEAD, OPTIONS'],
      ['/api/users/alice/', 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'],
      [`/sandboxes/job${list}`, 'GET, POST, HEAD, OPTIONS'],
      ['/api/nothing/', 'GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS'],
    ] as const) {
      const answer = await service.request('OPTIONS', path, preflight(page, 'POST', headers));
      t.same([answer.status, answer.text], [204, ''], path);
      t.match(corsHeaders(answer), {
        'access-control-allow-origin': page,
        'access-control-allow-methods': methods,
        'access-control-allow-headers': headers,
        'access-control-max-age': '600',
      });
    }
    const plain = await service.request('OPTIONS', list, preflight(page, 'POST'));
    t.equal(plain.headers['access-control-allow-headers'], undefined);
  });

  await suite.test('an OPTIONS request that is no preflight gets the mirrored answer', async (t) => {
    for (const headers of [{}, { origin: page }, { 'access-control-request-method': 'POST' }])
      t.match(await service.request('OPTIONS', list, { headers }), { status: 200, json: { parses: [/json/] } });
  });

  await suite.test('a preflight is in no journal, and no fault applies to it', async (t) => {
    const of = '/_understudy/sandboxes/job';
    await service.request('POST', `${of}/reset`);
    await service.request('PUT', `${of}/faults`, {
      json: { rules: [{ match: { path: '/api/**' }, status: 500, next: 1 }] },
    });
    const path = `/sandboxes/job${list}`;
    t.equal((await service.request('OPTIONS', path, preflight(page, 'GET'))).status, 204);
    t.equal((await service.request('GET', path, from(page))).status, 500, 'the rule counts no preflight');
    t.match((await service.request('GET', `${of}/requests`)).json, { requests: [{ method: 'GET', status: 500 }] });
    t.equal(((await service.request('GET', `${of}/requests`)).json as { requests: unknown[] }).requests.length, 1);
  });

  await suite.test('a preflight with a body ends its connection', async (t) => {
    const { headers } = preflight(page, 'POST');
    const ask = { headers: { ...headers, 'content-length': '5' }, body: 'abcde' };
    t.match(await service.request('OPTIONS', list, ask), { status: 204, headers: { connection: 'close' } });
  });

  await suite.test('the control API allows no origin', async (t) => {
    for (const path of [
      '/_understudy/sandboxes',
      '/_understudy/health/live',
      '/_understudy/nothing',
      '/sandboxes/job/_understudy/sandboxes',
      '/api/../_understudy/sandboxes',
      '/',
      '/session/',
      '/healthz/',
    ])
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const answer = await service.request(method, path, preflight(page, 'POST', 'authorization'));
        const isOfApi = path.startsWith('/api/');
        t.same(corsHeaders(answer)['access-control-allow-origin'], isOfApi ? page : undefined, `${method} ${path}`);
        if (isOfApi && method === 'GET') t.equal(answer.status, 404, 'the path is not normalized');
      }
    const gated = await service.request('POST', '/_understudy/sandboxes', from(page));
    t.equal(gated.status, 403, 'the control API rejects a page of a listed origin');
  });
});

await test('with * every origin may read', async (t) => {
  const service = await startService(t, { corsOrigins: '*' });
  for (const origin of [page, stranger, 'null'])
    t.match((await service.request('GET', list, { headers: { origin } })).headers, {
      'access-control-allow-origin': '*',
      vary: 'Accept, Origin',
    });
  // Node's fetch sends the same request as a page's fetch, but no preflight.
  const answer = await fetch(service.url + list, { headers: { origin: page, authorization: 'Token nobodys' } });
  t.equal(answer.status, 401);
  t.equal(answer.headers.get('access-control-allow-origin'), '*');
});

await test('a page of a listed origin reads rejections by rate limits and overload too', async (suite) => {
  await suite.test('rate limits', async (t) => {
    const rateLimits = { anonymous: '1/day', user: 'off' };
    const service = await startService(t, { corsOrigins: [page], rateLimits });
    const ask = () => service.request('GET', list, { headers: { origin: page } });
    t.match((await ask()).headers, { 'access-control-expose-headers': /x-ratelimit-remaining/ });
    t.match(await ask(), {
      status: 429,
      headers: {
        'access-control-allow-origin': page,
        'access-control-expose-headers': /(?=.*x-ratelimit).*retry-after/,
      },
    });
  });

  await suite.test('overload, under which preflights are still answered', async (t) => {
    const { proxy, service } = await startBehindProxy(t, { maxRequests: 1, corsOrigins: [page] });
    const headers = { origin: page };
    t.equal((await service.request('GET', list)).status, 200);
    proxy.stall();
    const accepted = service.request('GET', list);
    const refused = await askUntil(503, () => service.request('GET', list, { headers }));
    t.match(refused.headers, { 'access-control-allow-origin': page, 'access-control-expose-headers': /retry-after/ });
    t.equal((await service.request('OPTIONS', list, preflight(page, 'GET'))).status, 204);
    proxy.resume();
    t.equal((await accepted).status, 200);
  });
});

await test('with anonymous writes, only pages of listed origins can write', async (t) => {
  const service = await startService(t, { anonymous: 'write', corsOrigins: [page] });
  const post = (headers: Record<string, string>) => service.request('POST', list, { json: entry, headers });
  t.match(await post({ origin: page, 'sec-fetch-site': 'same-site' }), {
    status: 201,
    headers: { 'access-control-allow-origin': page },
  });
  for (const headers of [
    { origin: stranger },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: page, host: 'evil.example' },
  ] as const)
    t.equal((await post(headers)).status, 403, JSON.stringify(headers));
  const own = await service.request('POST', '/_understudy/sandboxes', { headers: { origin: page } });
  t.equal(own.status, 403, 'the control API rejects it');
});

await test('UNDERSTUDY_CORS_ORIGINS is read as origins in their canonical form', async (t) => {
  const originsOf = (text: string) => appOptions(readConfiguration({ UNDERSTUDY_CORS_ORIGINS: text })).corsOrigins;
  t.equal(originsOf(''), undefined);
  t.equal(originsOf('*'), '*');
  t.same(originsOf('http://localhost:5173'), ['http://localhost:5173']);
  t.same(originsOf('HTTP://Example.COM:80 , https://[::1]:8443,https://a.example:443,app://desktop'), [
    'http://example.com',
    'https://[::1]:8443',
    'https://a.example',
    'app://desktop',
  ]);
});
