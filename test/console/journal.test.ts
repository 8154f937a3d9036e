// The pages of a journal: the list with its filters, and an exchange in full.
import { test } from 'tap';
import { runCurl } from '../support/run-curl.ts';
import { type Service, startService } from '../support/service.ts';
import { openConsole, type Shown, textsOf } from '../support/person.ts';
import { presets } from '../../src/pages/console/traffic/faults-page.ts';

const list = '/api/users/alice/notifications/';
const entry = { notification: 'RepositoryNotification', scope: 10, frequency: 1 };
const path = 'console/default/journal/';
const admin = { maxSandboxes: 10, access: { mode: 'on', token: undefined, allowedHosts: [], isLocal: true } } as const;

const rowsOf = ({ elements }: Shown) =>
  elements
    .filter(
      ({ name, parent, attributes }) =>
        name === 'tr' && parent?.attributes.get('id') === 'requests' && !attributes.has('class'),
    )
    .map(({ text }) => text.replaceAll(/\s+/g, ' ').trim());

const attributeOf = ({ elements }: Shown, name: string, wanted: string) =>
  elements.find(({ attributes }) => attributes.get('name') === name)?.attributes.get(wanted);

/** The page of the last exchange. */
async function showLast(service: Service, place = path): Promise<Shown> {
  const person = openConsole(service);
  const [, id] = /journal\/([0-9a-f]{8}-\d+)\//.exec((await person.get(place)).text) ?? [];
  return person.get(`${place}${id}/`);
}

const copied = ({ elements }: Shown) =>
  elements.filter(({ attributes }) => attributes.get('id')?.startsWith('copy-')).map(({ text }) => text);

await test('the list shows the requests of the sandbox', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  const empty = await person.get(path);
  t.same(rowsOf(empty), []);
  const [line = ''] = copied(empty);
  t.match(line, `${service.url}/api/`);
  t.equal((await runCurl(line)).status, 200, 'the line that the empty page offers works');

  await service.request('POST', list, { as: 'alice', json: entry });
  await service.request('GET', '/api/nowhere/?a=1&b=2');
  const rows = rowsOf(await person.get(path));
  t.match(
    rows[0],
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} GET \/api\/nowhere\/\?a=1&b=2 Nothing is served at this path\. 404 Not Found [\d.]+ ms no user$/,
  );
  t.match(rows[1], /POST \/api\/users\/alice\/notifications\/ 201 Created [\d.]+ ms alice$/);
  t.match(rows[2], /GET .* 200 OK/);
  t.equal(rows.length, 3);

  await person.post(`${path}clear/`);
  t.same(rowsOf(await person.get(path)), []);
});

await test('filters choose the requests that are listed', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  await service.request('POST', list, { as: 'alice', json: entry });
  await service.request('GET', `${list}?page=1`, { as: 'alice' });
  await service.request('GET', '/api/nowhere/');
  const count = async (query: string) => rowsOf(await person.get(`${path}?${query}`)).length;
  for (const [query, expected] of [
    ['', 3],
    ['method=post', 1],
    ['path=/api/users/**', 2],
    ['query=page=1', 1],
    ['status=4xx', 1],
    ['principal=ALICE', 2],
    ['unmatched=true', 1],
    ['fault=none', 0],
    ['method=&status=&limit=', 3],
    ['limit=2', 2],
    ['live=off', 3],
  ] as const)
    t.equal(await count(query), expected, query);
  t.match((await person.get(`${path}?limit=2`)).text, /1 older request left out here\. <a href="[^"]*limit=3"/);

  for (const never of ['999', '6xx', '20'])
    t.same(textsOf(await person.get(`${path}?status=${never}`), '#status-error'), [
      'Must be a status such as 404 or 4xx.',
    ]);
  const wrong = await person.get(`${path}?status=nine&path=/a`);
  t.equal(wrong.status, 400);
  t.same(textsOf(wrong, '#status-error'), ['Must be a status such as 404 or 4xx.'], 'in the API’s words');
  t.equal(attributeOf(wrong, 'status', 'value'), 'nine', 'what was entered stays');
  t.equal(attributeOf(wrong, 'path', 'value'), '/a');
  t.notMatch(wrong.text, 'live.js');
});

await test('a script keeps the list live unless it is paused', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  await service.request('GET', '/api/');
  const page = await person.get(`${path}?status=2xx`);
  t.match(page.text, 'live.js');
  const paused = await person.get(`${path}?status=2xx&live=off`);
  t.notMatch(paused.text, 'live.js');
  t.match(paused.text, /Watch live/);

  // The headers of its script's requests.
  const byScript = {
    accept: '*/*',
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'empty',
  };
  t.same(rowsOf(await person.get(`${path}?status=2xx`, byScript)), rowsOf(page));
  t.equal((await person.get('console/missing/journal/', byScript)).status, 404);
  const closed = await startService(t, {
    admin: { ...admin, journalBytes: 1 << 24, access: { ...admin.access, token: 'correct-horse' } },
  });
  t.equal((await openConsole(closed).get(path, byScript)).status, 403, 'without a session');
  t.equal((await person.get(path, { ...byScript, 'sec-fetch-site': 'cross-site' })).status, 403);
});

await test('an exchange is shown in full', async (t) => {
  const service = await startService(t);
  await service.request('POST', list, { as: 'alice', json: entry });
  const page = await showLast(service);
  t.equal(page.status, 200);
  t.same(textsOf(page, '#exchange'), [`POST ${list}`]);
  t.match(page.text, /201 Created/);
  t.match(page.text, /Content-Type: application\/json/);
  t.match(page.text, /authorization: a token of alice/);
  t.match(
    page.elements.find(({ name }) => name === 'article')?.text,
    /"notification": "RepositoryNotification",\n {2}"scope": 10/,
  );
  const [curl = '', javascript = '', python = ''] = copied(page);
  t.equal(
    curl,
    [
      `curl -X POST '${service.url}${list}'`,
      `-H 'Authorization: Token wlu_alice_public_sample_token_0000000000'`,
      `-H 'Content-Type: application/json'`,
      `--data-raw '{"notification":"RepositoryNotification","scope":10,"frequency":1}'`,
    ].join(' \\\n  '),
  );
  const match = {
    method: 'POST',
    path: list,
    user: 'alice',
    body: { notification: 'RepositoryNotification', scope: 10, frequency: 1 },
    status: 201,
  };
  t.equal(javascript, `await box.requests.expect(${JSON.stringify(match, null, 2)});`);
  t.equal(python, `sandbox.requests.expect(**${JSON.stringify(match, null, 2)})`);
  await runCurl(curl);
  const again = await showLast(service);
  t.match(again.text, /400 Bad Request/, 'sent again, the same subscription is refused');
});

await test('a path that clients and servers might resolve is sent as it was', async (t) => {
  const service = await startService(t);
  await service.request('PUT', '/_understudy/sandboxes/victim');
  for (const target of [
    '/api/../_understudy/sandboxes/victim',
    '/api/%2e%2E/_understudy/sandboxes/victim',
    '/api/users/alice/./notifications/.',
    '/api/users/..\\..\\_understudy\\sandboxes\\victim',
    '/api/users/[a-b]{c,d}/?x=[1-2]',
    '/api//users/"|^`<>/',
  ]) {
    const sent = `DELETE ${target}`;
    t.equal((await service.request('DELETE', target, { as: 'alice' })).status, 404, sent);
    const page = await showLast(service);
    t.same(textsOf(page, '#exchange'), [sent]);
    await service.request('GET', '/api/');
    t.equal((await runCurl(copied(page)[0] ?? '')).status, 404);
    t.same(textsOf(await showLast(service), '#exchange'), [sent], 'the same request again');
  }
  t.equal((await service.request('GET', '/_understudy/sandboxes/victim')).status, 200);
});

await test('the page says what the journal doesn’t keep', async (t) => {
  const service = await startService(t);
  const send = (body: string | Buffer, type?: string) =>
    service.request('POST', list, {
      as: 'bob',
      body,
      ...(type !== undefined && { headers: { 'content-type': type } }),
    });
  await send(JSON.stringify({ notification: 'x'.repeat(3000) }), 'application/json');
  const long = await showLast(service);
  t.match(long.text, /The body is left out\. Only the first 2000 characters of the body are kept\./);
  t.notMatch(copied(long).join(), 'xxx');

  await send(Buffer.from([0xff, 0x00]), 'text/plain');
  const binary = await showLast(service);
  t.match(binary.text, /The body is left out\. It has characters that a curl line can’t hold\./);

  await send('@/etc/passwd');
  t.match(copied(await showLast(service))[0], `-H 'Content-Type:' \\\n  --data-raw '@/etc/passwd'`);

  await service.request('GET', '/api/?token=wlu_secret_token');
  const token = await showLast(service);
  t.notMatch(token.text, 'wlu_secret');
  t.match(token.text, /put yours in place of wlu_…/);

  await send('{"a":1.0,"b":12345678901234567890}', 'application/json');
  t.match(
    textsOf(await showLast(service), '.block').join(),
    /"a":1\.0,"b":12345678901234567890/,
    'numbers as they were written',
  );
});

await test('requests that reached no sandbox have a page', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  t.match((await person.get('')).text, /href="[^"]*_understudy\/console\/all\/journal\/">Requests of all sandboxes/);
  t.equal(rowsOf(await person.get('console/all/journal/')).length, 0);
  await service.request('GET', '/sandboxes/nowhere/api/?page=2');
  const page = await person.get('console/all/journal/');
  t.match(rowsOf(page), [/GET \/sandboxes\/nowhere\/api\/\?page=2 No sandbox is named nowhere\. 404.* none$/]);
  const [, id] = /_understudy\/console\/all\/journal\/([0-9a-f]{8}-\d+)\//.exec(page.text) ?? [];
  const exchange = await person.get(`console/all/journal/${id}/`);
  t.equal(exchange.status, 200);
  t.match(copied(exchange), [`curl '${service.url}/sandboxes/nowhere/api/?page=2'`]);
  t.equal(
    (await person.post('console/all/journal/clear/')).headers['location'],
    `${service.url}/_understudy/console/all/journal/`,
  );
  t.equal(rowsOf(await person.get('console/all/journal/')).length, 0);
});

await test('the API lists the requests of all sandboxes, and those that reached none', async (t) => {
  const service = await startService(t);
  await service.request('PUT', '/_understudy/sandboxes/mine');
  await service.request('GET', '/sandboxes/mine/api/');
  await service.request('GET', '/sandboxes/mime/api/');
  await service.request('POST', list, { as: 'alice', json: entry });
  await service.request('GET', '/api/nowhere/');
  const listAll = async (query = '') => {
    const { status, json } = await service.request('GET', `/_understudy/requests${query}`);
    t.equal(status, 200);
    const { requests } = json as { requests: { sandbox: string | null; path: string }[] };
    return requests.map(({ sandbox, path: of }) => `${sandbox} ${of}`);
  };
  const all = ['mine /api/', 'null /sandboxes/mime/api/', `default ${list}`, 'default /api/nowhere/'];
  t.same(await listAll(), all);
  t.same(await listAll('?limit=2'), all.slice(2));
  t.same(await listAll('?sandbox=mine'), all.slice(0, 1));
  t.same(await listAll('?sandbox=-'), all.slice(1, 2));
  t.same(await listAll('?sandbox=nowhere'), []);
  t.same(await listAll('?status=4xx&method=get'), [all[1], all[3]]);
  t.match((await service.request('GET', '/_understudy/sandboxes/default/requests/counts')).json, {
    '0xx': 0,
    '2xx': 1,
    '4xx': 1,
    '5xx': 0,
  });
  t.equal((await service.request('GET', '/_understudy/sandboxes/nowhere/requests/counts')).status, 404);
  t.equal((await service.request('GET', '/_understudy/requests/')).status, 404, 'no second thing');
  t.equal((await service.request('DELETE', '/_understudy/requests')).status, 204);
  t.same(await listAll(), [all[0], all[2], all[3]], 'those of sandboxes stay');
});

await test('the page shows what was dropped, and the reason of an answer', async (t) => {
  const journalBounds = { entries: 2, headBytes: 1 << 20, bodyBytes: 100 };
  const service = await startService(t, { admin: { ...admin, journalBytes: 1 << 20 }, journalBounds });
  await service.request('GET', '/api/');
  await service.request('POST', list, { as: 'alice', json: { ...entry, scope: 7 } });
  await service.request('GET', '/api/changes/', { headers: { accept: 'text/html', origin: service.url } });
  const page = await openConsole(service).get(`${path}?from=all`);
  t.match(page.text, /The journal has dropped 1 older request and the bodies of 1 other\./);
  t.match(page.text, /Weblate serves changes; Understudy doesn’t mirror that\./);
  t.match(page.text, /sent by a page/);
  t.match(page.text, /scope: /);
  const [, , id] = /journal\/([0-9a-f]{8}-\d+)\/[^]*journal\/([0-9a-f]{8}-\d+)\//.exec(page.text) ?? [];
  const exchange = await openConsole(service).get(`${path}${id}/`);
  t.match(exchange.text, /The journal has dropped the body\./);
  t.match(exchange.text, /The body is left out\. The journal has dropped the body\./);
});

await test('unknown sandboxes and requests are 404', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  await service.request('GET', '/api/');
  for (const missing of ['console/missing/journal/', `${path}1/`, `${path}0123abcd-1/`])
    t.equal((await person.get(missing)).status, 404, missing);
  t.equal((await person.post('console/missing/journal/clear/')).status, 404);
  t.equal((await person.post(`${path}clear/`, {}, { origin: 'https://evil.example' })).status, 403);
  t.equal(rowsOf(await person.get(path)).length, 1);
});

await test('a service without a journal says so', async (t) => {
  const service = await startService(t, { admin: { ...admin, journalBytes: 0 } });
  await service.request('GET', '/api/');
  const page = await openConsole(service).get(path);
  t.equal(page.status, 200);
  t.match(copied(page), ['env -u UNDERSTUDY_JOURNAL_BYTES npx weblate-understudy serve']);
});

await test('all requests are listed while the database is away', async (t) => {
  const service = await startService(t);
  await service.request('GET', '/api/');
  await service.request('GET', '/sandboxes/nowhere/api/');
  const person = openConsole(service);
  await person.get('console/all/journal/');
  await service.database.close();
  const page = await person.get('console/all/journal/');
  t.equal(page.status, 200);
  t.match(rowsOf(page), [/GET \/sandboxes\/nowhere\/api\/ No sandbox is named nowhere\./, /GET \/api\/ 200/]);
  const [, id] = /_understudy\/console\/all\/journal\/([0-9a-f]{8}-\d+)\//.exec(page.text) ?? [];
  t.equal((await person.get(`console/all/journal/${id}/`)).status, 200);
  const ofSandbox = await person.get(path);
  t.equal(ofSandbox.status, 503, 'whether a sandbox is there, only the database knows');
});

await test('a text is searched for in all of a request and its answer, but not in tokens', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  await service.request('POST', list, { as: 'alice', json: entry, headers: { 'x-marked': 'Violet' } });
  await service.request('GET', '/api/users/nobody-of-this-name/notifications/', { as: 'bob' });
  await service.request('GET', '/api/nowhere/');
  const find = async (text: string) => rowsOf(await person.get(`${path}?text=${encodeURIComponent(text)}`)).length;
  const own = '/_understudy/sandboxes/default/requests';
  for (const [text, count] of [
    ['RepositoryNotif', 1],
    ['violet', 1],
    ['x-marked: v', 1],
    ['nobody-OF', 1],
    ['bob', 1],
    ['No such', 0],
    ['wlu_alice', 0],
    ['/api/', 3],
  ] as const) {
    t.equal(await find(text), count, text);
    const { json } = await service.request('GET', `${own}?text=${encodeURIComponent(text)}`);
    t.equal((json as { requests: unknown[] }).requests.length, count, 'over HTTP');
  }
});

await test('a rule is made by fields: the third write fails, and the page of a request begins one', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  const strip = async () => textsOf(await person.get(path), '.notice').join();
  const rule = { 'match.method': 'post, patch', 'match.path': '/api/**', status: '503', skip: '2', next: '1' };
  t.equal((await person.post('console/default/faults/add/', rule)).status, 303);
  t.match(await strip(), /503 on POST\|PATCH \/api\/\*\*, the third one · not hit yet, ends at/);
  const write = async () =>
    (await service.request('POST', list, { as: 'alice', json: { ...entry, scope: 30 } })).status;
  t.same([await write(), await write(), await write(), await write()], [400, 400, 503, 400]);
  const wrong = await person.post('console/default/faults/add/', {
    'match.method': 'PSOT',
    status: 'no',
    delay_ms: '',
  });
  t.equal(wrong.status, 400);
  for (const [field, error] of [
    ['match.method', /did you mean POST/],
    ['status', /whole number from 200 to 599/],
  ] as const) {
    const input = wrong.elements.find(({ attributes }) => attributes.get('id') === field);
    t.equal(input?.attributes.get('aria-invalid'), 'true');
    t.match(textsOf(wrong, `#${field}-error`).join(), error);
  }
  const idle = await person.post('console/default/faults/add/', { status: '' });
  t.match(textsOf(idle, '#status-error').join(), 'Does nothing');
  const shown = await showLast(service);
  const href = shown.elements.find(({ text }) => text === 'Fail this next time')?.attributes.get('href') ?? '';
  const begun = await person.get(href.replace(`${service.url}/_understudy/`, ''));
  const values = Object.keys(rule).map((name) =>
    begun.elements.find(({ attributes }) => attributes.get('id') === name)?.attributes.get('value'),
  );
  t.same(values, ['POST', list, '503', '', '1']);
  // The third one was the last: what the rule did is told for five minutes.
  const ended = textsOf(await person.get('console/default/faults/'), '.rows').join();
  t.match(ended, /503 on POST\|PATCH \/api\/\*\*, the third one.*hit once, ended at \d\d:\d\d:\d\d UTC/);
  await service.request('DELETE', '/_understudy/sandboxes/default/faults');
  t.same(textsOf(await person.get('console/default/faults/'), '#ended'), [], 'a rule that was removed didn’t end');
});

await test('a preset fills the fields, and keeps what they don’t show', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  const faults = await person.get('console/default/faults/');
  for (const { rule } of presets) {
    const { name } = rule;
    const link = faults.elements.find(({ attributes }) =>
      attributes.get('href')?.includes(encodeURIComponent(JSON.stringify(name)).replaceAll('%20', '+')),
    );
    const filled = await person.get(link?.attributes.get('href')?.replace(`${service.url}/_understudy/`, '') ?? '');
    const fields = filled.elements.flatMap(({ name: tag, attributes }) => {
      const field = attributes.get('name') ?? '';
      const isOfRule = tag === 'input' && (attributes.has('id') || field === 'base');
      return isOfRule ? [[field, attributes.get('value') ?? ''] as const] : [];
    });
    t.equal(
      (await person.post('console/default/faults/add/', { ...Object.fromEntries(fields), skip: '1' })).status,
      303,
    );
    const [added] = (await service.request('GET', '/_understudy/sandboxes/default/faults')).json as object[];
    t.match(added, { ...rule, skip: 1 });
  }
});

await test('from an exchange one goes on in the filtered list, and to what its reason names', async (t) => {
  const service = await startService(t);
  await service.request('PUT', '/_understudy/sandboxes/mine');
  for (const wanted of ['bob', 'nobody', 'alice', 'no-one'])
    await service.request('GET', `/api/users/${wanted}/notifications/`, { as: 'bob' });
  const person = openConsole(service);
  const hrefOf = ({ elements }: Shown, label: string) =>
    elements
      .find(({ name, text }) => name === 'a' && text === label)
      ?.attributes.get('href')
      ?.replace(`${service.url}/_understudy/`, '');
  const listed = await person.get(`${path}?status=4xx`);
  const [, first = ''] = /journal\/([0-9a-f-]+\/\?status=4xx)"/.exec(listed.text) ?? [];
  const newest = await person.get(path + first);
  t.match(newest.text, 'no-one');
  t.equal(hrefOf(newest, 'Open in a form'), undefined, 'a GET has no form');
  t.equal(hrefOf(newest, 'Next'), undefined);
  const before = await person.get(hrefOf(newest, 'Previous') ?? '');
  t.match(textsOf(before, '#exchange'), [/nobody|alice/]);
  t.equal(hrefOf(before, 'All requests'), `${path}?status=4xx`);
  t.equal(hrefOf(before, 'Next'), path + first);

  await service.request('GET', '/api/user/bob/', { as: 'bob' });
  const rules = [{ name: 'away', status: 503, next: 1 }];
  await service.request('PUT', '/_understudy/sandboxes/default/faults', { json: { rules } });
  await service.request('GET', '/api/');
  await service.request('GET', '/sandboxes/mime/api/');
  const rows = await person.get(path);
  t.equal(hrefOf(rows, '/api/users/bob/'), `${service.url}/api/users/bob/`);
  t.equal(hrefOf(rows, 'away'), 'console/default/faults/');
  const [, stray = ''] =
    /console\/(all\/journal\/[0-9a-f-]+\/)/.exec((await person.get('console/all/journal/')).text) ?? [];
  const neighbour = await person.get(hrefOf(await person.get(`console/${stray}`), 'Previous') ?? '');
  t.equal(neighbour.status, 200, 'of another sandbox, in its journal');
  t.match((await person.get('console/all/journal/')).text, /did you mean <a href="[^"]*\/console\/mine\/">mine<\/a>/);
});
