// A request of the journal in a form of its page: what a person corrects and sends again. Also what the journal keeps of
// a form.
import { test } from 'tap';
import type { JournalEntry } from '../../src/traffic/entry.ts';
import { type Element, parse } from '../support/markup.ts';
import { type Ask, type Service, startService } from '../support/service.ts';

const list = '/api/users/alice/notifications/';
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

const bodyIn = (elements: readonly Element[], method: string) =>
  elements.find(({ attributes }) => attributes.get('id') === `${method}-body`)?.text.replace(/^\n/, '');

const noticeIn = (elements: readonly Element[]) =>
  elements.find(({ attributes }) => attributes.get('class')?.startsWith('notice '))?.text.trim();

await test('a form begins with the body of a request, exactly as it was sent', async (t) => {
  const service = await startService(t);
  const body = '{"notification": "LockNotification", "scope": 1.0,  "frequency": 1}';
  await service.request('POST', list, { as: 'alice', body, headers: { 'content-type': 'application/json' } });
  const { id } = await lastEntry(service);
  const elements = await open(service, list, id, { as: 'alice' });
  t.equal(bodyIn(elements, 'post'), body);
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
  t.same(JSON.parse(bodyIn(elements, 'patch') ?? ''), { frequency: '4', scope: '10' });
  t.equal(bodyIn(elements, 'put'), undefined);
  t.ok(
    elements.some(({ attributes }) => attributes.get('data-method') === 'DELETE'),
    'beside the other forms',
  );
});

await test('a request that can’t be opened is named, and the forms begin as usual', async (t) => {
  const service = await startService(t);
  await service.request('PUT', '/_understudy/sandboxes/ci', { json: { from: 'documented' } });
  await service.request('POST', `/sandboxes/ci${list}`, { as: 'alice', json: wrong });
  const { id } = await lastEntry(service, 'ci');
  t.equal(bodyIn(await open(service, `/sandboxes/ci${list}`, id, { as: 'alice' }), 'post'), JSON.stringify(wrong));
  for (const unknown of [id, '00000000-1', 'nonsense', '"><b>']) {
    const elements = await open(service, list, encodeURIComponent(unknown), { as: 'alice' });
    t.equal(noticeIn(elements), `The journal of this sandbox has no request ${unknown}. The forms begin as usual.`);
    t.match(bodyIn(elements, 'post'), 'RepositoryNotification');
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
    admin: {
      access: { mode: 'on', token: 'admin-token', allowedHosts: [], isLocal: true },
      maxSandboxes: 10,
      journalBytes: 1 << 22,
    },
  });
  await service.request('POST', list, { as: 'alice', json: wrong });
  const { id } = await lastEntry(service);
  t.equal(bodyIn(await open(service, list, id, { as: 'alice' }), 'post'), JSON.stringify(wrong));
  const elements = await open(service, list, id, { as: 'admin' });
  t.match(noticeIn(elements), /^Only its sender may open the request .* here\.\s+Try it\s+as alice$/);
  t.notMatch(bodyIn(elements, 'post'), '99');
  await service.request('POST', list, { json: wrong });
  const anonymous = await lastEntry(service);
  t.notMatch(bodyIn(await open(service, list, anonymous.id), 'post'), '99', 'nor for all who have no user');
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
