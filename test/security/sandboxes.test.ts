// No request reaches another sandbox than its own.
import { test } from 'tap';
import { startService } from '../support/service.ts';

const list = '/api/users/alice/notifications/';
const entry = { notification: 'LockNotification', scope: 20, frequency: 1 };
const inside = (name: string, path = list) => `/sandboxes/${name}${path}`;

await test('a caller of one sandbox neither reads nor changes another', async (t) => {
  const service = await startService(t, { anonymous: 'strict' });
  const tokenOf = async (name: string): Promise<string> => {
    t.equal((await service.request('PUT', `/_understudy/sandboxes/${name}`, { json: {} })).status, 201);
    const { json } = await service.request('POST', `/_understudy/sandboxes/${name}/tokens`, {
      json: { username: 'alice' },
    });
    return (json as { token: string }).token;
  };
  const [a, b] = [await tokenOf('escape-a'), await tokenOf('escape-b')];

  const made = await service.request('POST', inside('escape-a'), { token: a, json: entry });
  t.equal(made.status, 201);
  const { id } = made.json as { id: number };

  await t.test('a token of one in the other', async (part) => {
    for (const [name, token] of [
      ['escape-b', a],
      ['escape-a', b],
      ['default', a],
    ] as const) {
      part.equal((await service.request('GET', inside(name), { token })).status, 401, `in the path: ${name}`);
      part.equal(
        (await service.request('GET', list, { token, headers: { 'x-understudy-sandbox': name } })).status,
        401,
        `in the header: ${name}`,
      );
      part.equal(
        (await service.request('POST', inside(name), { token, json: { ...entry, scope: 10 } })).status,
        401,
        'a write',
      );
    }
    const forged = a.replace('escape-a', 'escape-b');
    part.equal((await service.request('GET', list, { token: forged })).status, 401, 'a token that names another');
    part.equal(
      (await service.request('GET', list, { token: b, headers: { 'x-understudy-sandbox': 'escape-b' } })).status,
      200,
    );
  });

  await t.test('an entry of one through the other', async (part) => {
    for (const method of ['GET', 'PATCH', 'PUT', 'DELETE'])
      part.equal(
        (
          await service.request(method, inside('escape-b', `${list}${id}/`), {
            token: b,
            ...(method === 'GET' || method === 'DELETE' ? {} : { json: entry }),
          })
        ).status,
        404,
        method,
      );
    part.equal(
      (await service.request('GET', inside('escape-a', `${list}${id}/`), { token: a })).status,
      200,
      'it is still there',
    );
  });

  await t.test('paths that lead from one to the other', async (part) => {
    for (const path of [
      '/sandboxes/escape-a/../escape-b/api/users/alice/notifications/',
      '/sandboxes/escape-a%2f..%2fescape-b/api/users/alice/notifications/',
      '/sandboxes/escape-a/sandboxes/escape-b/api/users/alice/notifications/',
      '/sandboxes/ESCAPE-B/api/users/alice/notifications/',
      '/sandboxes//api/users/alice/notifications/',
      '/sandboxes/*/api/users/alice/notifications/',
    ])
      part.not((await service.request('GET', path, { token: a })).status, 200, path);
  });

  await t.test('names in paths are literal', async (part) => {
    const faults = '/_understudy/sandboxes/escape-a/faults';
    // For the forms of the console.
    const headers = { origin: service.url };
    await service.request('PUT', faults, { json: { rules: [{ status: 418 }] } });
    for (const path of [
      '/sandboxes/escape%2da/api/users/alice/notifications/',
      '/sandboxes/%65scape-a/api/users/alice/notifications/',
      '/sandboxes/%65scape-a/api/',
      '/sandboxes/%65scape-a/api/docs/',
      '/%73andboxes/escape-a/api/users/alice/notifications/',
      '/sandboxes/escape-a/%61pi/users/alice/notifications/',
      '/sandboxes/escape-a%00/api/users/alice/notifications/',
      '/sandboxes/escape-a%/api/users/alice/notifications/',
      'http://127.0.0.1/sandboxes/%65scape-a/api/users/alice/notifications/',
    ])
      for (const ask of [{ token: a }, { as: 'alice' }, {}])
        part.equal((await service.request('GET', path, ask)).status, 404, path);
    const cut = await service.request('GET', '/sandboxes/escape-a#/api/users/alice/notifications/', { token: a });
    t.equal(cut.headers['location'], `${service.url}/sandboxes/escape-a/`, 'what follows a # is no part of the path');
    for (const [method, path, status = 404] of [
      ['GET', '/_understudy/sandboxes/%65scape-a'],
      ['PUT', '/_understudy/sandboxes/%65scape-a', 400],
      ['POST', '/%5funderstudy/sandboxes'],
      ['GET', '/_understudy%2fsandboxes/escape-a'],
      ['GET', '/_understudy/console/%65scape-a/'],
      ['GET', '/_understudy/console/escape%2da/faults/'],
      ['GET', '/_understudy/%63onsole/escape-a/'],
      ['POST', '/_understudy/console/escape%2da/reset/'],
      ['GET', '/_understudy/sandboxes/escape-a%'],
      ['GET', '/_understudy/sandboxes/%zz/faults'],
      ['DELETE', '/_understudy/sandboxes/escape%2da'],
      ['POST', '/_understudy/sandboxes/escape%2da/reset'],
      ['DELETE', '/_understudy/sandboxes/escape%2da/faults'],
      ['GET', '/_understudy/%73andboxes/escape-a'],
      ['GET', '/%5funderstudy/sandboxes/escape-a'],
      ['PATCH', '/_understudy/sandboxes/%65scape-a', 405],
    ] as const)
      part.equal((await service.request(method, path, { headers })).status, status, `${method} ${path}`);
    for (const path of ['/sandboxes/%65scape-a/api/schema/', '/_understudy/sandboxes/%65scape-a/faults'])
      part.match((await service.request('GET', path)).text, /No sandbox is named \\"%65scape-a\\"/, path);
    part.equal((await service.request('GET', inside('escape-a'), { token: a })).status, 418, 'the name itself');
    part.equal((await service.request('DELETE', faults)).status, 204);
  });

  await t.test('a fault of default is not dodged by an escape', async (part) => {
    const faults = '/_understudy/sandboxes/default/faults';
    await service.request('PUT', faults, { json: { rules: [{ match: { path: list }, status: 418 }] } });
    for (const path of [list, `/%61pi${list.slice(4)}`, `/%61%70%69${list.slice(4)}?x`, `${list}#x`])
      part.equal((await service.request('GET', path, { as: 'alice' })).status, 418, path);
    part.equal((await service.request('DELETE', faults)).status, 204);
  });
});
