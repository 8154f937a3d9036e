// People work with sandboxes in the console, sign in, and do all of it by keyboard on a phone.
import type { Page } from 'playwright-core';
import { test } from 'tap';
import { readConfiguration } from '../../src/service/config/config.ts';
import { adminOptions } from '../../src/service/config/service-options.ts';
import { type Service, startService } from '../support/service.ts';
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

await test('a person makes, uses and drops a sandbox', { skip }, async (t) => {
  const service = await startService(t);
  const page = await openPage(t, { hosts: [service.url] });
  const check = async (name: string) => t.same(await findFaults(page), [], name);
  await page.goto('/_understudy/');
  await check('the list');
  await page.getByRole('link', { name: 'Make a sandbox' }).click();
  await page.getByLabel('Name').fill('job-1');
  await page.getByText('Begin with a seed of your own').click();
  await page.getByLabel('Seed, as YAML or JSON').fill(faulty);
  await page.getByRole('button', { name: 'Make the sandbox' }).click();
  t.match(await page.locator('#seed-fault').innerText(), /line 2, column 5: users\[0\]\.usernme is not a known key/);
  t.equal(await page.getByLabel('Seed, as YAML or JSON').inputValue(), faulty, 'the text is kept');
  await check('the faults');

  await page.getByLabel('Seed, as YAML or JSON').fill(correct);
  await page.getByRole('button', { name: 'Make the sandbox' }).click();
  t.match(await notice(page), 'shown this once');
  await check('the tokens');
  const token = await page.locator('#token-0').innerText();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('[data-copy=token-0]').click();
  await page.getByText('Copied').waitFor();
  t.equal(await page.evaluate('navigator.clipboard.readText()'), token, 'the button copies the token');
  t.match(await service.request('GET', '/api/users/zo%C3%AB/', { token }), { status: 200, json: { username: 'zoë' } });

  await page.getByRole('link', { name: 'To the overview' }).click();
  await page.getByLabel('Save the state as').fill('before');
  await page.getByRole('button', { name: 'Save a snapshot' }).click();
  t.equal(await notice(page), 'The snapshot was saved.');
  await check('the overview');
  t.equal((await add(service)).status, 201);
  await page.getByRole('button', { name: 'Reset' }).click();
  t.match(await notice(page), 'was reset');
  t.equal(await count(service), 0);
  t.equal((await add(service)).status, 201);
  await page.getByRole('button', { name: 'Restore' }).click();
  t.match(await notice(page), 'was restored');
  t.equal(await count(service), 0);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'YAML', exact: true }).click(),
  ]);
  t.equal(download.suggestedFilename(), 'job-1.yaml');
  const exported = await download.path();
  await page.getByRole('link', { name: 'Load a seed' }).click();
  await check('the seed');
  await page.getByLabel('or a file').setInputFiles(exported);
  await page.getByRole('button', { name: 'Load the seed' }).click();
  t.match(await notice(page), 'The seed was loaded.');
  await page.getByRole('link', { name: 'To the overview' }).click();

  await page.getByText('Drop', { exact: true }).click();
  await check('the question');
  await page.getByRole('button', { name: 'Drop job-1' }).click();
  t.equal(await notice(page), 'The sandbox was dropped.');
  t.equal((await service.request('GET', '/_understudy/sandboxes/job-1')).status, 404);
});

await test('a person signs in and out', { skip }, async (t) => {
  const admin = adminOptions(readConfiguration({ UNDERSTUDY_ADMIN_TOKEN: 'correct-horse' }));
  const service = await startService(t, { admin });
  const page = await openPage(t, { hosts: [service.url], scheme: 'dark' });
  await page.goto('/_understudy/console/default/');
  await page.getByLabel('Admin token').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  t.match(await page.locator('#token-fault').innerText(), 'This is not the value of UNDERSTUDY_ADMIN_TOKEN.');
  t.same(await findFaults(page), []);
  await page.getByLabel('Admin token').fill('correct-horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  t.equal(page.url(), `${service.url}/_understudy/console/default/`, 'back to where it began');
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
  await page.getByRole('button', { name: 'Sign out' }).waitFor();

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
    await tabTo(page, page.getByLabel(label));
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
  await page.getByText('shown this once').waitFor();
  t.same(await findFaults(page), []);
  await press('To the overview', 'link');
  await page.getByLabel('Save the state as').waitFor();
  t.same(await findFaults(page), []);
  await type('Save the state as', 'before');
  await press('Save a snapshot');
  await page.getByText('The snapshot was saved.').waitFor();
  await press('Restore');
  await page.getByText('The snapshot was restored.').waitFor();
  await tabTo(page, page.getByText('Drop', { exact: true }));
  await page.keyboard.press('Enter');
  await press('Drop job-1');
  await page.getByText('The sandbox was dropped.').waitFor();
  t.equal((await service.request('GET', '/_understudy/sandboxes/job-1')).status, 404);
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
