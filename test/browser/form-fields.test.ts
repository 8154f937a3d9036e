// The forms of browsable pages: their fields, their JSON body and their curl line, and how the page shows the answer.
import { test } from 'tap';
import { runCurl } from '../support/run-curl.ts';
import { entryAt, focused, list, openAs, openForm } from './forms.ts';
import { skip } from './support.ts';

await test('fields, JSON and curl line follow each other', { skip }, async (t) => {
  const { page } = await openAs(t, 'admin', '/api/users/dave/');
  const form = await openForm(page, 'PATCH');
  const json = form.locator('.json');
  const bodyOf = async () => JSON.parse(await json.inputValue()) as object;
  await form.locator('[data-key=full_name]').fill(`Dave "O'Dave"`);
  await form.locator('[data-key=is_bot]').check();
  await form.locator('[data-key=email]').fill('');
  t.same(await bodyOf(), { full_name: `Dave "O'Dave"`, is_bot: true, email: null });
  await form.locator('[data-key=is_bot]').uncheck();
  t.same(await bodyOf(), { full_name: `Dave "O'Dave"`, email: null }, 'as it was before');

  await form.locator('.group > summary').click();
  const theme = form.locator('[data-key="profile.theme"]');
  await theme.selectOption({ label: 'Dark (dark)' });
  t.match(await bodyOf(), { profile: { theme: 'dark' } }, 'within its object');
  await theme.selectOption('"auto"');
  t.notOk('profile' in (await bodyOf()), 'and the object goes with it');

  await json.fill(`{"full_name":"It's Dave","unknown":1}`);
  t.equal(await form.locator('[data-key=full_name]').inputValue(), "It's Dave");
  t.equal(await form.locator('[data-key=email]').inputValue(), 'dave@example.com', 'not in the body: as it is');
  await form.locator('[data-key=username]').fill('dave2');
  t.same(await bodyOf(), { full_name: "It's Dave", unknown: 1, username: 'dave2' }, 'what no field has stays');

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await form.getByRole('button', { name: 'Copy' }).click();
  await form.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
  t.equal(copied, await form.locator('.copy code').innerText());
  const answered = await runCurl(copied);
  t.equal(answered.status, 200, copied);
  t.match(JSON.parse(answered.body), { full_name: "It's Dave", username: 'dave2' });

  await form.getByRole('button', { name: 'Start again' }).click();
  t.same(await bodyOf(), {});
  t.equal(await form.locator('[data-key=full_name]').inputValue(), 'Dave Example');
  await form.locator('.copy code', { hasText: "--data-raw '{}'" }).waitFor();
});

await test('the page sends the text unchanged, JSON or not', { skip }, async (t) => {
  const { page } = await openAs(t, 'alice', list);
  const form = await openForm(page, 'POST');
  await form.locator('.json').fill('{"scope": 10,');
  await form.getByRole('button', { name: 'Send POST' }).click();
  await page.locator('.of-form', { hasText: 'JSON parse error' }).waitFor();
  t.equal(await focused(page), 'of-form wrong');
  t.equal(await page.locator('#post-body').inputValue(), '{"scope": 10,');
});

await test('DELETE sends a body where the API takes one', { skip }, async (t) => {
  const { service, page } = await openAs(t, 'admin', '/api/users/dave/groups/');
  const groups = async () => (await entryAt(service, '/api/users/dave/', 'admin')) as { groups: string[] };
  const before = (await groups()).groups.length;
  const form = await openForm(page, 'DELETE');
  await form.locator('[data-key=group_id]').fill('2');
  await form.getByRole('button', { name: 'Send DELETE' }).click();
  await page.getByText('Done.').waitFor();
  t.equal((await groups()).groups.length, before - 1);
});

await test('after an answer that is no page, or none, the form can be sent again', { skip }, async (t) => {
  const expected = /503|ERR_CONNECTION_RESET/;
  const { page } = await openAs(t, 'alice', list, { expected });
  const form = await openForm(page, 'POST');
  const send = form.getByRole('button', { name: 'Send POST' });
  await page.route(`**${list}`, (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: '{"a":1}' }),
  );
  await send.click();
  await form.getByRole('alert').getByText('503 Service Unavailable: {"a":1}').waitFor();
  await page.route(`**${list}`, (route) => route.abort('connectionreset'));
  await send.click();
  await form.getByRole('alert').getByText('No answer:').waitFor();
  t.ok(await send.isEnabled(), 'it can be sent again');
});
