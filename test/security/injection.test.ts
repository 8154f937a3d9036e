// Injection into SQL, headers and requests: a client's input stays a value.
import { test } from 'tap';
import { sql } from 'kysely';
import { startService } from '../support/service.ts';
import { head, sendRaw } from '../support/raw.ts';

const list = '/api/users/alice/notifications/';
const payloads = [
  `' or '1'='1`,
  `alice'; drop table understudy.users; --`,
  `alice" or ""="`,
  `$1`,
  `\\'; select pg_sleep(10); --`,
  `alice'||(select 'x')||'`,
  `{alice,bob}`,
  `%`,
  `al_ce`,
  `\u02bc or 1=1`,
];

await test('SQL in any value stays a value', async (t) => {
  const service = await startService(t);
  const count = async () => {
    const found = await sql<{
      users: number;
      entries: number;
    }>`select (select count(*)::int from understudy.users) as users,
      (select count(*)::int from understudy.subscriptions) as entries`.execute(service.database.load);
    return found.rows[0];
  };
  const before = await count();
  for (const payload of payloads) {
    const escaped = encodeURIComponent(payload);
    const asAdmin = { as: 'admin' };
    const asked = {
      'a name in the path': await service.request('GET', `/api/users/${escaped}/notifications/`, asAdmin),
      'a user in the path': await service.request('GET', `/api/users/${escaped}/`, asAdmin),
      'a name to write to': await service.request('POST', `/api/users/${escaped}/notifications/`, {
        ...asAdmin,
        json: { notification: 'LockNotification', scope: 0, frequency: 1 },
      }),
      'an id': await service.request('GET', `${list}${escaped}/`, asAdmin),
      'a page': await service.request('GET', `${list}?page=${escaped}`, asAdmin),
      'a sandbox in the path': await service.request('GET', `/sandboxes/${escaped}${list}`),
      'a group in a filter': await service.request('GET', `/api/projects/${escaped}/`, asAdmin),
    };
    for (const [where, { status }] of Object.entries(asked)) t.equal(status, 404, `${where}: ${payload}`);
    const latin = Buffer.from(payload).toString('latin1');
    // A header with characters beyond ASCII counts as empty (transcript wire__authorization).
    const status = /^[ -~]*$/.test(latin) ? 401 : 200;
    t.equal((await service.request('GET', list, { token: latin })).status, status, `a token: ${payload}`);
    t.equal(
      (await service.request('GET', list, { headers: { 'x-understudy-sandbox': latin } })).status,
      404,
      `a sandbox's header: ${payload}`,
    );
    t.equal((await service.request('GET', `${list}?page_size=${escaped}`)).status, 200, `a page's size: ${payload}`);
    t.match(
      await service.request('POST', list, {
        as: 'alice',
        json: { notification: payload, scope: payload, frequency: payload },
      }),
      { status: 400, json: { type: 'validation_error' } },
      `a body: ${payload}`,
    );
    t.match(
      await service.request('GET', `/api/users/?username=${escaped}&email=${escaped}`, asAdmin),
      { status: 200, json: { results: [] } },
      `a filter: ${payload}`,
    );
  }
  t.same(await count(), before, 'nothing was done');
});

await test('a request can’t add headers to the answer', async (t) => {
  const service = await startService(t);
  const split = '%0d%0aX-Injected:%20yes%0d%0a';
  for (const path of [
    `/api/users/${split}/notifications/`,
    `${list}?page_size=1&x=${split}`,
    `/api/units/${split}/`,
    `/sandboxes/${split}${list}`,
  ]) {
    const { head: answered } = await sendRaw(service, head(`GET ${path}`, 'Host: localhost', `X-Request-Id: ${split}`));
    t.notMatch(answered, /^X-Injected/im, path);
  }
});

await test('a request within a request is refused', async (t) => {
  const service = await startService(t);
  const hidden = `DELETE ${list}1/ HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const start = `POST ${list}`;
  const both = head(start, 'Host: localhost', `Content-Length: ${hidden.length}`, 'Transfer-Encoding: chunked');
  t.equal((await sendRaw(service, `${both}0\r\n\r\n${hidden}`)).status, 400, 'two lengths');
  const twice = head(start, 'Host: localhost', 'Content-Length: 0', `Content-Length: ${hidden.length}`);
  t.equal((await sendRaw(service, twice + hidden)).status, 400, 'two different lengths');
  const odd = head(start, 'Host: localhost', 'Transfer-Encoding: xchunked');
  t.equal((await sendRaw(service, odd + hidden)).status, 400, 'an encoding that is none');
  const folded = head(start, 'Host: localhost', 'Transfer-Encoding:\r\n chunked');
  t.equal((await sendRaw(service, `${folded}0\r\n\r\n`)).status, 400, 'a folded header');
  const spaced = head(start, 'Host: localhost', 'Content-Length : 5');
  t.equal((await sendRaw(service, `${spaced}hello`)).status, 400, 'a blank before the colon');
});
