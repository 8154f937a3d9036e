// The documentation page: a sample user is chosen or a token typed, requests are sent, and their answers and curl lines shown.
import { type Test, test } from 'tap';
import type { Page } from 'playwright-core';
import { startService } from '../support/service.ts';
import { findFaults, openPage, type PageOptions, skip, tabTo } from './support.ts';

const aliceToken = 'wlu_alice_public_sample_token_0000000000';

/** The library takes a second of the processor to open an operation, which a busy machine may not have at once. */
async function openPatiently(t: Parameters<typeof openPage>[0], options: PageOptions): Promise<Page> {
  const page = await openPage(t, options);
  page.setDefaultTimeout(30_000);
  return page;
}

/** Types a token into Swagger UI's own dialog. */
async function authorize(page: Page, scheme: RegExp, token: string): Promise<void> {
  await page.locator('.btn.authorize').click();
  const form = page.locator('.auth-container').filter({ has: page.getByRole('heading', { name: scheme }) });
  await form.locator('input').fill(token);
  await form.locator('button.authorize').click();
  await page.locator('.dialog-ux .btn-done').first().click();
}

/** Opens an operation, and returns its element. */
async function open(page: Page, id: string) {
  const operation = page.locator(`[id$="-${id}"]`);
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Execute' }).waitFor();
  return operation;
}

/** Sends an operation's request, and returns the answer's status and the curl line. */
async function send(operation: ReturnType<Page['locator']>) {
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table');
  await answer.waitFor();
  return {
    status: await answer.locator('.response-col_status').last().innerText(),
    text: await answer.innerText(),
    curl: await operation.locator('.curl').innerText(),
  };
}

/** Its colours can be told apart, and its links be hit. */
const checkColours = async (t: Test, page: Page) =>
  t.same(await findFaults(page, ['color-contrast', 'target-size'], []), []);

await test('requests are sent as a sample user', { skip }, async (t) => {
  const service = await startService(t);
  const page = await openPatiently(t, { hosts: [service.url] });
  await page.goto('/api/docs/');
  const create = await open(page, 'notifications_create');
  t.equal((await send(create)).status, '401', 'nobody is chosen');
  await page.locator('.account > summary').click();
  await page.getByRole('button', { name: /^alice/ }).click();
  const list = await send(await open(page, 'notifications_list'));
  t.equal(list.status, '200');
  t.match(list.text, '"count": 10');
  const created = await send(await open(page, 'notifications_create'));
  t.equal(created.status, '201');
  t.match(created.text, '"notification": "RepositoryNotification"');
  t.match(created.curl, `-H 'Authorization: Token ${aliceToken}'`);
  t.match(created.curl, `'${service.url}/api/users/alice/notifications/'`);
  await checkColours(t, page);
  const { json } = await service.request('GET', '/api/users/alice/notifications/?page=last', { as: 'alice' });
  const { results } = json as { results: { notification: string }[] };
  t.equal(results.at(-1)?.notification, 'RepositoryNotification');
  t.same(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]'), ['', 0, 0]);
});

await test('requests are sent with a typed token, by keyboard on a phone', { skip }, async (t) => {
  const service = await startService(t);
  const page = await openPatiently(t, { hosts: [service.url], width: 390, scheme: 'dark' });
  await page.goto('/api/docs/');
  await page.locator('.opblock').first().waitFor();
  await authorize(page, /Bearer/, aliceToken);
  const operation = page.locator('[id$="-users_read"]');
  await tabTo(page, operation.locator('.opblock-summary-control'));
  await page.keyboard.press('Enter');
  await tabTo(page, operation.getByRole('button', { name: 'Execute' }));
  await page.keyboard.press('Enter');
  await operation
    .locator('.curl')
    .filter({ hasText: `Authorization: Bearer ${aliceToken}` })
    .waitFor();
  await operation.locator('.live-responses-table').getByText('200').waitFor();
  await checkColours(t, page);
});

await test('the documents and their operations have addresses', { skip }, async (t) => {
  const service = await startService(t);
  const page = await openPatiently(t, { hosts: [service.url] });
  await service.request('PUT', '/_understudy/sandboxes/ci', { json: { from: 'documented' } });
  await page.goto('/sandboxes/ci/api/docs/#/Users/users_list');
  const list = page.locator('[id$="-users_list"]');
  const { status, curl } = await send(list);
  t.equal(status, '200');
  t.match(curl, `${service.url}/sandboxes/ci/api/users/`, 'requests stay in the sandbox');
  const shown = await page.locator('.opblock-summary-method').allInnerTexts();
  t.same(new Set(shown), new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']));
  await page.getByRole('link', { name: 'Understudy’s control API' }).click();
  const put = await open(page, 'sandboxes_put');
  t.match(page.url(), '/_understudy/docs/#/Sandboxes/sandboxes_put');
  await page.reload();
  t.equal((await send(put)).status, '201', 'opened by the address');
  await page.getByRole('link', { name: 'The Weblate API' }).click();
  await page.waitForURL('/api/docs/');
});

await test('with an admin token, the page of the control API needs a session', { skip }, async (t) => {
  const access = { mode: 'auto', token: 'a-secret-of-the-operator', allowedHosts: [], isLocal: true } as const;
  const service = await startService(t, { admin: { access, maxSandboxes: 10, journalBytes: 0 } });
  const page = await openPatiently(t, { hosts: [service.url], expected: /^401 / });
  await page.goto('/_understudy/docs/');
  await page.getByLabel('Admin token').fill(access.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const list = await open(page, 'sandboxes_list');
  t.equal((await send(list)).status, '403', 'the session opens the page, and requests carry no cookie');
  await authorize(page, /AdminToken/, access.token);
  await list.getByRole('button', { name: 'Clear' }).click();
  const { status, curl } = await send(list);
  t.equal(status, '200');
  t.match(curl, `-H 'Authorization: Bearer ${access.token}'`);
});
