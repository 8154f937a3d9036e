// People work with sandboxes in the console, sign in, and do all of it by keyboard on a phone.
import type { Page } from 'playwright-core';
import { test } from 'tap';
import { adminOptions, readConfiguration } from '../../src/service/config/config.ts';
import { startService } from '../support/service.ts';
import { findFaults, openPage, openService, skip, tabTo } from './support.ts';

const faulty = 'users:\n  - usernme: zoë\n';
const correct = 'users:\n  - { username: zoë, token: zoes-own-token, is_superuser: true }\n';
const notice = (page: Page) => page.locator('.done').innerText();

await test('a person makes a sandbox of a seed, and takes its token and its content', { skip }, async (t) => {
  const { service, page } = await openService(t);
  const check = async (name: string) => t.same(await findFaults(page), [], name);
  await page.goto('/_understudy/');
  await check('the list');
  await page.getByRole('link', { name: 'Make a sandbox' }).click();
  await page.getByLabel('Name', { exact: true }).fill('job-1');
  await page.getByText('Begin with a seed of your own').click();
  await page.getByLabel('Seed, as YAML or JSON').fill(faulty);
  await page.getByRole('button', { name: 'Make the sandbox' }).click();
  t.match(await page.locator('#seed-error').innerText(), /users\[0\]\.usernme: .* \(line 2, column 5\)/);
  t.equal(await page.getByLabel('Seed, as YAML or JSON').inputValue(), faulty, 'the text is kept');
  await check('the faults');

  await page.getByLabel('Seed, as YAML or JSON').fill(correct);
  await page.getByRole('button', { name: 'Make the sandbox' }).click();
  await page.getByText('the sandbox was made.').waitFor();
  await check('the sandbox’s page');
  await page.getByRole('button', { name: 'Make a token' }).first().click();
  t.match(await notice(page), 'shown only once');
  await check('the token');
  const token = await page.locator('#token-0').innerText();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('[data-copy=token-0]').click();
  await page.getByText('Copied').waitFor();
  t.equal(await page.evaluate('navigator.clipboard.readText()'), token, 'the button copies the token');
  t.match(await service.request('GET', '/api/users/zo%C3%AB/', { token }), { status: 200, json: { username: 'zoë' } });
  await page.evaluate(
    `document.querySelector('main form[action$="/session/"]').addEventListener('submit', (event) => event.preventDefault())`,
  );
  await page.getByRole('button', { name: 'Act as zoë' }).click();
  t.equal(await page.evaluate('sessionStorage.length'), 0, 'no token is kept for after a session’s end');

  await page.getByRole('link', { name: 'Overview' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'YAML', exact: true }).click(),
  ]);
  t.equal(download.suggestedFilename(), 'job-1.yaml');
  const exported = await download.path();
  await page.getByRole('link', { name: 'Edit it as a seed' }).click();
  await check('the seed');
  await page.getByLabel('or a file').setInputFiles(exported);
  await page.getByRole('button', { name: 'Load the seed' }).click();
  t.match(await notice(page), 'The seed was loaded.');
});

await test('a person signs in and out', { skip }, async (t) => {
  const admin = adminOptions(readConfiguration({ UNDERSTUDY_ADMIN_TOKEN: 'correct-horse' }));
  const service = await startService(t, { admin });
  const page = await openPage(t, { hosts: [service.url], scheme: 'dark' });
  await page.goto('/_understudy/console/default/state/');
  await page.getByLabel('Admin token').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  t.match(await page.locator('#token-error').innerText(), 'This is not the value of UNDERSTUDY_ADMIN_TOKEN.');
  t.equal(await page.evaluate('document.activeElement.id'), 'token', 'where the next one is typed');
  t.same(await findFaults(page), []);
  await page.getByLabel('Admin token').fill('correct-horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  t.equal(page.url(), `${service.url}/_understudy/console/default/state/`, 'back to where it began');
  t.equal(await page.evaluate('document.cookie'), '', 'no script reads the cookie');
  t.equal(await page.evaluate(`fetch('/_understudy/sandboxes').then(({ status }) => status)`), 403, 'it opens no API');
  t.same(await findFaults(page), []);

  // What was typed outlives a session too, in the tab that typed it.
  await page.goto('/_understudy/console/default/faults/');
  await page.getByLabel('Methods').fill('POST');
  await page.getByLabel('Answer with the status').fill('503');
  const kept = await page.context().cookies();
  await page.context().addCookies(kept.map((cookie) => ({ ...cookie, value: 'a session that has ended' })));
  await page.getByRole('button', { name: 'Add the rule' }).click();
  for (const token of ['wrong', 'correct-horse']) {
    await page.getByLabel('Admin token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }
  t.equal(page.url(), `${service.url}/_understudy/console/default/faults/`);
  t.equal(await page.getByLabel('Methods').inputValue(), 'POST');
  await page.getByRole('button', { name: 'Add the rule' }).click();
  await page.getByRole('heading', { name: '503 on POST' }).waitFor();
  t.equal(await page.getByLabel('Methods').inputValue(), '', 'once');
  await page.locator('.menu.sandboxes > summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Admin token').waitFor();
});

await test('everything works by keyboard on a phone', { skip }, async (t) => {
  const { service, page } = await openService(t, { width: 390 });
  const press = async (name: string, role: 'button' | 'link' = 'button') => {
    await tabTo(page, page.getByRole(role, { name }));
    await page.keyboard.press('Enter');
    await page.waitForLoadState();
  };
  const type = async (label: string, text: string) => {
    await tabTo(page, page.getByLabel(label, { exact: true }));
    await page.keyboard.type(text);
  };
  await page.goto('/_understudy/');
  t.same(await findFaults(page), []);
  await press('Make a sandbox', 'link');
  await page.waitForURL('**/console/new/');
  await type('Name', 'job-1');
  await tabTo(page, page.getByText('Begin with a seed of your own'));
  await page.keyboard.press('Enter');
  await type('Seed, as YAML or JSON', correct);
  await press('Make the sandbox');
  await page.getByText('the sandbox was made.').waitFor();
  t.same(await findFaults(page), []);
  await press('State', 'link');
  await page.getByLabel('Save a snapshot as').waitFor();
  t.same(await findFaults(page), []);
  await type('Save a snapshot as', 'before');
  await press('Save');
  await page.getByText('the snapshot was saved.').waitFor();
  await press('Restore');
  await page.getByText('the snapshot was restored.').waitFor();
  await press('Undo');
  await page.getByText('was put back').waitFor();
  t.same(await findFaults(page), []);
  await type('To delete the sandbox, type its name', 'job-1');
  await press('Delete');
  await page.getByText('the sandbox was deleted.').waitFor();
  t.equal((await service.request('GET', '/_understudy/sandboxes/job-1')).status, 404);
});

await test('the page of a sandbox with long names fits every window', { skip }, async (t) => {
  const service = await startService(t);
  const name = 'x'.repeat(63);
  const own = `/_understudy/sandboxes/${name}`;
  const users = ['w'.repeat(150), 'شيماء', '𠮷'.repeat(60)].map((username) => ({ username }));
  const alice = { username: 'alice', token: 'wlu_alice_public_sample_token_0000000000' };
  t.equal((await service.request('PUT', own, { json: { seed: { users: [alice, ...users] } } })).status, 201);
  await service.request('PUT', `${own}/snapshots/${'y'.repeat(63)}`);
  const rules = [{ name: 'z'.repeat(100), status: 500, match: { path: `/api/${'a'.repeat(150)}/` } }];
  for (const [width, scheme] of [
    [390, 'light'],
    [640, 'dark'],
    [1280, 'light'],
  ] as const) {
    const page = await openPage(t, { hosts: [service.url], width, scheme });
    const check = async (step: string) => t.same(await findFaults(page), [], `${step} at ${width} px, ${scheme}`);
    await service.request('PUT', `${own}/faults`, { json: { rules } });
    await page.goto(`/_understudy/console/${name}/`);
    await check('the page');
    await page.goto(`/_understudy/console/${name}/state/`);
    await page.getByRole('button', { name: 'Reset' }).click();
    await check('the state, with a notice');
    await page.goto(`/_understudy/console/${name}/seed/`);
    await page.getByLabel('Seed, as YAML or JSON').fill(`users: [{ username: ${'v'.repeat(150)} }]`);
    await page.getByRole('button', { name: 'Check' }).click();
    t.match(await notice(page), /Users who lose a token: alice/);
    await check('what a load would change');
    await page.goto(`/_understudy/console/${name}/faults/`);
    await check('the faults');
    await page.context().close();
  }
});

await test('a file that is too large is refused', { skip }, async (t) => {
  const { page } = await openService(t, { expected: /413/ });
  await page.goto('/_understudy/console/default/seed/');
  const buffer = Buffer.alloc(8_000_000, '# a long comment\n');
  await page.getByLabel('or a file').setInputFiles({ name: 'large.yaml', mimeType: 'application/yaml', buffer });
  await page.getByRole('button', { name: 'Load the seed' }).click();
  t.match(await page.locator('.refusal').innerText(), 'exceeds the limit of 1048576 bytes');
});
