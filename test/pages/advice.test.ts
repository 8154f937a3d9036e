// What browsable pages say first: what a request did, and what to do where it was refused.
import { t as file, test } from 'tap';
import { type Ask, type Service, startService } from '../support/service.ts';
import { type Element, parse } from '../support/markup.ts';

const accept = 'text/html';
const entry = { notification: 'LockNotification', scope: 20, frequency: 1 };

async function pageOf(service: Service, method: string, path: string, ask: Ask = {}): Promise<Element[]> {
  const { text } = await service.request(method, path, { ...ask, headers: { accept, ...ask.headers } });
  return parse(text);
}

/** Each line above the exchange, and where it leads. */
async function noticesOf(service: Service, method: string, path: string, ask?: Ask) {
  const elements = await pageOf(service, method, path, ask);
  return elements
    .filter(({ name, parent }) => name === 'p' && parent?.attributes.get('class')?.startsWith('notice ') === true)
    .map((line) => {
      const link = elements.find(({ parent }) => parent === line)?.attributes.get('href');
      return [line.text, ...(link === undefined ? [] : [link.replace(service.url, '')])];
    });
}

const shared = await startService(file);

await test('paths that are not served', async (t) => {
  const of = (path: string) => noticesOf(shared, 'GET', path);
  t.same(await of('/api/users/alice?format=api&a=1'), [
    ['Not found.'],
    ['The path lacks its final slash; did you mean /api/users/alice/', '/api/users/alice/?format=api&a=1'],
  ]);
  t.same(await of('/api/units/1/'), [
    ['Not found.'],
    ['Weblate serves units; Understudy doesn’t mirror that. What is served: the API root', '/api/'],
  ]);
  t.same(await of('/api/user/alice/notification/'), [
    ['Not found.'],
    ['Nothing is served at this path; did you mean /api/users/alice/notifications/', '/api/users/alice/notifications/'],
  ]);
  t.same((await of('/api/xyzzy/'))[1], ['Nothing is served at this path. What is served: the API root', '/api/']);
  t.same((await of('/sandboxes/default/api/users'))[1]?.[1], '/sandboxes/default/api/users/', 'within the sandbox');
});

await test('what a served path lacks', async (t) => {
  const of = (path: string) => noticesOf(shared, 'GET', path);
  t.same(await of('/api/groups/99/'), [['Not found.'], ['What there is: Groups', '/api/groups/']]);
  t.same(await of('/api/users/?page=99'), [['Invalid page.'], ['The first page: Users', '/api/users/']]);
  for (const path of ['/sandboxes/none/api/users/', '/sandboxes/none/'])
    t.same(await of(path), [['No sandbox is named "none".'], ['It may have expired. The console makes a new one.']]);
  const groups = '/api/users/alice/groups/';
  t.same(await of(groups), [['Method "GET" not allowed.'], ['The forms below send what the path takes.']]);
});

/** Whom the notice offers to act as, and where each choice leads. */
async function othersOf(service: Service, method: string, path: string, ask?: Ask) {
  const elements = await pageOf(service, method, path, ask);
  const isNotice = (element?: Element) => element?.attributes.get('class')?.startsWith('notice ') === true;
  const form = elements.find(({ name, parent }) => name === 'form' && isNotice(parent));
  const within = elements.filter(({ parent }) => form !== undefined && parent === form);
  const valuesOf = (name: string) =>
    within.filter((one) => one.attributes.get('name') === name).map((one) => one.attributes.get('value'));
  return [...valuesOf('act_as'), ...valuesOf('next').map((next) => next?.replace(service.url, ''))];
}

await test('who may do it', async (t) => {
  const list = '/api/users/alice/notifications/';
  const back = ['Back to Notifications', list];
  t.same(await noticesOf(shared, 'POST', list, { json: entry }), [
    ['Authentication credentials were not provided.'],
    back,
  ]);
  t.same((await noticesOf(shared, 'POST', list, { json: entry, as: 'bob' })).slice(1), [
    back,
    ['bob may not do this.'],
  ]);
  const readOnly = await noticesOf(shared, 'DELETE', '/api/roles/2/', { as: 'admin' });
  t.match(readOnly[0]?.[0], 'read-only here');
  t.same(readOnly.slice(1), [['Back to 2', '/api/roles/2/']], 'another user could not do it either');
  const strict = await startService(t, { anonymous: 'strict' });
  t.same((await noticesOf(strict, 'GET', list))[1], ['Requests without a user find no users here.']);
  const closed = await startService(t, { seed: null });
  t.match(
    (await noticesOf(closed, 'POST', '/api/users/', { json: {} })).at(-1),
    ['Choose another user in the header of the page.'],
    'where no user has a public token',
  );
});

await test('a page that is refused offers the same page as its owner, as a superuser and as nobody', async (t) => {
  const list = '/api/users/alice/notifications/';
  const of = (method: string, path: string, ask?: Ask) => othersOf(shared, method, path, ask);
  t.same(await of('GET', `${list}?page_size=2`, { as: 'bob' }), ['alice', 'admin', '', `${list}?page_size=2`]);
  t.same(await of('POST', list, { json: entry }), ['alice', 'admin', list], 'nobody may not write');
  t.same(await of('POST', list, { json: entry, as: 'alice' }), [], 'it was not refused');
  t.same(await of('GET', '/api/users/nobody/', { as: 'bob' }), ['admin', '', '/api/users/nobody/']);
  t.same(await of('GET', '/api/users/nobody/', { as: 'admin' }), [], 'what a superuser does not find is not there');
  t.same(await of('GET', '/api/units/1/'), [], 'nor is a path that is not served');
  t.same(await of('DELETE', '/api/groups/2/', { as: 'admin' }), [], 'nor may anybody change what is read-only');
  t.same(await othersOf(await startService(t, { anonymous: 'strict' }), 'GET', list), ['alice', 'admin', list]);
  t.same(await othersOf(await startService(t, { anonymous: 'write' }), 'POST', list, { json: entry, as: 'bob' }), [
    'alice',
    'admin',
    '',
    list,
  ]);
});

await test('what a request did', async (t) => {
  const service = await startService(t);
  const list = '/api/users/alice/notifications/';
  const of = (method: string, path: string, json?: unknown) =>
    noticesOf(service, method, path, { as: 'admin', ...(json !== undefined && { json }) });
  const [[created, href = ''] = []] = await of('POST', list, entry);
  t.match(created, /^Created: id \d+$/);
  t.ok(href.startsWith(list), href);
  t.same(await of('PATCH', href, { frequency: 2 }), [['Saved.']]);
  t.same(await of('DELETE', href), [['Deleted. Back to Notifications', list]]);
  const person = { username: 'jérôme', full_name: 'J', email: 'j@example.com' };
  t.same(await of('POST', '/api/users/', person), [['Created: username jérôme', '/api/users/j%C3%A9r%C3%B4me/']]);
  t.same(await of('POST', '/api/users/alice/groups/', { group_id: 2 }), [['Done.']]);
  t.same(await of('GET', list), [], 'nothing on a page that was only read');
});

await test('what lies below an entry', async (t) => {
  const linksOf = async (path: string) => {
    const elements = await pageOf(shared, 'GET', path);
    const isBelow = ({ attributes, parent }: Element): boolean =>
      attributes.get('aria-label') === 'Below' || (parent !== undefined && isBelow(parent));
    return elements
      .filter((element) => element.name === 'a' && isBelow(element))
      .map(({ text, attributes }) => [text, attributes.get('href')?.replace(shared.url, '')]);
  };
  t.same(
    await linksOf('/sandboxes/default/api/users/alice/'),
    ['groups', 'statistics', 'contributions', 'notifications'].map((name) => [
      name.charAt(0).toUpperCase() + name.slice(1),
      `/sandboxes/default/api/users/alice/${name}/`,
    ]),
  );
  t.same(await linksOf('/api/users/'), []);
  t.same(await linksOf('/api/units/1/'), []);
});
