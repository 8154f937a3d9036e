// Answers that pass deploy/nginx.conf unchanged: the service's refusals, exports, links.
import { request } from 'node:http';
import { test } from 'tap';
import { head, sendRaw, statusOf } from '../support/raw.ts';
import { pathsOfBodies, whole } from '../support/paths-of-bodies.ts';
import { type Ask, openClient, readSeed } from '../support/service.ts';
import { balance, startCell } from './cells.ts';
import { skip } from './nginx.ts';

const list = '/api/users/alice/notifications/';

await test('nginx passes answers on unchanged', { skip }, async (suite) => {
  const cell = await startCell(suite);
  const url = await balance(suite, [cell, cell, cell]);
  const client = openClient(suite, url, await readSeed('documented'));
  await client.request('PUT', '/_understudy/sandboxes/job');

  await suite.test('answers and refusals', async (t) => {
    const requests: readonly (readonly [method: string, path: string, ask?: Ask])[] = [
      ['GET', `${list}?page_size=4`, { as: 'alice' }],
      ['GET', '/api/users/%C3%BC%2F%20/notifications/'],
      ['GET', '/_understudy/sandboxes/job/seed?format=json'],
      ['HEAD', '/_understudy/sandboxes/job/seed'],
      ['OPTIONS', list],
      ['GET', list, { headers: { 'x-long': 'x'.repeat(20_000) } }],
      ['GET', `/${'x'.repeat(20_000)}`],
    ];
    for (const [method, path, ask] of requests) {
      const [own, passed] = [await cell.request(method, path, ask), await client.request(method, path, ask)];
      const what = `${method} ${path.slice(0, 60)} ${own.status}`;
      t.same([passed.status, passed.text], [own.status, own.text.replaceAll(cell.url, url)], what);
      for (const name of ['content-type', 'vary', 'allow', 'x-understudy'])
        t.equal(passed.headers[name], own.headers[name], `${what}: ${name}`);
    }
  });

  await suite.test('a body beyond its limit is refused', async (t) => {
    const length = 20_000_000;
    const headers = ['Host: x', 'Content-Type: application/json', `Content-Length: ${length}`];
    for (const [method, path] of pathsOfBodies)
      for (let n = 0; n < 10; n++) {
        const answer = await sendRaw({ url }, head(`${method} ${path}`, ...headers) + 'x'.repeat(length));
        t.match(answer, { status: 413, body: whole }, `${method} ${path}`);
      }
  });

  await suite.test('an endless body is refused, and stored nowhere', async (t) => {
    const outgoing = request(new URL(list, url), { method: 'POST', headers: { 'transfer-encoding': 'chunked' } });
    outgoing.on('error', () => undefined);
    const more = () => {
      while (!outgoing.destroyed && outgoing.write('x'.repeat(16_384)));
    };
    outgoing.on('drain', more);
    more();
    t.equal(await statusOf(outgoing), 413);
    outgoing.destroy();
    t.equal((await client.request('GET', list, { as: 'alice' })).status, 200);
  });

  // docs/how-to/run-several-services.md lists these requests.
  await suite.test('nginx answers some requests itself', async (t) => {
    const requests: readonly (readonly [status: number, line: string, ...headers: string[]])[] = [
      [405, `TRACE ${list}`],
      [400, 'GET /api/users/%zz/'],
      [400, 'GET /api/users/%00/'],
      [400, 'GET /../api/'],
      [400, `GET ${list}`, 'Authorization: Token x', 'Authorization: Token x'],
      [400, `GET ${list}`, `X-Long: ${'x'.repeat(70_000)}`],
    ];
    for (const [status, line, ...headers] of requests) {
      const answer = await sendRaw({ url }, head(line, 'Host: x', ...headers));
      t.match(answer, { status, head: /^content-type: text\/html/im }, line);
    }
  });

  await suite.test('a cut connection stays broken, a closed one becomes 503', async (t) => {
    const strike = async (connection: string) => {
      const json = { rules: [{ connection, next: 1 }] };
      t.equal((await client.request('PUT', '/_understudy/sandboxes/job/faults', { json })).status, 200);
      return client.request('GET', `/sandboxes/job${list}`).then(
        ({ status }) => status,
        () => 'broken',
      );
    };
    t.same([await strike('cut'), await strike('close')], ['broken', 503]);
  });
});
