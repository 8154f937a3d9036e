// No request reaches another sandbox, and every key holds sandbox_id. test/weblate/plans.test.ts looks at the statements.
import { Client } from 'pg';
import { test } from 'tap';
import { createSeededDatabase, startService } from '../support/service.ts';

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

  await t.test('a token of one sandbox is 401 in the other', async (part) => {
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

  await t.test('an entry of one sandbox is 404 in the other', async (part) => {
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

  await t.test('no path leads from one sandbox to the other', async (part) => {
    for (const path of [
      `/sandboxes/escape-a/../escape-b${list}`,
      `/sandboxes/escape-a%2f..%2fescape-b${list}`,
      `/sandboxes/escape-a/sandboxes/escape-b${list}`,
      `/sandboxes/ESCAPE-B${list}`,
      `/sandboxes/${list}`,
      `/sandboxes/*${list}`,
    ])
      part.not((await service.request('GET', path, { token: a })).status, 200, path);
  });

  await t.test('names in paths are literal', async (part) => {
    const faults = '/_understudy/sandboxes/escape-a/faults';
    // For the forms of the console.
    const headers = { origin: service.url };
    await service.request('PUT', faults, { json: { rules: [{ status: 418 }] } });
    for (const path of [
      `/sandboxes/escape%2da${list}`,
      `/sandboxes/%65scape-a${list}`,
      '/sandboxes/%65scape-a/api/',
      '/sandboxes/%65scape-a/api/docs/',
      `/%73andboxes/escape-a${list}`,
      '/sandboxes/escape-a/%61pi/users/alice/notifications/',
      `/sandboxes/escape-a%00${list}`,
      `/sandboxes/escape-a%${list}`,
      `http://127.0.0.1/sandboxes/%65scape-a${list}`,
    ])
      for (const ask of [{ token: a }, { as: 'alice' }, {}])
        part.equal((await service.request('GET', path, ask)).status, 404, path);
    const cut = await service.request('GET', `/sandboxes/escape-a#${list}`, { token: a });
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

  await t.test('an escape in the path doesn’t avoid a fault of default', async (part) => {
    const faults = '/_understudy/sandboxes/default/faults';
    await service.request('PUT', faults, { json: { rules: [{ match: { path: list }, status: 418 }] } });
    for (const path of [list, `/%61pi${list.slice(4)}`, `/%61%70%69${list.slice(4)}?x`, `${list}#x`])
      part.equal((await service.request('GET', path, { as: 'alice' })).status, 418, path);
    part.equal((await service.request('DELETE', faults)).status, 204);
  });
});

// Shared by all sandboxes: the list of them, what the migrator keeps, and the key that signs browsers' sessions.
const shared = new Set(['sandboxes', 'applied_migrations', 'session_keys']);

await test('every key contains the sandbox', async (t) => {
  const client = new Client({ connectionString: await createSeededDatabase(t, null) });
  t.teardown(() => client.end());
  await client.connect();
  const rows = async <R extends object>(text: string) => (await client.query<R>(text)).rows;
  const inSchema = `relnamespace = to_regnamespace('understudy')`;

  const found = await rows<{ name: string; inSandbox: boolean }>(
    `select relname as name, exists (select from pg_attribute where attrelid = c.oid and attname = 'sandbox_id' and attnotnull)
       as "inSandbox" from pg_class c where relkind = 'r' and ${inSchema} order by relname`,
  );
  t.ok(found.length > 8);
  for (const { name, inSandbox } of found) t.equal(inSandbox, !shared.has(name), name);

  const indexes = await rows<{ table: string; index: string; columns: string[] }>(
    `select c.relname as table, i.indexrelid::regclass::text as index,
       array(select attname::text from pg_attribute where attrelid = c.oid and attnum = any(i.indkey)) as columns
     from pg_index i join pg_class c on c.oid = i.indrelid where indisunique and ${inSchema}`,
  );
  for (const { table, index, columns } of indexes)
    if (!shared.has(table)) t.ok(columns.includes('sandbox_id'), `${index}: ${columns.join(', ')}`);

  const foreignKeys = await rows<{ name: string; child: string; parent: string; pairs: string[] }>(
    `select k.conname as name, c.relname as child, p.relname as parent,
       array(select a.attname || ' ' || b.attname from unnest(k.conkey, k.confkey) u(near, far)
         join pg_attribute a on a.attrelid = k.conrelid and a.attnum = near
         join pg_attribute b on b.attrelid = k.confrelid and b.attnum = far) as pairs
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
     where contype = 'f' and k.connamespace = to_regnamespace('understudy')`,
  );
  t.ok(foreignKeys.length > 5);
  for (const { name, child, parent, pairs } of foreignKeys) {
    if (shared.has(parent)) continue;
    t.notOk(shared.has(child), `${name} points from a table of a sandbox`);
    t.ok(pairs.includes('sandbox_id sandbox_id'), `${name}: ${pairs.join(', ')}`);
  }
});
