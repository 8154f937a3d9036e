// Forms with content: the page that answers one shows the sent values again, with each error at its field; and a request of the journal
// opens in one.
import { t as file, test } from 'tap';
import { adminOptions, readConfiguration } from '../../src/service/config/config.ts';
import type { JournalEntry } from '../../src/traffic/entry.ts';
import { type Element, parse } from '../support/markup.ts';
import { type Ask, type Service, startService } from '../support/service.ts';

const list = '/api/users/alice/notifications/';

async function pageOf(service: Service, method: string, path: string, ask: Ask): Promise<Element[]> {
  return parse((await service.request(method, path, { as: 'admin', ...ask, headers: { accept: 'text/html' } })).text);
}

/** The JSON body of each form. */
const bodiesIn = (elements: readonly Element[]) =>
  Object.fromEntries(
    elements
      .filter(({ attributes }) => attributes.get('class') === 'json')
      .map(({ text, attributes }) => [attributes.get('id')?.replace('-body', ''), text.replace(/^\n/, '')]),
  );

const errorsIn = (elements: readonly Element[]) =>
  elements
    .filter(({ parent }) => parent?.attributes.get('class')?.endsWith('wrong') === true)
    .map(({ text, parent }) => [parent?.attributes.get('id'), text]);

const valueOf = (elements: readonly Element[], id: string) =>
  elements.find(({ attributes }) => attributes.get('id') === id)?.attributes.get('value');

/** Sends JSON as a page does; the text may be invalid. */
const sendText = (service: Service, method: string, path: string, body: string) =>
  service
    .request(method, path, { as: 'admin', body, headers: { accept: 'text/html', 'content-type': 'application/json' } })
    .then(({ text }) => parse(text));

const shared = await startService(file);

await test('the initial forms of a page', async (t) => {
  const ofEntry = bodiesIn(await pageOf(shared, 'GET', `${list}3/`, {}));
  const { json } = await shared.request('GET', `${list}3/`);
  const { notification, scope, frequency } = json as Record<string, unknown>;
  t.same(JSON.parse(ofEntry['put'] ?? ''), { notification, scope, frequency }, 'PUT has the entry’s own values');
  t.equal(ofEntry['patch'], '{}', 'PATCH is empty at first');
  t.notOk('delete' in ofEntry);
  t.same(Object.keys(bodiesIn(await pageOf(shared, 'GET', '/api/users/alice/groups/', {}))), ['post', 'delete']);
  t.same(
    bodiesIn(await pageOf(shared, 'GET', '/api/users/alice/statistics/', {})),
    {},
    'a read-only path has no forms',
  );
  t.same(bodiesIn(await pageOf(shared, 'GET', '/api/users/nobody/', {})), {}, 'nor has a missing user');
  t.same(bodiesIn(await pageOf(shared, 'OPTIONS', list, {})), {});
});

await test('the initial POST body is valid', async (t) => {
  for (let times = 0; times < 3; times++) {
    const body = bodiesIn(await pageOf(shared, 'GET', list, {}))['post'] ?? '';
    const answer = await shared.request('POST', list, { as: 'alice', json: JSON.parse(body) });
    t.equal(answer.status, 201, `${body} ${answer.text}`);
  }
});

await test('errors are shown at their fields, with the sent values', async (t) => {
  const sent = { username: 'new', email: 'no-address', is_bot: true, more: 'kept' };
  const elements = await pageOf(shared, 'POST', '/api/users/', { json: sent });
  t.same(errorsIn(elements), [
    ['post-email-error', 'Enter a valid e-mail address.'],
    ['post-full_name-error', 'This field is required.'],
  ]);
  t.equal(valueOf(elements, 'post-email'), 'no-address');
  t.equal(valueOf(elements, 'post-full_name'), '');
  const invalid = elements.filter(({ attributes }) => attributes.get('aria-invalid') === 'true');
  t.same(
    invalid.map(({ attributes }) => attributes.get('aria-describedby')),
    ['post-email-error post-email-hint', 'post-full_name-error post-full_name-hint'],
  );
  t.ok(elements.find(({ attributes }) => attributes.get('id') === 'post-is_bot')?.attributes.has('checked'));
  t.equal(bodiesIn(elements)['post'], JSON.stringify(sent), 'exactly what was sent, unknown fields included');
});

await test('errors without a field are above the form', async (t) => {
  const { json } = await shared.request('GET', `${list}1/`);
  const { notification, scope, frequency } = json as Record<string, unknown>;
  const elements = await pageOf(shared, 'POST', list, { json: { notification, scope, frequency } });
  t.equal(errorsIn(elements).length, 1);
  t.equal(errorsIn(elements)[0]?.[0], undefined);
  t.match(errorsIn(elements)[0]?.[1], /unique/i);
  t.same(Object.keys(bodiesIn(elements)), ['post'], 'the one form that was sent');
});

await test('fields of an object in the body', async (t) => {
  const path = '/api/users/alice/';
  const begun = await pageOf(shared, 'GET', path, {});
  t.equal(valueOf(begun, 'change-profile.nearby_strings'), '15');
  t.notOk('profile' in JSON.parse(bodiesIn(begun)['put'] ?? ''), 'some of its own values would be rejected');
  t.equal(valueOf(begun, 'change-profile.suggested'), undefined, 'a read-only key has no field');
  const elements = await pageOf(shared, 'PATCH', path, { json: { profile: { nearby_strings: 99 } } });
  t.same(errorsIn(elements), [
    ['change-profile.nearby_strings-error', 'Ensure this value is less than or equal to 50.'],
  ]);
  t.equal(valueOf(elements, 'change-profile.nearby_strings'), '99');
  const [error] = errorsIn(await pageOf(shared, 'PATCH', path, { json: { profile: { watched: 1 } } }));
  t.equal(error?.[0], undefined, 'a key without a field is named above the form');
  t.match(error?.[1], /^profile\.watched: /);
});

await test('invalid JSON, and JSON with invisible characters', async (t) => {
  const broken = '\n{"scope": 10,\n<script>';
  const elements = await sendText(shared, 'POST', list, broken);
  t.equal(bodiesIn(elements)['post'], broken, 'including the empty first line');
  t.match(errorsIn(elements)[0]?.[1], 'JSON parse error');
  const turned = JSON.stringify({ notification: '\u202ex', scope: 10 });
  const shown = bodiesIn(await sendText(shared, 'POST', list, turned))['post'] ?? '';
  t.match(shown, '\\u202e');
  t.same(JSON.parse(shown), JSON.parse(turned));
});

await test('a body that is not an object has no fields; foreign forms are not shown', async (t) => {
  t.same(bodiesIn(await sendText(shared, 'POST', list, '[1]')), { post: '[1]' });
  const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
  const { text } = await shared.request('POST', list, { as: 'admin', body: 'scope=x', headers });
  t.match(bodiesIn(parse(text))['post'], 'RepositoryNotification', 'the initial form');
});

await test('a response without the entry has no form that needs the entry', async (t) => {
  t.same(Object.keys(bodiesIn(await pageOf(shared, 'PUT', `${list}3/`, { json: {} }))), ['put']);
  t.same(Object.keys(bodiesIn(await pageOf(shared, 'PATCH', `${list}3/`, { json: { frequency: 2 } }))), [
    'patch',
    'put',
  ]);
  t.same(bodiesIn(await pageOf(shared, 'DELETE', `${list}3/`, {})), {});
});

// A request of the journal in a form of its page: what a person corrects and sends again. Also what the journal keeps of
// a form.

const wrong = { notification: 'LockNotification', scope: 99, frequency: 1 };

async function lastEntry(service: Service, sandbox = 'default'): Promise<JournalEntry> {
  const { json } = await service.request('GET', `/_understudy/sandboxes/${sandbox}/requests?limit=1`, admin);
  return (json as { requests: JournalEntry[] }).requests[0] as JournalEntry;
}

const admin: Ask = { token: 'admin-token' };

/** The page of a path that is asked to open an entry. */
async function open(service: Service, path: string, id: string, ask: Ask = {}): Promise<Element[]> {
  const { text } = await service.request('GET', `${path}?understudy_entry=${id}`, {
    ...ask,
    headers: { accept: 'text/html', ...ask.headers },
  });
  return parse(text);
}

const noticeIn = (elements: readonly Element[]) =>
  elements.find(({ attributes }) => attributes.get('class')?.startsWith('notice '))?.text.trim();

await test('a form begins with the body of a request, exactly as it was sent', async (t) => {
  const service = await startService(t);
  const body = '{"notification": "LockNotification", "scope": 1.0,  "frequency": 1}';
  await service.request('POST', list, { as: 'alice', body, headers: { 'content-type': 'application/json' } });
  const { id } = await lastEntry(service);
  const elements = await open(service, list, id, { as: 'alice' });
  t.equal(bodiesIn(elements)['post'], body);
  const details = elements.find(({ name, attributes }) => name === 'details' && attributes.has('open'));
  t.match(details?.text, `From the request ${id}.`);
  const request = elements.find(({ attributes }) => attributes.get('class') === 'request');
  t.equal(request?.text, `GET ${list}`, 'the page’s request is shown without it');
  const addresses = elements.flatMap(({ name, attributes }) =>
    [attributes.get(name === 'form' ? 'action' : 'href') ?? ''].filter((one) => one.includes('understudy_entry')),
  );
  t.same(addresses, [], 'and no form or link of it has it');
  const next = elements.find(({ attributes }) => attributes.get('name') === 'next');
  t.match(next?.attributes.get('value'), `understudy_entry=${id}`, 'but the choice of another user keeps it');
});

await test('a change opens in the form of its method alone, a form’s body as JSON', async (t) => {
  const service = await startService(t);
  const path = `${list}1/`;
  await service.request('PATCH', path, {
    as: 'alice',
    body: 'frequency=4&scope=10',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const elements = await open(service, path, (await lastEntry(service)).id, { as: 'alice' });
  t.same(JSON.parse(bodiesIn(elements)['patch'] ?? ''), { frequency: '4', scope: '10' });
  t.equal(bodiesIn(elements)['put'], undefined);
  t.ok(
    elements.some(({ attributes }) => attributes.get('data-method') === 'DELETE'),
    'beside the other forms',
  );
});

await test('a request that can’t be opened is named, and the forms are as usual', async (t) => {
  const service = await startService(t);
  await service.request('PUT', '/_understudy/sandboxes/ci', { json: { from: 'documented' } });
  await service.request('POST', `/sandboxes/ci${list}`, { as: 'alice', json: wrong });
  const { id } = await lastEntry(service, 'ci');
  t.equal(bodiesIn(await open(service, `/sandboxes/ci${list}`, id, { as: 'alice' }))['post'], JSON.stringify(wrong));
  for (const unknown of [id, '00000000-1', 'nonsense', '"><b>']) {
    const elements = await open(service, list, encodeURIComponent(unknown), { as: 'alice' });
    t.equal(noticeIn(elements), `The journal of this sandbox has no request ${unknown}. The forms are as usual.`);
    t.match(bodiesIn(elements)['post'], 'RepositoryNotification');
  }
  await service.request('POST', list, { as: 'alice', json: { notification: 'x'.repeat(3000) } });
  const long = await lastEntry(service);
  t.match(
    noticeIn(await open(service, list, long.id, { as: 'alice' })),
    /can’t be opened in a form\. Only the first 2000/,
  );
  await service.request('GET', list, { as: 'alice' });
  const read = await lastEntry(service);
  t.match(noticeIn(await open(service, list, read.id, { as: 'alice' })), /^This page has no form for the GET of/);
});

await test('where the journal has a token, a request opens for its sender alone', async (t) => {
  const service = await startService(t, {
    admin: adminOptions(readConfiguration({ UNDERSTUDY_ADMIN_TOKEN: 'admin-token' })),
  });
  await service.request('POST', list, { as: 'alice', json: wrong });
  const { id } = await lastEntry(service);
  t.equal(bodiesIn(await open(service, list, id, { as: 'alice' }))['post'], JSON.stringify(wrong));
  const elements = await open(service, list, id, { as: 'admin' });
  t.match(noticeIn(elements), /^Only the sender of the request .* may open it here\.\s+Try it\s+as alice$/);
  t.notMatch(bodiesIn(elements)['post'], '99');
  await service.request('POST', list, { json: wrong });
  const anonymous = await lastEntry(service);
  t.notMatch(bodiesIn(await open(service, list, anonymous.id))['post'], '99', 'nor for all who have no user');
});

await test('the journal has what a form sent, and the answer as JSON', async (t) => {
  const service = await startService(t);
  const headers = { accept: 'text/html', origin: service.url };
  const { headers: answered, json } = await service.request('POST', list, { as: 'alice', json: wrong, headers });
  t.equal(json, undefined, 'a page');
  const entry = await lastEntry(service);
  t.equal(answered['x-understudy-entry'], entry.id);
  t.match(entry, { from_page: true, status: 400, request_body: JSON.stringify(wrong) });
  t.match(JSON.parse(entry.response_body ?? ''), { type: 'validation_error' });
  await service.request('DELETE', `${list}1/`, { as: 'alice', headers });
  t.match(await lastEntry(service), { from_page: true, status: 204, response_body: null }, 'and not the page’s 200');
  const plain = await service.request('GET', list, { as: 'alice' });
  t.equal(plain.headers['x-understudy-entry'], undefined, 'only pages are told the entry');
});
