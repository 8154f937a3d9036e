// examples/nginx-rest-of-the-api.conf with real nginx, a service, and a small server in place of the real one.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { skip, startNginx } from '../deploy/nginx.ts';
import { startService } from '../support/service.ts';
import { examples } from './run.ts';

const alice = { authorization: 'Token wlu_alice_public_sample_token_0000000000' };

/** Answers every request with 200 and its path. */
async function startOther(t: Test): Promise<{ port: number; received: IncomingMessage[] }> {
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ other: request.url }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { port: (server.address() as AddressInfo).port, received };
}

/** The other server has no TLS here. */
const startExample = (t: Test, understudy: string, other: number): Promise<string> =>
  startNginx(t, join(examples, 'nginx-rest-of-the-api.conf'), [
    ['server 127.0.0.1:8000;', `server ${understudy};`],
    ['server weblate.example.com:443;', `server 127.0.0.1:${other};`],
    ['proxy_pass https://rest;', 'proxy_pass http://rest;'],
  ]);

await test('nginx serves the rest of the API from another server', { skip }, async (suite) => {
  const service = await startService(suite, { trustProxy: 1, anonymous: 'strict' });
  const other = await startOther(suite);
  const url = await startExample(suite, new URL(service.url).host, other.port);
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers });

  await suite.test('users and notifications come from Understudy', async (t) => {
    const list = '/api/users/alice/notifications/';
    const response = await get(`${list}?page_size=4`, { ...alice, 'x-forwarded-host': 'forged.example' });
    t.equal(response.status, 200);
    t.match(response.headers.get('x-understudy'), 'Weblate');
    t.match(await response.json(), { count: 10, next: `${url}${list}?page=2&page_size=4` });
    const named = await get('/api/users/J%C3%9CRGEN/notifications/', alice);
    t.equal(named.status, 403, 'the path is passed on as it is');
    const body = JSON.stringify({ notification: 'RepositoryNotification', scope: 10, frequency: 1 });
    const headers = { ...alice, 'content-type': 'application/json' };
    t.equal((await fetch(`${url}${list}`, { method: 'POST', headers, body })).status, 201);
    t.same(other.received, []);
  });

  await suite.test('everything else comes from the other server', async (t) => {
    for (const path of ['/api/', '/api/projects/demo/', '/api/units/?q=has:comment'])
      t.same(await (await get(path, { ...alice, cookie: 'a=b' })).json(), { other: path });
    t.equal(other.received.length, 3);
    for (const { headers } of other.received)
      t.match(headers, { authorization: 'Token wlu_of_the_other_server', host: 'weblate.example.com' });
    t.notMatch(other.received[0]?.rawHeaders, ['Cookie'], "the client's credentials stay here");
  });

  await suite.test('nothing can be changed there, and the control API is not passed on', async (t) => {
    const before = other.received.length;
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      t.equal((await fetch(`${url}/api/projects/demo/`, { method, headers: alice })).status, 403, method);
    t.equal((await get('/_understudy/sandboxes')).status, 404);
    t.equal(other.received.length, before);
  });
});
