// CORS as Chromium enforces it: a page of another origin uses the Weblate API by fetch, if its origin is listed.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'tap';
import { type Owner } from '../support/database.ts';
import { getToken, listTokens } from '../transcripts/engine/placeholders.ts';
import { readSeed, startService } from '../support/service.ts';
import { openPage, skip } from './support.ts';

/** An empty page at an origin of its own. */
async function startPage(t: Owner): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<title>page</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

await test('CORS in a browser', { skip }, async (t) => {
  const [listed, stranger] = [await startPage(t), await startPage(t)];
  const service = await startService(t, { corsOrigins: [listed] });
  const seed = await readSeed('documented');
  const tokens = listTokens(
    seed.users.map(({ username, tokens: [token] }) => ({ username, token: token?.text ?? null })),
  );
  const list = `${service.url}/api/users/alice/notifications/`;
  const rules = [{ match: { path: '/api/users/bob/' }, status: 503, headers: { 'Retry-After': '7' } }];
  await service.request('PUT', '/_understudy/sandboxes/default/faults', { json: { rules } });
  // Chromium logs the responses that CORS blocks, and the fault rule's 503.
  const page = await openPage(t, { hosts: [service.url, listed, stranger], expected: /CORS policy|ERR_FAILED|^503 / });

  /** Returns what a script of the page gets: the status and the readable headers, or the name of fetch's error. */
  const ask = (url: string, init: object = {}) =>
    page.evaluate(`fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).then(
      (answer) => [answer.status, ...['Retry-After', 'X-Understudy-Fault', 'Allow'].map((name) => answer.headers.get(name))],
      (error) => error.name)`);
  const headers = { Authorization: `Token ${getToken(tokens, 'alice')}`, 'Content-Type': 'application/json' };
  const create = { method: 'POST', headers, body: '{"notification":"LockNotification","scope":20,"frequency":1}' };

  await page.goto(listed);
  t.same(await ask(list, { headers }), [200, null, null, null]);
  t.same(await ask(list, create), [201, null, null, null]);
  t.same(await ask(list, create), [400, null, null, null]);
  t.same(await ask(list, { headers: { ...headers, 'X-Understudy-Sandbox': 'nowhere' } }), [404, null, null, null]);
  t.same(await ask(`${service.url}/api/users/bob/`), [503, '7', '1', null]);
  t.same(await ask(`${service.url}/api/nothing/`, { headers }), [404, null, null, null]);
  t.equal(await ask(list, { method: 'PUT', headers }), 'TypeError', 'a method not in Allow');
  t.equal(await ask(list, { credentials: 'include' }), 'TypeError', 'with credentials');
  t.equal(await ask(`${service.url}/_understudy/sandboxes`), 'TypeError', 'the control API');

  await page.goto(stranger);
  t.equal(await ask(list), 'TypeError');
  t.equal(await ask(list, create), 'TypeError');
});
