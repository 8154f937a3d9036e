// deploy/nginx.conf reads a request's sandbox as the service does, and spreads the names evenly.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Test, test } from 'tap';
import { findPlace } from '../../src/access/which-sandbox.ts';
import { toOriginForm } from '../../src/http/edge/repair-url.ts';
import { makeRandom } from '../support/random.ts';
import { head, sendRaw } from '../support/raw.ts';
import { openClient } from '../support/service.ts';
import { balance, cellHeader, sandboxHeader } from './cells.ts';
import { skip } from './nginx.ts';

/** A server that answers every request with the sandbox that the service finds in the request. */
async function startReader(t: Test): Promise<{ url: string }> {
  const server: Server = createServer((request, response) => {
    const { headers } = request;
    const { sandbox } = findPlace({ originalUrl: toOriginForm(request), headers });
    response.setHeader('x-read', encodeURIComponent(sandbox)).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Returns the sandboxes that nginx and the service found. */
async function ask(url: string, line: string, headers: readonly string[] = []) {
  const answer = await sendRaw({ url }, head(line, 'Host: x', ...headers));
  const valueOf = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(answer.head)?.[1];
  return { status: answer.status, nginx: valueOf(sandboxHeader), service: decodeURIComponent(valueOf('x-read') ?? '') };
}

const token = (name: string, scheme = 'Token ') => `Authorization: ${scheme}wlu_sandbox_${name}_0123`;
const byHeader = (name: string) => `X-Understudy-Sandbox: ${name}`;

const odd: readonly (readonly [sandbox: string, target: string, ...headers: string[]])[] = [
  ['default', '/'],
  ['default', '/api/users/'],
  ['a', '/sandboxes/a/api/users/', byHeader('b'), token('c')],
  ['b', '/api/users/', byHeader('b'), token('c')],
  ['c', '/api/users/', token('c')],
  ['c-1', '/api/users/', token('c-1', '\tbEARER \t ')],
  ['default', '/api/users/', token('C')],
  ['default', '/api/users/', token('c', 'Basic ')],
  ['default', '/api/users/', 'Authorization: Token x wlu_sandbox_c_0123'],
  ['B C', '/api/users/', byHeader('B C')],
  ['b', '/api/users/', byHeader('\tb')],
  ['b', '/api/users/', byHeader(' \t b\t \t'), token('c')],
  ['B\tC', '/api/users/', byHeader('\tB\tC \t')],
  ['a', '/sandboxes/a/'],
  ['a', '/sandboxes/a/?x=/sandboxes/b/api/'],
  ['a', '/sandboxes/a/#x'],
  ['a', '/sandboxes/a/session/'],
  ['default', '/sandboxes/a'],
  ['default', '/sandboxes/a?x=/'],
  ['default', '/sandboxes/a#x/'],
  ['default', '/sandboxes/a/session'],
  ['default', '/sandboxes/a/x/api/'],
  ['b', '/sandboxes/a/x/', byHeader('b')],
  ['default', '/sandboxes/a//api/users/'],
  ['default', '//sandboxes/a/api/users/'],
  ['default', '/sandboxes//api/users/'],
  ['default', '/SANDBOXES/a/api/users/'],
  ['default', '/sandboxes/a/API/users/'],
  ['default', '/%73andboxes/a/api/users/'],
  ['default', '/sandboxes/a/%61pi/users/'],
  ['default', '/sandboxes/a%2fapi/users/'],
  ['%61', '/sandboxes/%61/api/users/'],
  ['a%20b', '/sandboxes/a%20b/api/users/'],
  ['A', '/sandboxes/A/api/users/'],
  ['..', '/sandboxes/../api/users/'],
  ['default', '/api/users/x/sandboxes/a/api/'],
  ['default', '/api/users/?x=/sandboxes/a/api/'],
  ['a', 'http://x/sandboxes/a/api/users/'],
  ['default', 'http://x/api/users/'],
  ['default', 'http://x'],
];

/** Here the service takes the name from its route's path, so only the name that nginx finds is checked. */
const own: readonly (readonly [sandbox: string, target: string, ...headers: string[]])[] = [
  ['a', '/_understudy/sandboxes/a'],
  ['a', '/_understudy/sandboxes/a?x=1', byHeader('b')],
  ['a', '/_understudy/sandboxes/a#x'],
  ['a', '/_understudy/sandboxes/a/requests?limit=1', token('c')],
  ['a', '/_understudy/sandboxes/a/snapshots/b'],
  ['a', '/_understudy/console/a/'],
  ['a', '/_understudy/console/a/journal/?x=1', byHeader('b')],
  ['a', '/_understudy/console/a/make/'],
  ['default', '/_understudy/console/new/'],
  ['default', '/_understudy/console/new/?from=a'],
  ['default', '/_understudy/console/all/journal/'],
  ['default', '/_understudy/'],
  ['default', '/_understudy/sandboxes'],
  ['b', '/_understudy/sandboxes?x=/a', byHeader('b')],
  ['b', '/_understudy/metrics', byHeader('b')],
];

await test('nginx finds the same sandbox as the service', { skip }, async (suite) => {
  const reader = await startReader(suite);
  const url = await balance(suite, [reader, reader, reader]);

  await suite.test('for odd requests', async (t) => {
    for (const [sandbox, target, ...headers] of odd)
      t.same(
        await ask(url, `GET ${target}`, headers),
        { status: 200, nginx: sandbox, service: sandbox },
        [target, ...headers].join(' '),
      );
    for (const [sandbox, target, ...headers] of own)
      t.match(
        await ask(url, `GET ${target}`, headers),
        { status: 200, nginx: sandbox },
        [target, ...headers].join(' '),
      );
  });

  await suite.test('for generated requests', async (t) => {
    const random = makeRandom(1, 0);
    const parts = 'sandboxes a b-1 api api session %61 . .. A x=1 http:'.split(' ');
    const differing: string[] = [];
    const named = new Set<string>();
    for (let count = 0; count < 500; count++) {
      const path = Array.from(
        { length: 1 + random.below(5) },
        () => random.pick(parts) + random.pick(['/', '/', '/', '', '//', '?', '#', '%2f']),
      );
      const target = `/${random.pick(['', 'sandboxes/', 'sandboxes/'])}${path.join('')}`;
      const headers = [byHeader('h'), token('t')].filter(() => random.below(3) === 0);
      const { status, nginx, service } = await ask(url, `GET ${target}`, headers);
      // nginx refuses a path that leads above the root.
      if (status === 400) continue;
      if (nginx !== service) differing.push(`${target} ${headers.join(' ')}: ${nginx}, not ${service}`);
      else named.add(service);
    }
    t.same(differing, []);
    for (const name of ['default', 'h', 't', 'a', 'b-1', '%61', 'A']) t.ok(named.has(name), name);
  });

  await suite.test('an empty header names no sandbox: every service answers 404', async (t) => {
    for (const empty of ['', ' ', '\t', ' \t '])
      t.match(await ask(url, 'GET /api/users/', [byHeader(empty)]), { nginx: 'default', service: '' });
    t.match(await ask(url, 'GET /api/users/', [byHeader(''), token('c')]), { nginx: 'c', service: '' });
  });
});

await test('3,000 names are spread evenly', { skip }, async (t) => {
  const readers = [await startReader(t), await startReader(t), await startReader(t)];
  const client = openClient(t, await balance(t, readers));
  const cellOf = async (name: string) =>
    (await client.request('HEAD', '/', { headers: { 'x-understudy-sandbox': name } })).headers[cellHeader];
  const names = Array.from({ length: 3000 }, (_, n) => `job-${n}`);
  const cells = await Promise.all(names.map(cellOf));
  const counts = readers.map((reader) => cells.filter((cell) => cell === new URL(reader.url).host).length);
  t.equal(
    counts.reduce((sum, count) => sum + count, 0),
    3000,
  );
  for (const count of counts) t.ok(Math.abs(count - 1000) < 200, `within a fifth of 1,000 each: ${counts.join(', ')}`);
});
