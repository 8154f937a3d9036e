// A reset returns a sandbox to the seed that it got last; a restore returns it to a snapshot.
import { test } from 'tap';
import { startService } from '../support/service.ts';

const base = '/_understudy/sandboxes';
const newEntry = { notification: 'NewStringNotificaton', scope: 10, frequency: 1 };

await test('a sandbox goes back to its seed or to a snapshot', async (suite) => {
  const service = await startService(suite);
  const create = async (name: string) =>
    (await service.request('PUT', `${base}/${name}`)).json as {
      token: string;
      users: { username: string; token: string }[];
    };
  const count = async (path: string, token?: string) =>
    ((await service.request('GET', path, token === undefined ? {} : { token })).json as { count: number }).count;

  await suite.test('the default sandbox can be reset, but not deleted', async (t) => {
    await service.request('POST', '/api/users/dave/notifications/', { as: 'dave', json: newEntry });
    t.equal((await service.request('POST', `${base}/default/reset`)).status, 204);
    t.equal(await count('/api/users/dave/notifications/'), 0);
    t.equal((await service.request('DELETE', `${base}/default`)).status, 409);
  });

  await suite.test('a restore returns to a snapshot; a new one replaces that of the same name', async (t) => {
    const { token } = await create('snap');
    const list = '/api/users/dave/notifications/';
    await service.request('POST', list, { token, json: newEntry });
    t.equal((await service.request('PUT', `${base}/snap/snapshots/one`)).status, 204);
    await service.request('POST', list, { token, json: { ...newEntry, scope: 20 } });
    t.equal((await service.request('PUT', `${base}/snap/snapshots/two`)).status, 204);
    t.match((await service.request('GET', `${base}/snap`)).json, { snapshots: ['one', 'two'] });
    t.equal((await service.request('POST', `${base}/snap/snapshots/one/restore`)).status, 204);
    t.equal(await count(list, token), 1);
    await service.request('PUT', `${base}/snap/snapshots/two`);
    await service.request('POST', `${base}/snap/reset`);
    t.equal(await count(list, token), 0);
    await service.request('POST', `${base}/snap/snapshots/two/restore`);
    t.equal(await count(list, token), 1, 'the later snapshot of that name');
    t.equal((await service.request('POST', `${base}/snap/snapshots/none/restore`)).status, 404);
    const listed = await service.request('GET', `${base}/snap/snapshots`);
    t.match(listed.json, [{ name: 'one', created: /Z$/, seed: 'documented' }, { name: 'two' }]);
    t.equal((await service.request('DELETE', `${base}/snap/snapshots/one`)).status, 204);
    t.match((await service.request('GET', `${base}/snap/snapshots`)).json, [{ name: 'two' }]);
    for (const gone of ['one', 'none', 'No%20way'])
      t.equal((await service.request('DELETE', `${base}/snap/snapshots/${gone}`)).status, 404);
    for (const method of ['GET', 'DELETE'])
      t.equal(
        (await service.request(method, `${base}/nowhere/snapshots${method === 'GET' ? '' : '/two'}`)).status,
        404,
      );
    t.equal((await service.request('GET', `/sandboxes/snap${list}`, { token })).status, 200);
    t.equal((await service.request('PUT', `${base}/snap/snapshots/No%20way`)).status, 400);
    t.equal((await service.request('DELETE', `${base}/snap`)).status, 204);
  });

  await suite.test('after PUT of a seed a reset returns to that seed; the sandbox’s tokens stay', async (t) => {
    const sandbox = await create('put');
    const yaml = 'users:\n  - { username: alice }\n  - { username: new }\n';
    const put = await service.request('PUT', `${base}/put/seed`, {
      headers: { 'content-type': 'application/yaml' },
      body: yaml,
    });
    t.match(put, { status: 200, json: { users: { created: 2 } } });
    const token = sandbox.users.find(({ username }) => username === 'alice')?.token as string;
    t.equal(await count('/api/users/alice/notifications/', token), 0);
    await service.request('POST', '/api/users/alice/notifications/', { token, json: newEntry });
    t.equal((await service.request('POST', `${base}/put/reset`)).status, 204);
    t.equal(await count('/api/users/alice/notifications/', token), 0);
    t.equal((await service.request('GET', '/api/users/alice/notifications/', { token: sandbox.token })).status, 401);
  });
});
