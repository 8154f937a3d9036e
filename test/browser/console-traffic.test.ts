// A sandbox's requests and faults at the console, as a person uses them.
import { runInNewContext } from 'node:vm';
import type { Page } from 'playwright-core';
import { type Test, test } from 'tap';
import { connect } from '../../src/client/client.ts';
import { runCurl } from '../support/run-curl.ts';
import { startService } from '../support/service.ts';
import { findFaults, findFocusFaults, openPage, skip, tabTo } from './support.ts';

const list = '/api/users/alice/notifications/';
const entry = { notification: 'RepositoryNotification', scope: 10, frequency: 1 };
const journal = '/_understudy/console/default/journal/';
const faults = '/_understudy/console/default/faults/';

async function open(t: Test, options: { readonly width?: number; readonly expected?: RegExp } = {}) {
  const service = await startService(t);
  const page = await openPage(t, { hosts: [service.url], ...options });
  return { service, page };
}

const untilLive = (page: Page) => page.locator('#live[data-state=live]').waitFor();
const requests = (page: Page) => page.locator('#requests tr');
const copyOf = (page: Page, label: string) => page.getByLabel(label).innerText();

await test('a request arrives, is opened, repeated and asserted', { skip }, async (t) => {
  const { service, page } = await open(t);
  await page.goto(journal);
  await untilLive(page);
  t.same(await findFaults(page), []);
  await service.request('POST', list, { as: 'alice', json: entry });
  const row = requests(page).filter({ hasText: list });
  await row.waitFor();
  t.match(await row.innerText(), /POST[^]*201 Created[^]*alice/);

  await row.getByRole('link').click();
  await page.getByText('Send it again').waitFor();
  t.same(await findFaults(page), []);
  const id = page.url().split('/').at(-2);
  await page.reload();
  t.equal(page.url().split('/').at(-2), id, 'it has its own address');
  await service.reset();
  t.equal((await runCurl(await copyOf(page, 'The request by curl'))).status, 201);
  const { json } = await service.request('GET', `${list}?page=last`, { as: 'alice' });
  t.match((json as { results: object[] }).results.at(-1), entry, 'the line made the subscription again');

  const box = await connect(service.url).open('default');
  const line = (await copyOf(page, 'Assertion in JavaScript')).replace(/^await /, '');
  const found = (await runInNewContext(line, { box })) as object[];
  t.equal(found.length, 2, 'the assertion finds both');
});

await test('a reader is not disturbed', { skip }, async (t) => {
  const { service, page } = await open(t);
  for (let n = 0; n < 60; n++) await service.request('GET', `/api/nowhere/${n}/`);
  await page.goto(journal);
  await untilLive(page);
  await page.getByText('Filter', { exact: true }).first().click();
  const read = requests(page).filter({ hasText: '/nowhere/10/' }).getByRole('link');
  await read.focus();
  const top = async () => Math.round((await read.boundingBox())?.y ?? NaN);
  const before = await top();
  for (let n = 0; n < 30; n++) await service.request('GET', `/api/elsewhere/${n}/`);
  await requests(page).filter({ hasText: '/elsewhere/29/' }).waitFor({ state: 'attached' });
  t.equal(await page.evaluate('document.activeElement.textContent.includes("/nowhere/10/")'), true, 'the focus stays');
  t.equal(await top(), before, 'what is read stays in its place');
  t.equal(await page.locator('details.narrow').getAttribute('open'), '', 'what is open stays open');

  await page.goto(journal);
  await untilLive(page);
  const all = Array.from({ length: 300 }, (_, n) => service.request('GET', `/api/flood/${n}/`));
  await Promise.all(all);
  await service.request('GET', '/api/last/');
  await requests(page).filter({ hasText: '/api/last/' }).waitFor();
  t.ok((await requests(page).count()) <= 201, 'the list stays short');
});

await test('filters', { skip }, async (t) => {
  const { service, page } = await open(t);
  await service.request('GET', '/api/');
  await page.goto(journal);
  await page.getByText('Filter', { exact: true }).first().click();
  await page.getByLabel('Status').fill('4xx');
  await page.getByLabel('User').fill('alice');
  await page.getByRole('button', { name: 'Filter' }).click();
  await untilLive(page);
  await page.getByText('No request fits these filters.').waitFor();
  await service.request('GET', '/api/users/alice/nowhere/');
  await service.request('GET', '/api/users/alice/nowhere/', { as: 'alice' });
  await requests(page).first().waitFor();
  t.equal(await requests(page).count(), 1, 'also of what arrives');
  t.same(await findFaults(page), []);

  await page.getByRole('button', { name: 'Clear the journal' }).click();
  await page.getByText('No request yet.').waitFor();
  t.same(await findFaults(page), []);
});

await test('a hidden window has no stream', { skip }, async (t) => {
  const { service, page } = await open(t);
  const hide = (isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
      document.dispatchEvent(new Event('visibilitychange'))`);
  let streams = 0;
  page.on('request', (request) => {
    if (request.url().includes('/journal/stream')) streams++;
  });
  const untilWatched = async (count: number) => {
    while (countWatched() !== count) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const sockets = new Set<object>();
  service.app.server.on('request', (request, response) => {
    if (request.url?.includes('/journal/stream') !== true) return;
    sockets.add(response);
    response.once('close', () => sockets.delete(response));
  });
  const countWatched = () => sockets.size;

  await page.goto(journal);
  await untilLive(page);
  t.equal(countWatched(), 1);
  await hide(true);
  await untilWatched(0);
  t.pass('the stream is closed');
  await service.request('GET', '/api/while-hidden/');
  await hide(false);
  await untilWatched(1);
  await requests(page).filter({ hasText: '/api/while-hidden/' }).waitFor();
  await untilLive(page);
  t.equal(await requests(page).count(), 1, 'nothing is missing, and nothing twice');
  t.equal(streams, 2);

  await page.addInitScript(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })`);
  await page.reload({ waitUntil: 'load' });
  await untilWatched(0);
  t.equal(await page.locator('#live-state').innerText(), 'Reload the page to see newer requests.');
  await hide(false);
  await untilLive(page);
});

await test('a stream that is refused', { skip }, async (t) => {
  const { service, page } = await open(t, { expected: /503 for .*stream|htmx/ });
  await page.route('**/journal/stream*', (route) => route.fulfill({ status: 503, headers: { 'retry-after': '1' } }));
  await page.goto(journal);
  await page.getByText('too many windows watch').waitFor();
  t.equal(await page.locator('main').isVisible(), true);
  await page.unroute('**/journal/stream*');
  await untilLive(page);
  await service.request('DELETE', '/_understudy/sandboxes/default/requests');
  t.same(await findFaults(page), []);
});

await test('a sandbox that is dropped, and a service that ends', { skip }, async (t) => {
  const { service, page } = await open(t, { expected: /htmx: htmx:sse:error|ERR_|reset|aborted/ });
  await service.request('PUT', '/_understudy/sandboxes/mine');
  await page.goto('/_understudy/console/mine/journal/');
  await untilLive(page);
  await service.request('DELETE', '/_understudy/sandboxes/mine');
  await page.getByText('The sandbox was deleted.').waitFor();

  await page.goto(journal);
  await untilLive(page);
  await service.app.close();
  await page.locator('#live[data-state=waits]').waitFor();
  t.pass('the page says so');
});

await test('429, injected and undone', { skip }, async (t) => {
  const { service, page } = await open(t);
  await page.goto(faults);
  t.same(await findFaults(page), []);
  await page.getByRole('button', { name: 'Add 429 with Retry-After' }).click();
  await page.getByText('429 Too Many Requests with Retry-After: 5').waitFor();
  t.same(await findFaults(page), []);
  const client = () => service.request('GET', list, { as: 'alice' });
  t.match(await client(), { status: 429, headers: { 'retry-after': '5' } });
  await page.getByRole('button', { name: 'Remove throttled' }).click();
  await page.getByText('No fault is in force').waitFor();
  t.equal((await client()).status, 200);
});

await test('an error in the rules, corrected', { skip }, async (t) => {
  const { service, page } = await open(t, { width: 390 });
  await page.goto(faults);
  await page.getByRole('button', { name: 'Add 503 twice' }).click();
  await page.getByText('the next 2').waitFor();
  const rules = page.getByLabel('Rules, as PUT');
  const json = await rules.inputValue();
  await rules.fill(json.replace('503', '"5o3"').replace('/api/**', '/api/users/**'));
  await page.getByRole('button', { name: 'Replace all rules' }).click();
  await page.getByText('Must be a status from 200 to 599.').waitFor();
  t.same(await findFaults(page), []);
  await rules.fill((await rules.inputValue()).replace('"5o3"', '503'));
  await page.getByRole('button', { name: 'Replace all rules' }).click();
  await page.getByText('/api/users/**').first().waitFor();
  const statuses = [];
  for (let n = 0; n < 3; n++) statuses.push((await service.request('GET', list)).status);
  t.same(statuses, [503, 503, 200]);
});

await test('by keyboard, on a phone', { skip }, async (t) => {
  const { service, page } = await open(t, { width: 390 });
  await service.request('GET', '/api/nowhere/');
  await page.goto(journal);
  await untilLive(page);
  t.same(await findFaults(page), []);
  await tabTo(page, page.getByText('Filter', { exact: true }).first());
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Status'));
  await page.keyboard.type('404');
  await page.keyboard.press('Enter');
  await untilLive(page);
  await tabTo(page, requests(page).getByRole('link'));
  await page.keyboard.press('Enter');
  await page.getByText('Send it again').waitFor();
  t.same(await findFaults(page), []);
  await tabTo(page, page.getByRole('navigation', { name: 'Sandbox default' }).getByRole('link', { name: 'Faults' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Add Cut in the middle' }));
  await page.keyboard.press('Enter');
  await page.getByText('connection cut in the middle').waitFor();
  t.same(await findFaults(page), []);
  await tabTo(page, page.getByRole('button', { name: 'Remove cut' }));
  t.same(await findFocusFaults(page), []);
  await page.keyboard.press('Enter');
  await page.getByText('No fault is in force').waitFor();
});
