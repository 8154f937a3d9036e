// The browsable API in a browser: act as a user, send forms, and correct what was refused.
import { test } from 'tap';
import { entryAt, focused, list, openAs, openForm } from './forms.ts';
import { findFaults, openService, skip, tabTo } from './support.ts';

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
  await page.locator('#post-scope:focus').waitFor();
  t.match(await page.title(), /^400 Bad Request · Notifications of alice/);
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

await test('all of it by keyboard, on a phone', { skip }, async (t) => {
  const { page } = await openService(t, { width: 390, scheme: 'dark' });
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
  await page.locator('#post-scope-error').waitFor();
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
