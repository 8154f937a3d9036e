// The forms of browsable pages: their fields, their JSON body and their curl line, and how the page shows the answer.
import { test } from 'tap';
import { runCurl } from '../support/run-curl.ts';
import { entryAt, focused, list, openAs, openForm } from './forms.ts';
import { findFaults, openService, skip } from './support.ts';

await test('JSON and curl line follow the fields, and the curl line follows an edited JSON', { skip }, async (t) => {
  const { page } = await openAs(t, 'admin', '/api/users/dave/');
  const form = await openForm(page, 'PATCH');
  const json = form.getByLabel('JSON body of PATCH');
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

  await json.fill(`{"full_name":"It's Dave","username":"dave2"}`);
  t.equal(await form.locator('.fields[inert]').count(), 1, 'the fields say no more what is sent');

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const ofPatch = form.locator('.one-request', { has: page.locator('[data-method=PATCH]') });
  await ofPatch.getByText('Code', { exact: true }).click();
  await ofPatch.getByRole('button', { name: 'Copy' }).click();
  await ofPatch.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
  t.equal(copied, await ofPatch.locator('.copy code').innerText());
  const answered = await runCurl(copied);
  t.equal(answered.status, 200, copied);
  t.match(JSON.parse(answered.body), { full_name: "It's Dave", username: 'dave2' });

  await form.getByRole('button', { name: 'Start again' }).click();
  t.same(await bodyOf(), {});
  t.equal(await form.locator('[data-key=full_name]').inputValue(), 'Dave Example');
  await form.locator('[data-key=username]').fill('dave3');
  t.same(await bodyOf(), { username: 'dave3' });
  const ofPut = JSON.parse(await form.getByLabel('JSON body of PUT').inputValue()) as object;
  t.match(ofPut, { username: 'dave3', full_name: 'Dave Example' }, 'the other body follows too');
  await form.getByRole('button', { name: 'Start again' }).click();
  await ofPatch.locator('.copy code', { hasText: "--data-raw '{}'" }).waitFor();
});

await test('the page sends the text unchanged, JSON or not', { skip }, async (t) => {
  const { page } = await openAs(t, 'alice', list);
  const form = await openForm(page, 'POST');
  await form.locator('#post-body').fill('{"scope": 10,');
  await form.getByRole('button', { name: 'Send POST' }).click();
  await page.locator('.of-form', { hasText: 'JSON parse error' }).waitFor();
  t.equal(await focused(page), 'of-form wrong');
  t.equal(await page.locator('#post-body').inputValue(), '{"scope": 10,');
  t.equal(await page.locator('.fields[inert]').count(), 0, 'the fields begin with what was sent');
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

await test(
  'after a refused change the page keeps its forms, and names what is wrong at the fields',
  { skip },
  async (t) => {
    const { service, page } = await openAs(t, 'admin', '/api/users/dave/');
    const form = await openForm(page, 'PUT');
    await form.locator('[data-key=full_name]').fill('Dave D.');
    await form.locator('[data-key=email]').fill('nonsense');
    await form.locator('.group > summary').click();
    await form.locator('[data-key="profile.nearby_strings"]').fill('99');
    await form.locator('.group > summary').click();
    await form.getByRole('button', { name: 'Send PUT' }).click();
    await page.locator('#change-email-error').waitFor();
    t.equal(await focused(page), 'change-email');
    t.same(await findFaults(page), [], 'with errors');
    t.match(await page.locator('.answer [aria-label=Sent]').innerText(), '"email": "nonsense"');
    t.equal(await page.locator('.forms > details').count(), 2, 'DELETE is there too');
    t.equal(await page.locator('.one-request').count(), 4, 'and OPTIONS');

    await page.locator('[data-key=email]').fill('dave@example.org');
    await openForm(page, 'PATCH');
    await page.getByRole('button', { name: 'Send PATCH' }).click();
    await page.locator('[id="change-profile.nearby_strings-error"]').waitFor();
    t.equal(await focused(page), 'change-profile.nearby_strings', 'in its group, which is unfolded');
    t.equal(await page.locator('#change-email-error').count(), 0);
    await page.locator('[data-key="profile.nearby_strings"]').fill('20');
    t.same(JSON.parse(await page.getByLabel('JSON body of PATCH').inputValue()), {
      full_name: 'Dave D.',
      email: 'dave@example.org',
      profile: { nearby_strings: 20 },
    });
    await page.getByRole('button', { name: 'Send PATCH' }).click();
    await page.getByText('Saved.').waitFor();
    t.equal(await focused(page), 'notice block succeeds');
    t.equal(await page.locator('[aria-invalid]').count(), 0);
    t.match(await entryAt(service, '/api/users/dave/', 'admin'), { full_name: 'Dave D.', email: 'dave@example.org' });
  },
);

await test('long names, names from right to left and beyond the BMP stay exact, at each width', { skip }, async (t) => {
  const name = `محمد 😀 'it' & ${'x'.repeat(150)}`.slice(0, 150);
  const { service, page } = await openAs(t, 'admin', '/api/users/dave/');
  const made = await service.request('PATCH', '/api/users/dave/', { as: 'admin', json: { full_name: name } });
  t.equal(made.status, 200, made.text);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/api/users/dave/?format=api');
    const form = await openForm(page, 'PUT');
    t.equal(await form.locator('[data-key=full_name]').inputValue(), name);
    t.same(await findFaults(page), [], `${width} px`);
    for (const view of ['JSON', 'Headers', 'Code']) {
      await page.getByRole('radio', { name: view }).check();
      t.same(await findFaults(page), [], `${width} px: ${view}`);
    }
    await form.locator('[data-key=is_bot]').check();
    t.equal(JSON.parse(await page.getByLabel('JSON body of PUT').inputValue()).full_name, name);
    await page.goto('/api/users/?format=api');
    t.same(await findFaults(page), [], `${width} px: the list`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  const first = page.locator('.table tbody td').first();
  const before = await first.boundingBox();
  await page.locator('.table').evaluate((table: { scrollLeft: number }) => (table.scrollLeft = 500));
  t.same(await first.boundingBox(), before, 'the first column stays');
});

await test('without scripts the views of the answer and the choice of another user work', { skip }, async (t) => {
  const { page } = await openService(t, { scripts: false });
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${list}?format=api`);
  t.ok(await page.locator('.table').isVisible());
  await page.getByRole('radio', { name: 'JSON' }).check();
  t.notOk(await page.locator('.table').isVisible());
  t.match(await page.getByLabel('Body', { exact: true }).innerText(), '"count": 10');
  interface Styles {
    getComputedStyle(element: unknown): { readonly borderBottomStyle: string };
  }
  const lineBelow = (name: string) =>
    page
      .locator('.tabbed > label', { hasText: name })
      .evaluate((tab) => (globalThis as unknown as Styles).getComputedStyle(tab).borderBottomStyle);
  t.same([await lineBelow('JSON'), await lineBelow('Table')], ['solid', 'none'], 'in forced colours too');
  await page.goto('/session/?next=/api/users/alice/notifications/');
  await page.getByRole('button', { name: /^bob/ }).click();
  await page.getByText('Try it').waitFor();
  await page.getByRole('button', { name: 'as alice' }).click();
  await page.locator('caption', { hasText: '10 in all' }).waitFor();
});
