// People work with sandboxes in the console, sign in, and do all of it by keyboard on a phone.
import type { Page } from 'playwright-core';
import { test } from 'tap';
import { adminOptions, readConfiguration } from '../../src/service/config/config.ts';
import { type Service, startService } from '../support/service.ts';
import { launchChromium } from './chromium.ts';
import { findFaults, openPage, skip, tabTo } from './support.ts';

const faulty = 'users:\n  - usernme: zoë\n';
const correct = 'users:\n  - { username: zoë, token: zoes-own-token, is_superuser: true }\n';
const list = '/sandboxes/job-1/api/users/zo%C3%AB/notifications/';

const add = (service: Service) =>
  service.request('POST', list, {
    token: 'zoes-own-token',
    json: { notification: 'LockNotification', scope: 10, frequency: 1 },
  });
const count = async (service: Service): Promise<unknown> =>
  ((await service.request('GET', list, { token: 'zoes-own-token' })).json as { count?: number }).count;
const notice = (page: Page) => page.locator('.done').innerText();

await test('a person makes, uses and deletes a sandbox', { skip }, async (t) => {
  const service = await startService(t);
  const page = await openPage(t, { hosts: [service.url] });
  const check = async (name: string) => t.same(await findFaults(page), [], name);
  await page.goto('/_understudy/');
  await check('the list');
  await page.getByRole('link', { name: 'Make a sandbox' }).click();
  await page.getByLabel('Name', { exact: true }).fill('job-1');
  await page.getByText('Begin with a seed of your own').click();
  await page.getByLabel('Seed, as YAML or JSON').fill(faulty);
  await page.getByRole('button', { name: 'Make the sandbox' }).click();
  t.match(await page.locator('#seed-fault').innerText(), /users\[0\]\.usernme: .* \(line 2, column 5\)/);
  t.equal(await page.getByLabel('Seed, as YAML or JSON').inputValue(), faulty, 'the text is kept');
  await check('the faults');

  await page.getByLabel('Seed, as YAML or JSON').fill(correct);
  await page.getByRole('button', { name: 'Make the sandbox' }).click();
  await page.getByText('the sandbox was made.').waitFor();
  await check('the sandbox’s page');
  await page.getByRole('button', { name: 'Make a token' }).first().click();
  t.match(await notice(page), 'shown this once');
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

  await page.getByRole('link', { name: 'State', exact: true }).click();
  await page.getByLabel('Save a snapshot as').fill('before');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  t.match(await notice(page), 'the snapshot was saved.');
  await check('the state');
  t.equal((await add(service)).status, 201);
  await page.getByRole('button', { name: 'Reset' }).click();
  t.match(await notice(page), 'was reset');
  t.equal(await count(service), 0);
  t.equal((await add(service)).status, 201);
  await page.getByRole('button', { name: 'Restore' }).click();
  t.match(await notice(page), 'was restored');
  t.equal(await count(service), 0);

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
  await page.getByRole('link', { name: 'State', exact: true }).click();

  const typed = page.getByLabel('To delete the sandbox, type its name');
  await typed.fill('job-2');
  await page.getByRole('button', { name: 'Delete' }).click();
  t.equal(await page.locator('#name-fault').innerText(), 'Type job-1, which is the name.');
  await check('the refusal');
  await typed.fill('job-1');
  await page.getByRole('button', { name: 'Delete' }).click();
  t.match(await notice(page), 'the sandbox was deleted.');
  t.equal((await service.request('GET', '/_understudy/sandboxes/job-1')).status, 404);
});

await test('a person signs in and out', { skip }, async (t) => {
  const admin = adminOptions(readConfiguration({ UNDERSTUDY_ADMIN_TOKEN: 'correct-horse' }));
  const service = await startService(t, { admin });
  const page = await openPage(t, { hosts: [service.url], scheme: 'dark' });
  await page.goto('/_understudy/console/default/state/');
  await page.getByLabel('Admin token').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  t.match(await page.locator('#token-fault').innerText(), 'This is not the value of UNDERSTUDY_ADMIN_TOKEN.');
  t.equal(await page.evaluate('document.activeElement.id'), 'token', 'where the next one is typed');
  t.same(await findFaults(page), []);
  await page.getByLabel('Admin token').fill('correct-horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  t.equal(page.url(), `${service.url}/_understudy/console/default/state/`, 'back to where it began');
  await page.getByRole('button', { name: 'Reset' }).click();
  t.match(await notice(page), 'was reset');
  t.equal(await page.evaluate('document.cookie'), '', 'no script reads the cookie');
  t.equal(await page.evaluate(`fetch('/_understudy/sandboxes').then(({ status }) => status)`), 403, 'it opens no API');
  t.same(await findFaults(page), []);

  const kept = await page.context().cookies();
  await page.context().addCookies(kept.map((cookie) => ({ ...cookie, value: 'a session that has ended' })));
  await page.reload();
  await page.getByLabel('Admin token').fill('correct-horse');
  await page.getByRole('button', { name: 'Sign in' }).click();

  // What was typed outlives a session too, in the tab that typed it.
  await page.goto('/_understudy/console/default/faults/');
  await page.getByLabel('Methods').fill('POST');
  await page.getByLabel('Answer with the status').fill('503');
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
  await page.goto('/api/');
  await page.locator('.menu.sandboxes > summary').click();
  t.match(await page.locator('.menu.sandboxes').innerText(), /Signed in to the console until \d\d:\d\d UTC/);
  t.same(await findFaults(page), []);

  // Browsers send a cookie to every port of its host; by its name, it counts at one.
  const other = await startService(t, { databaseUrl: service.databaseUrl, admin });
  const elsewhere = await openPage(t, { hosts: [other.url] });
  await elsewhere.context().addCookies(await page.context().cookies());
  await elsewhere.goto('/_understudy/');
  await elsewhere.getByLabel('Admin token').waitFor();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Admin token').waitFor();
});

await test('everything works by keyboard on a phone', { skip }, async (t) => {
  const service = await startService(t);
  const page = await openPage(t, { hosts: [service.url], width: 390 });
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

await test(
  'without scripts a wrong reset is undone in one click, and a forgotten fault is removed',
  { skip },
  async (t) => {
    const service = await startService(t);
    await service.request('PUT', '/_understudy/sandboxes/job-1', { json: {} });
    const browser = await launchChromium();
    const context = await browser.newContext({ baseURL: service.url, javaScriptEnabled: false });
    t.teardown(() => context.close());
    const page = await context.newPage();
    const counted = async () => {
      const { json } = await service.request('GET', '/sandboxes/job-1/api/users/alice/notifications/', { as: 'alice' });
      return (json as { count: number }).count;
    };
    const json = { notification: 'LockNotification', scope: 10, frequency: 1 };
    await service.request('POST', '/sandboxes/job-1/api/users/alice/notifications/', { as: 'alice', json });
    t.equal(await counted(), 11);
    await page.goto('/_understudy/');
    await page.getByRole('button', { name: 'Reset job-1' }).click();
    t.equal(await counted(), 10);
    await page.waitForURL('**/?done=reset&at=*');
    await page.reload();
    t.match(await notice(page), /At \d\d:\d\d:\d\d UTC the sandbox was reset/, 'true after a reload too');
    await page.locator('.done').getByRole('button', { name: 'Undo' }).click();
    t.equal(await counted(), 11);

    const rules = [{ name: 'forgotten', status: 500 }];
    await service.request('PUT', '/_understudy/sandboxes/job-1/faults', { json: { rules } });
    await page.goto('/_understudy/console/job-1/');
    await page.getByRole('link', { name: 'Change or remove' }).click();
    await page.getByRole('button', { name: 'Remove forgotten' }).click();
    await page.getByText('None: requests are answered normally.').waitFor();
    t.equal(await counted(), 11);

    await page.goto('/_understudy/console/job-1/');
    await page.getByRole('link', { name: 'Edit it as a seed' }).click();
    const area = page.getByLabel('Seed, as YAML or JSON');
    await area.fill((await area.inputValue()).replaceAll('username: bob', 'username: rob'));
    await page.getByRole('button', { name: 'Check' }).click();
    t.match(await notice(page), 'Tokens end of: bob');
    await page.getByRole('button', { name: 'Load the seed' }).click();
    t.equal(await counted(), 11, 'the token of alice is valid still');
    await page.locator('.done').getByRole('button', { name: 'Undo' }).click();
    t.equal((await service.request('GET', '/sandboxes/job-1/api/users/bob/', { as: 'bob' })).status, 200);

    await page.goto('/_understudy/console/job-1/state/');
    await page.getByLabel('To delete the sandbox, type its name').fill('job-1');
    await page.getByRole('button', { name: 'Delete' }).click();
    t.match(await notice(page), 'the sandbox was deleted');
    t.equal((await service.request('GET', '/_understudy/sandboxes/job-1')).status, 404);
  },
);

await test('the page of a sandbox with long names fits every window', { skip }, async (t) => {
  const service = await startService(t);
  const name = 'x'.repeat(63);
  const own = `/_understudy/sandboxes/${name}`;
  const users = ['w'.repeat(150), 'شيماء', '𠮷'.repeat(60)].map((username) => ({ username }));
  const alice = { username: 'alice', token: 'wlu_alice_public_sample_token_0000000000' };
  t.equal((await service.request('PUT', own, { json: { seed: { users: [alice, ...users] } } })).status, 201);
  await service.request('PUT', `${own}/snapshots/${'y'.repeat(63)}`);
  const rules = [{ name: 'z'.repeat(100), status: 500, match: { path: `/api/${'a'.repeat(150)}/` } }];
  for (const width of [390, 640, 1280])
    for (const scheme of ['light', 'dark'] as const) {
      const page = await openPage(t, { hosts: [service.url], width, scheme });
      const check = async (step: string) => t.same(await findFaults(page), [], `${step} at ${width} px, ${scheme}`);
      await service.request('PUT', `${own}/faults`, { json: { rules } });
      await page.goto(`/_understudy/console/${name}/`);
      await check('the page');
      await page.goto(`/_understudy/console/${name}/state/`);
      await check('the state');
      await page.getByRole('button', { name: 'Reset' }).click();
      await check('the notice');
      await page.goto(`/_understudy/console/${name}/seed/`);
      await page.getByLabel('Seed, as YAML or JSON').fill(`users: [{ username: ${'v'.repeat(150)} }]`);
      await page.getByRole('button', { name: 'Check' }).click();
      t.match(await notice(page), /Tokens end of: alice/);
      await check('what a load would change');
      await page.goto(`/_understudy/console/${name}/faults/`);
      await check('the faults');
      await page.context().close();
    }
});

await test('a file that is too large is refused', { skip }, async (t) => {
  const service = await startService(t);
  const page = await openPage(t, { hosts: [service.url], expected: /413/ });
  await page.goto('/_understudy/console/default/seed/');
  const buffer = Buffer.alloc(8_000_000, '# a long comment\n');
  await page.getByLabel('or a file').setInputFiles({ name: 'large.yaml', mimeType: 'application/yaml', buffer });
  await page.getByRole('button', { name: 'Load the seed' }).click();
  t.match(await page.locator('.refusal').innerText(), 'exceeds the limit of 1048576 bytes');
});
