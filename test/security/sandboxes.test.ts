// Nothing of one sandbox is reached from another.
import t from 'tap';
import { startService } from '../support/service.ts';

const list = '/api/users/alice/notifications/';
const entry = { notification: 'LockNotification', scope: 20, frequency: 1 };

t.test('two sandboxes', async (t) => {
  const service = await startService(t, { anonymous: 'strict' });
  const tokenOf = async (name: string): Promise<string> => {
    t.equal((await service.request('PUT', `/_understudy/sandboxes/${name}`, { json: {} })).status, 201);
    const { json } = await service.request('POST', `/_understudy/sandboxes/${name}/tokens`, { json: { username: 'alice' } });
    return (json as { token: string }).token;
  };
  const [a, b] = [await tokenOf('escape-a'), await tokenOf('escape-b')];
  const inside = (name: string, path = list) => `/sandboxes/${name}${path}`;
  const count = async (path: string, token: string) =>
    ((await service.request('GET', path, { token })).json as { count: number }).count;

  const made = await service.request('POST', inside('escape-a'), { token: a, json: entry });
  t.equal(made.status, 201);
  const { id } = made.json as { id: number };
  const before = await count(inside('escape-b'), b);

  t.test('a token of one in the other', async (t) => {
    for (const [name, token] of [['escape-b', a], ['escape-a', b], ['default', a]] as const) {
      t.equal((await service.request('GET', inside(name), { token })).status, 401, `in the path: ${name}`);
      t.equal((await service.request('GET', list, { token, headers: { 'x-understudy-sandbox': name } })).status, 401, `in the header: ${name}`);
      t.equal((await service.request('POST', inside(name), { token, json: { ...entry, scope: 10 } })).status, 401, 'a write');
    }
    const forged = a.replace('escape-a', 'escape-b');
    t.equal((await service.request('GET', list, { token: forged })).status, 401, 'a token that names another');
    t.equal((await service.request('GET', list, { token: b, headers: { 'x-understudy-sandbox': 'escape-b' } })).status, 200);
  });

  t.test('an entry of one through the other', async (t) => {
    for (const method of ['GET', 'PATCH', 'PUT', 'DELETE'])
      t.equal(
        (await service.request(method, inside('escape-b', `${list}${id}/`), { token: b, ...(method === 'GET' || method === 'DELETE' ? {} : { json: entry }) })).status,
        404,
        method,
      );
    t.equal((await service.request('GET', inside('escape-a', `${list}${id}/`), { token: a })).status, 200, 'it is still there');
  });

  t.test('paths and headers that disagree', async (t) => {
    const answer = await service.request('GET', inside('escape-a'), { token: a, headers: { 'x-understudy-sandbox': 'escape-b' } });
    t.match(answer, { status: 200, headers: { 'x-understudy-sandbox': 'escape-a' } }, 'the path wins');
    for (const path of [
      '/sandboxes/escape-a/../escape-b/api/users/alice/notifications/',
      '/sandboxes/escape-a%2f..%2fescape-b/api/users/alice/notifications/',
      '/sandboxes/escape-a/sandboxes/escape-b/api/users/alice/notifications/',
      '/sandboxes/ESCAPE-B/api/users/alice/notifications/',
      '/sandboxes//api/users/alice/notifications/',
      '/sandboxes/*/api/users/alice/notifications/',
    ])
      t.not((await service.request('GET', path, { token: a })).status, 200, path);
  });

  t.test('what an answer links to', async (t) => {
    const { text } = await service.request('GET', inside('escape-a', `${list}?page_size=2`), { token: a });
    const links = [...text.matchAll(/"(http:[^"]+)"/g)].map(([, link]) => link as string);
    t.ok(links.length > 0);
    t.ok(links.every((link) => link.startsWith(`${service.url}/sandboxes/escape-a/api/`)), links.join(' '));
  });

  t.test('resetting and dropping one', async (t) => {
    t.equal((await service.request('POST', '/_understudy/sandboxes/escape-a/reset')).status, 204);
    t.equal((await service.request('DELETE', '/_understudy/sandboxes/escape-a')).status, 204);
    t.equal(await count(inside('escape-b'), b), before, 'leaves the other as it was');
    t.equal((await service.request('GET', inside('escape-a'), { token: a })).status, 404);
    t.equal((await service.request('PUT', '/_understudy/sandboxes/escape-a', { json: {} })).status, 201);
    t.equal((await service.request('GET', inside('escape-a'), { token: a })).status, 401, 'a new one of that name knows no former token');
  });
});
