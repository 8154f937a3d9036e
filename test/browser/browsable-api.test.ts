// The browsable API in a browser: act as a user, send forms, correct what was refused, and copy what curl would send.
import { test } from 'tap';
import { runCurl } from '../support/run-curl.ts';
import { startService } from '../support/service.ts';
import { actAs, entryAt, focused, list, openAs, openForm } from './forms.ts';
import { findFaults, openPage, skip, tabTo } from './support.ts';

await test('a form creates, shows an error, corrects it, changes and deletes', { skip }, async (t) => {
  const { service, page } = await openAs(t, 'alice', list);
  let form = await openForm(page, 'POST');
  await form
    .locator('[data-key=notification]')
    .selectOption({ label: 'The repository changed (RepositoryNotification)' });
  await form.locator('[data-key=scope]').selectOption({ label: 'Project (30), refused in a new subscription' });
  t.same(await findFaults(page), [], 'with an open form');
  await form.getByRole('button', { name: 'Send POST' }).click();

  await page.getByText('Scoped notifications require an existing target.').first().waitFor();
  t.match(await page.title(), /^400 Bad Request · Notifications of alice/);
  t.equal(await focused(page), 'post-scope', 'the first faulty field');
  t.equal(await page.locator('#post-scope').inputValue(), '30', 'with what was entered');
  t.same(await findFaults(page), [], 'with an error');
  form = await openForm(page, 'POST');
  await form.locator('[data-key=scope]').selectOption('10');
  await form.getByRole('button', { name: 'Send POST' }).click();

  const made = page.locator('.notice', { hasText: 'Created: id' });
  await made.waitFor();
  t.match(await focused(page), 'notice', 'what happened');
  t.notMatch(await page.title(), '400');
  t.equal(new URL(page.url()).pathname, list);
  const path = new URL((await made.locator('a').getAttribute('href')) ?? '').pathname;
  await made.locator('a').click();
  await page.waitForURL(`**${path}`);
  t.equal(await page.locator('.entry dd').nth(2).innerText(), 'Watched 10');
  t.match(await page.locator('h1').innerText(), /^Subscription \d+ of alice$/);

  form = await openForm(page, 'PATCH');
  const patch = form.getByLabel('JSON body of PATCH');
  t.equal(await patch.inputValue(), '{}');
  await form.locator('[data-key=frequency]').selectOption({ label: 'Weekly (3)' });
  await form.locator('[data-key=scope]').selectOption('20');
  await form.locator('[data-key=scope]').selectOption('10');
  t.same(JSON.parse(await patch.inputValue()), { frequency: 3 }, 'only what differs');
  t.match(JSON.parse(await form.getByLabel('JSON body of PUT').inputValue()), { frequency: 3, scope: 10 }, 'all of it');
  await form.getByRole('button', { name: 'Send PATCH' }).click();
  await page.getByText('Saved.').waitFor();
  t.match(await entryAt(service, path), { frequency: 3, scope: 10 });

  form = await openForm(page, 'PUT');
  await form.getByRole('button', { name: 'Send PUT' }).click();
  await page.locator('.request', { hasText: 'PUT' }).waitFor();
  t.equal(await page.locator('.status').innerText(), '200 OK', 'its own values are no fault');

  form = await openForm(page, 'DELETE');
  await form.getByRole('button', { name: 'Send DELETE' }).click();
  await page.getByText('Deleted.').waitFor();
  t.equal((await service.request('GET', path, { as: 'alice' })).status, 404);
  t.same(await findFaults(page), [], 'after the end of the entry');
  await page.goBack();
  t.equal(new URL(page.url()).pathname, list, 'the page before, not the answer before');

  await page.goto(`${list}1/`);
  form = await openForm(page, 'DELETE');
  await form.getByRole('button', { name: 'Send DELETE' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('the sandbox was put back to what it held before.').waitFor();
  t.match(await entryAt(service, `${list}1/`), { id: 1 });
});

await test('a visitor without a user is told to choose one, also in strict mode', { skip }, async (t) => {
  const service = await startService(t, { anonymous: 'strict' });
  const page = await openPage(t, { hosts: [service.url] });
  await page.goto(`${list}?format=api`);
  t.match(await page.locator('main .notice').innerText(), 'Requests without a user find no users here.');
  await page.getByRole('button', { name: 'as alice' }).click();
  t.equal(await page.locator('caption').innerText(), '10 in all');
  const form = await openForm(page, 'POST');
  const { status } = await runCurl((await form.locator('.copy code').textContent()) ?? '');
  t.equal(status, 201, 'with the public token');

  const open = await startService(t);
  const other = await openPage(t, { hosts: [open.url] });
  await other.goto(`${list}?format=api`);
  const anonymous = await openForm(other, 'POST');
  t.match(await anonymous.innerText(), 'choose a user in the header');
  await anonymous.getByRole('button', { name: 'Send POST' }).click();
  await other.getByText('Authentication credentials were not provided.').first().waitFor();
  t.same(await findFaults(other), [], 'where others are offered');
  await other.getByRole('button', { name: 'as alice' }).click();
  await other.getByText('From the request').waitFor();
  t.equal(new URL(other.url()).pathname, list, 'back at the page, with what was sent in its form');
  await other.getByRole('button', { name: 'Send POST' }).click();
  await other.locator('.notice', { hasText: 'Created' }).waitFor();

  const free = await startService(t, { anonymous: 'write' });
  const third = await openPage(t, { hosts: [free.url] });
  await third.goto(`${list}?format=api`);
  const writing = await openForm(third, 'POST');
  t.equal((await runCurl((await writing.locator('.copy code').textContent()) ?? '')).status, 201, 'without a token');
  await writing.locator('[data-key=scope]').selectOption('20');
  await writing.getByRole('button', { name: 'Send POST' }).click();
  await third.locator('.notice', { hasText: 'Created' }).waitFor();
});

await test('the pages of a sandbox stay in it', { skip }, async (t) => {
  const service = await startService(t);
  const made = await service.request('PUT', '/_understudy/sandboxes/ci', { json: { from: 'documented' } });
  t.equal(made.status, 201, made.text);
  const page = await openPage(t, { hosts: [service.url] });
  await page.goto(`/sandboxes/ci${list}?format=api`);
  await actAs(page, 'alice');
  const form = await openForm(page, 'POST');
  t.equal((await runCurl((await form.locator('.copy code').textContent()) ?? '')).status, 201);
  await form.locator('[data-key=scope]').selectOption('20');
  await form.getByRole('button', { name: 'Send POST' }).click();
  const href = await page.locator('.notice a').getAttribute('href');
  t.match(href, `${service.url}/sandboxes/ci${list}`);
  t.match(await entryAt(service, `/sandboxes/ci${list}`), { count: 12 });
  t.match(await entryAt(service, list), { count: 10 }, 'nothing in the other');
  await page.goto(`${list}?format=api`);
  t.match(await page.locator('.account > summary').innerText(), 'no user', 'the choice is the sandbox’s');
});

await test('a request that no form of this page sent is refused', { skip }, async (t) => {
  const service = await startService(t);
  const other = await startService(t, { anonymous: 'strict' });
  const page = await openPage(t, { hosts: [service.url, other.url] });
  await page.goto(`${list}?format=api`);
  await actAs(page, 'alice');
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  t.not(cookie, '');
  const json = { notification: 'LockNotification', scope: 20, frequency: 1 };
  const own = { cookie, accept: 'text/html', origin: service.url };
  const send = async (headers: Record<string, string>) =>
    (await service.request('POST', list, { json, headers })).status;
  t.equal(await send({ cookie, accept: 'text/html' }), 403, 'without an origin');
  t.equal(await send({ ...own, origin: 'http://evil.example' }), 403, 'from another origin');
  t.equal(await send({ ...own, accept: 'application/json' }), 401, 'JSON has no session');
  t.match(await entryAt(service, list), { count: 10 });
  t.equal(await send(own), 201);

  await page.goto(`${other.url}${list}?format=api`);
  t.match(await page.locator('.account > summary').innerText(), 'no user', 'nor at another port');
});

await test('all of it by keyboard, on a phone', { skip }, async (t) => {
  const service = await startService(t);
  const page = await openPage(t, { hosts: [service.url], width: 390, scheme: 'dark' });
  await page.goto(`${list}?format=api`);
  const press = (key: string) => page.keyboard.press(key);
  await tabTo(page, page.locator('.account > summary'));
  await press('Enter');
  await tabTo(page, page.locator('.account button[value="alice"]'));
  await press('Enter');
  await page.locator('.account > summary', { hasText: 'as alice' }).waitFor();

  await tabTo(page, page.locator('.forms > details > summary'));
  await press('Enter');
  await tabTo(page, page.locator('#post-scope'));
  await page.keyboard.type('Component');
  t.equal(await page.locator('#post-scope').inputValue(), '40');
  await tabTo(page, page.getByRole('button', { name: 'Send POST' }));
  await press('Enter');
  await page.locator('#post-scope-fault').waitFor();
  t.equal(await focused(page), 'post-scope');
  t.same(await findFaults(page), []);
  await page.keyboard.type('Watched');
  await tabTo(page, page.getByRole('button', { name: 'Send POST' }));
  await press('Enter');
  const made = page.locator('.notice a');
  await page.getByText('Created:').waitFor();
  await tabTo(page, made);
  await press('Enter');
  await page.locator('.entry').waitFor();
  t.same(await findFaults(page), []);

  await tabTo(page, page.getByRole('radio', { name: 'Table' }));
  await press('ArrowRight');
  t.ok(await page.getByRole('radio', { name: 'JSON' }).isChecked());
  t.same(await findFaults(page), [], 'with another view');
  await tabTo(page, page.locator('.forms > details > summary').nth(1));
  await press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Send DELETE' }));
  await press('Enter');
  await page.getByText('Deleted.').waitFor();
  await tabTo(page, page.getByRole('link', { name: 'Back to Notifications' }));
  await press('Enter');
  await page.locator('caption', { hasText: '10 in all' }).waitFor();
});
