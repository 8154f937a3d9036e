// The page that answers a form: it shows the sent values again, with each error at its field. Also the initial forms of
// pages.
import { test } from 'tap';
import { type Ask, type Service, startService } from '../support/service.ts';
import { type Element, parse } from '../support/markup.ts';

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

const faultsIn = (elements: readonly Element[]) =>
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

await test('the initial forms of a page', async (t) => {
  const service = await startService(t);
  const ofEntry = bodiesIn(await pageOf(service, 'GET', `${list}3/`, {}));
  const { json } = await service.request('GET', `${list}3/`);
  const { notification, scope, frequency } = json as Record<string, unknown>;
  t.same(JSON.parse(ofEntry['put'] ?? ''), { notification, scope, frequency }, 'PUT has the entry’s own values');
  t.equal(ofEntry['patch'], '{}', 'PATCH is empty at first');
  t.notOk('delete' in ofEntry);
  t.same(Object.keys(bodiesIn(await pageOf(service, 'GET', '/api/users/alice/groups/', {}))), ['post', 'delete']);
  t.same(
    bodiesIn(await pageOf(service, 'GET', '/api/users/alice/statistics/', {})),
    {},
    'a read-only path has no forms',
  );
  t.same(bodiesIn(await pageOf(service, 'GET', '/api/users/nobody/', {})), {}, 'nor has a missing user');
  t.same(bodiesIn(await pageOf(service, 'OPTIONS', list, {})), {});
});

await test('the initial POST body is valid', async (t) => {
  const service = await startService(t);
  for (let times = 0; times < 3; times++) {
    const body = bodiesIn(await pageOf(service, 'GET', list, {}))['post'] ?? '';
    const answer = await service.request('POST', list, { as: 'alice', json: JSON.parse(body) });
    t.equal(answer.status, 201, `${body} ${answer.text}`);
  }
});

await test('errors are shown at their fields, with the sent values', async (t) => {
  const service = await startService(t);
  const sent = { username: 'new', email: 'no-address', is_bot: true, more: 'kept' };
  const elements = await pageOf(service, 'POST', '/api/users/', { json: sent });
  t.same(faultsIn(elements), [
    ['post-email-fault', 'Enter a valid e-mail address.'],
    ['post-full_name-fault', 'This field is required.'],
  ]);
  t.equal(valueOf(elements, 'post-email'), 'no-address');
  t.equal(valueOf(elements, 'post-full_name'), '');
  t.ok(elements.find(({ attributes }) => attributes.get('id') === 'post-is_bot')?.attributes.has('checked'));
  t.equal(bodiesIn(elements)['post'], JSON.stringify(sent), 'exactly what was sent, unknown fields included');
});

await test('errors without a field are above the form', async (t) => {
  const service = await startService(t);
  const { json } = await service.request('GET', `${list}1/`);
  const { notification, scope, frequency } = json as Record<string, unknown>;
  const elements = await pageOf(service, 'POST', list, { json: { notification, scope, frequency } });
  t.equal(faultsIn(elements).length, 1);
  t.equal(faultsIn(elements)[0]?.[0], undefined);
  t.match(faultsIn(elements)[0]?.[1], /unique/i);
  t.same(Object.keys(bodiesIn(elements)), ['post'], 'the one form that was sent');
});

await test('fields of an object in the body', async (t) => {
  const service = await startService(t);
  const path = '/api/users/alice/';
  const begun = await pageOf(service, 'GET', path, {});
  t.equal(valueOf(begun, 'change-profile.nearby_strings'), '15');
  t.notOk('profile' in JSON.parse(bodiesIn(begun)['put'] ?? ''), 'some of its own values would be rejected');
  t.equal(valueOf(begun, 'change-profile.suggested'), undefined, 'a read-only key has no field');
  const elements = await pageOf(service, 'PATCH', path, { json: { profile: { nearby_strings: 99 } } });
  t.same(faultsIn(elements), [
    ['change-profile.nearby_strings-fault', 'Ensure this value is less than or equal to 50.'],
  ]);
  t.equal(valueOf(elements, 'change-profile.nearby_strings'), '99');
  const [fault] = faultsIn(await pageOf(service, 'PATCH', path, { json: { profile: { watched: 1 } } }));
  t.equal(fault?.[0], undefined, 'a key without a field is named above the form');
  t.match(fault?.[1], /^profile\.watched: /);
});

await test('invalid JSON, and JSON with invisible characters', async (t) => {
  const service = await startService(t);
  const broken = '\n{"scope": 10,\n<script>';
  const elements = await sendText(service, 'POST', list, broken);
  t.equal(bodiesIn(elements)['post'], broken, 'including the empty first line');
  t.match(faultsIn(elements)[0]?.[1], 'JSON parse error');
  const turned = JSON.stringify({ notification: '\u202ex', scope: 10 });
  const shown = bodiesIn(await sendText(service, 'POST', list, turned))['post'] ?? '';
  t.match(shown, '\\u202e');
  t.same(JSON.parse(shown), JSON.parse(turned));
});

await test('a body that is not an object has no fields; foreign forms are not shown', async (t) => {
  const service = await startService(t);
  t.same(bodiesIn(await sendText(service, 'POST', list, '[1]')), { post: '[1]' });
  const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
  const { text } = await service.request('POST', list, { as: 'admin', body: 'scope=x', headers });
  t.match(bodiesIn(parse(text))['post'], 'RepositoryNotification', 'the initial form');
});

await test('a response without the entry has no form that needs the entry', async (t) => {
  const service = await startService(t);
  t.same(Object.keys(bodiesIn(await pageOf(service, 'PUT', `${list}3/`, { json: {} }))), ['put']);
  t.same(Object.keys(bodiesIn(await pageOf(service, 'PATCH', `${list}3/`, { json: { frequency: 2 } }))), [
    'patch',
    'put',
  ]);
  t.same(bodiesIn(await pageOf(service, 'DELETE', `${list}3/`, {})), {});
});
