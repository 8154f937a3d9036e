// Access to /_understudy/: each rule, and the variable that each refusal names.
import { test } from 'tap';
import { adminOptions, readConfiguration } from '../../src/service/config/config.ts';
import { sendRaw } from '../support/raw.ts';
import { type Ask, type Service, startService } from '../support/service.ts';

const path = '/_understudy/sandboxes';
const settings = (env: Record<string, string>) => adminOptions(readConfiguration(env));

const ask = async (service: Service, request: Ask = {}, method = 'GET', at = path) => {
  const { status, text } = await service.request(method, at, request);
  return [status, /UNDERSTUDY_[A-Z_]+/.exec(text)?.[0]] as const;
};
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

await test('the gate of the control API', async (suite) => {
  const first = await startService(suite);
  const start = (env: Record<string, string>): Promise<Service> =>
    startService(suite, { databaseUrl: first.databaseUrl, admin: settings(env) });
  const away = { UNDERSTUDY_HOST: '0.0.0.0' };

  await suite.test('auto: open on loopback', async (t) => {
    t.strictSame(await ask(first), [200, undefined]);
    t.strictSame(await ask(await start({ UNDERSTUDY_HOST: '::1' })), [200, undefined]);
    t.strictSame(await ask(await start({ ...away, UNDERSTUDY_BIND: '127.0.0.1' })), [200, undefined], 'a container');
    const proxied = await start({ UNDERSTUDY_TRUST_PROXY: '1' });
    t.strictSame(await ask(proxied), [403, 'UNDERSTUDY_ADMIN'], 'but not behind a proxy');
  });

  await suite.test('auto: elsewhere it needs a token', async (t) => {
    t.strictSame(await ask(await start(away)), [403, 'UNDERSTUDY_ADMIN']);
    const published = await start({ ...away, UNDERSTUDY_BIND: '0.0.0.0' });
    t.strictSame(await ask(published), [403, 'UNDERSTUDY_ADMIN'], 'a container');
    const service = await start({ ...away, UNDERSTUDY_ADMIN_TOKEN: 'correct-horse' });
    t.strictSame(await ask(service), [403, 'UNDERSTUDY_ADMIN_TOKEN']);
    t.strictSame(await ask(service, bearer('correct-hors')), [403, 'UNDERSTUDY_ADMIN_TOKEN']);
    t.strictSame(await ask(service, bearer('correct-horse')), [200, undefined]);
    t.strictSame(await ask(service, { token: 'correct-horse' }), [200, undefined], 'Token as well as Bearer');
  });

  await suite.test('wrong tokens of an address are counted, by header as by form; missing ones are not', async (t) => {
    const service = await start({ UNDERSTUDY_ADMIN_TOKEN: 'correct-horse' });
    for (let n = 1; n <= 12; n++) t.strictSame(await ask(service), [403, 'UNDERSTUDY_ADMIN_TOKEN']);
    const form = (token: string) =>
      service.request('POST', '/_understudy/sign-in/', {
        body: `token=${token}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.url, accept: 'text/html' },
      });
    for (let n = 1; n <= 5; n++) {
      t.equal((await ask(service, bearer(`guess-${n}`)))[0], 403);
      t.equal((await form(`guess-${n}`)).status, 400);
    }
    const refused = await service.request('GET', path, bearer('correct-horse'));
    t.equal(refused.status, 429);
    t.match(refused.headers['retry-after'], /^\d+$/);
    t.match(refused.json, { errors: [{ code: 'throttled' }] });
    t.equal((await form('correct-horse')).status, 429);
  });

  await suite.test('on: open; if a token is set, it is required', async (t) => {
    t.strictSame(await ask(await start({ ...away, UNDERSTUDY_ADMIN: 'on' })), [200, undefined]);
    const service = await start({ UNDERSTUDY_ADMIN: 'on', UNDERSTUDY_ADMIN_TOKEN: 'correct-horse' });
    t.strictSame(await ask(service), [403, 'UNDERSTUDY_ADMIN_TOKEN']);
  });

  await suite.test('off: closed to every request; health stays open', async (t) => {
    const service = await start({ UNDERSTUDY_ADMIN: 'off', UNDERSTUDY_ADMIN_TOKEN: 'correct-horse' });
    t.strictSame(await ask(service, bearer('correct-horse')), [403, 'UNDERSTUDY_ADMIN']);
    t.strictSame(await ask(service, {}, 'PATCH'), [403, 'UNDERSTUDY_ADMIN']);
    for (const health of ['/_understudy/health/live', '/_understudy/health/ready', '/healthz/'])
      t.equal((await service.request('GET', health, { headers: { host: 'example.com', via: '1.1 x' } })).status, 200);
  });

  await suite.test('metrics are guarded like the rest', async (t) => {
    const metrics = '/_understudy/metrics';
    t.strictSame(await ask(await start({ UNDERSTUDY_ADMIN: 'off' }), {}, 'GET', metrics), [403, 'UNDERSTUDY_ADMIN']);
    const service = await start({ ...away, UNDERSTUDY_ADMIN_TOKEN: 'correct-horse' });
    t.strictSame(await ask(service, {}, 'GET', metrics), [403, 'UNDERSTUDY_ADMIN_TOKEN']);
    t.strictSame(await ask(service, bearer('correct-horse'), 'GET', metrics), [200, undefined]);
  });

  await suite.test('auto: a proxied request needs a token', async (t) => {
    const open = await start({ UNDERSTUDY_ADMIN: 'on' });
    const locked = await start({ UNDERSTUDY_ADMIN_TOKEN: 'correct-horse' });
    const signs = { forwarded: 'for=192.0.2.1', via: '1.1 proxy', 'x-forwarded-for': '192.0.2.1' };
    for (const [name, value] of Object.entries({
      ...signs,
      'X-Real-IP': '192.0.2.1',
      'CF-Connecting-IP': '192.0.2.1',
      'X-Client-IP': '192.0.2.1',
      'X-Original-Forwarded-For': '192.0.2.1',
      'True-Client-IP': '192.0.2.1',
      'X-Forwarded-Proto': 'https',
      'x-forwarded-anything': '',
    })) {
      const headers = { [name]: value };
      for (const at of [path, '/_understudy/metrics'])
        t.strictSame([name, ...(await ask(first, { headers }, 'GET', at))], [name, 403, 'UNDERSTUDY_ADMIN'], at);
      t.strictSame(await ask(open, { headers }), [200, undefined], 'on is open to all');
      t.strictSame(await ask(locked, { headers: { ...headers, authorization: 'Token correct-horse' } }), [
        200,
        undefined,
      ]);
    }
    const old = await sendRaw(first, `GET ${path} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n`);
    t.equal(old.status, 403, 'nginx as it comes speaks HTTP/1.0');
  });

  await suite.test('a header without a valid token is rejected', async (t) => {
    const service = await start({ UNDERSTUDY_ADMIN_TOKEN: 'correct-horse' });
    for (const authorization of ['', 'Bearer', 'Basic correct-horse', 'Bearer correct-horse more', 'correct-horse'])
      t.strictSame(
        [authorization, ...(await ask(service, { headers: { authorization } }))],
        [authorization, 403, 'UNDERSTUDY_ADMIN_TOKEN'],
      );
  });

  await suite.test('HEAD answers as GET does, without the body', async (t) => {
    for (const at of [
      '/',
      '/healthz/',
      '/_understudy/health/live',
      '/_understudy/health/ready',
      '/_understudy/metrics',
      path,
      `${path}/default/seed`,
      `${path}/default/faults`,
      `${path}/default/requests`,
    ]) {
      const [get, headOf] = [await first.request('GET', at), await first.request('HEAD', at)];
      t.same([headOf.status, headOf.headers['content-type'], headOf.text], [200, get.headers['content-type'], ''], at);
    }
  });

  await suite.test('OPTIONS answers the methods of a path', async (t) => {
    for (const [at, allow] of [
      [path, 'GET, POST, HEAD, OPTIONS'],
      [`${path}/default`, 'GET, PUT, DELETE, HEAD, OPTIONS'],
      [`${path}/default/reset`, 'POST, OPTIONS'],
      ['/healthz/', 'GET, HEAD, OPTIONS'],
    ] as const)
      t.match(await first.request('OPTIONS', at), { status: 204, headers: { allow }, text: '' }, at);
    t.strictSame(await ask(first, { headers: { origin: 'https://evil.example' } }, 'OPTIONS'), [
      403,
      'UNDERSTUDY_ALLOWED_HOSTS',
    ]);
  });

  await suite.test('Host: loopback, a name without a dot, or one that is allowed', async (t) => {
    const service = await start({ UNDERSTUDY_ALLOWED_HOSTS: 'staging.example.com, 192.168.0.7' });
    const right = ['localhost:8000', 'LOCALHOST', '127.0.0.1', '127.8.9.1:1', '[::1]:8000', 'understudy', 'api_1:80'];
    for (const host of [...right, 'staging.example.com:8000', '192.168.0.7'])
      t.strictSame([host, ...(await ask(service, { headers: { host } }))], [host, 200, undefined]);
    const known = await start({ UNDERSTUDY_PUBLIC_URL: 'https://Users.Example.com:8443/understudy' });
    const ofUrl = { headers: { host: 'users.example.com:8443' } };
    t.strictSame(await ask(known, ofUrl), [200, undefined], 'the host of UNDERSTUDY_PUBLIC_URL');
    const wrong = [
      'evil.example',
      'evil.example:8000',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '192.168.0.8',
      '2130706433',
      '[fe80::1]',
      'x.localhost:8000',
    ];
    for (const host of [...wrong, 'localhost.', 'a b', 'localhost:8000:9'])
      t.strictSame([host, ...(await ask(service, { headers: { host } }))], [host, 403, 'UNDERSTUDY_ALLOWED_HOSTS']);
    const api = await service.request('GET', '/api/users/alice/notifications/', { headers: { host: 'evil.example' } });
    t.equal(api.status, 200, 'the Weblate API takes any');
  });

  await suite.test('a page of another origin is refused', async (t) => {
    const refused = [403, 'UNDERSTUDY_ALLOWED_HOSTS'] as const;
    for (const origin of ['https://evil.example', 'null', 'http://localhost:3000', 'http://127.0.0.1'])
      t.strictSame(await ask(first, { headers: { origin } }, 'POST', `${path}/default/reset`), refused, origin);
    for (const [method, at] of [
      ['POST', path],
      ['DELETE', `${path}/default`],
      ['PUT', `${path}/default/seed`],
    ] as const)
      t.strictSame(
        await ask(first, { json: {}, headers: { origin: 'https://evil.example' } }, method, at),
        refused,
        at,
      );
    const own = { headers: { origin: first.url, host: new URL(first.url).host } };
    t.strictSame(await ask(first, own, 'POST', `${path}/default/reset`), [204, undefined]);
    const known = { ...settings({}), access: { ...settings({}).access, allowedHosts: ['inside.test'] } };
    const publicUrl = 'https://outside.test/weblate';
    const proxied = await startService(suite, { databaseUrl: first.databaseUrl, admin: known, publicUrl });
    for (const [origin, expected] of [
      ['https://outside.test', [204, undefined]],
      ['http://inside.test', refused],
    ] as const) {
      const headers = { origin, host: 'inside.test' };
      t.strictSame(await ask(proxied, { headers }, 'POST', `${path}/default/reset`), expected, 'the public URL is own');
    }
  });

  await suite.test('bodies are JSON or YAML by their type', async (t) => {
    const types = [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/jsonp',
    ];
    for (const type of types)
      for (const body of ['{}', ''])
        t.strictSame(
          [type, ...(await ask(first, { headers: { 'content-type': type }, body }, 'PUT', `${path}/job`))],
          [type, 415, undefined],
        );
    t.strictSame(await ask(first, { body: '{}' }, 'PUT', `${path}/job`), [415, undefined], 'none at all');
    const odd = { body: '{}', headers: { 'content-type': 'yaml' } };
    t.match(
      (await first.request('PUT', `${path}/job`, odd)).text,
      'application/yaml, not \\"yaml\\"',
      'as it was sent',
    );
    for (const type of ['application/json', 'application/yaml', 'text/yaml; charset=utf-8', 'Application/JSON'])
      t.strictSame(
        [type, ...(await ask(first, { headers: { 'content-type': type }, body: '{}' }, 'PUT', `${path}/job`))],
        [type, 201, undefined],
      );
  });

  await suite.test('a refusal is an error in the documented form', async (t) => {
    const service = await start({ UNDERSTUDY_ADMIN: 'off' });
    t.match(await service.request('GET', path), {
      status: 403,
      headers: { 'content-type': 'application/json', 'x-understudy': /./ },
      json: { type: 'client_error', errors: [{ code: 'permission_denied', detail: /UNDERSTUDY_ADMIN/, attr: null }] },
    });
  });
});
