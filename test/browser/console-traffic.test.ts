// A sandbox's requests and faults at the console, as a person uses them.
import { runInNewContext } from 'node:vm';
import type { Page } from 'playwright-core';
import { type Test, test } from 'tap';
import { connect } from '../../src/package/client/client.ts';
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

await test('new requests don’t move the focus or the list’s position', { skip }, async (t) => {
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
  t.equal(
    await requests(page).count(),
    201,
    'the list stays as long as that of a page, with a row for what is left out',
  );
});

await test('filters choose the listed requests, and those that arrive', { skip }, async (t) => {
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

await test('a hidden window sends no requests', { skip }, async (t) => {
  const { service, page } = await open(t);
  const hide = (isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => '${isHidden ? 'hidden' : 'visible'}',
    });
    document.dispatchEvent(new Event('visibilitychange'))`);
  let asked = 0;
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') asked++;
  });
  await page.clock.install();
  await page.goto(journal);
  await untilLive(page);
  await hide(true);
  asked = 0;
  await service.request('GET', '/api/while-hidden/');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await page.clock.runFor(10_000);
  t.equal(asked, 0);
  t.equal(await requests(page).count(), 0);
  await hide(false);
  await requests(page).filter({ hasText: '/api/while-hidden/' }).waitFor();
  t.equal(asked, 1, 'at once: the clock stands still');
  t.equal(await requests(page).count(), 1);
  await service.request('GET', '/api/later/');
  await page.clock.runFor(2000);
  await requests(page).filter({ hasText: '/api/later/' }).waitFor();
  t.equal(asked, 2);

  await page.addInitScript(`Object.defineProperty(document, 'visibilityState', {
    configurable: true,
    get: () => 'hidden',
  })`);
  await page.reload();
  t.equal(await page.locator('#live-state').innerText(), 'Reload the page to see newer requests.');
});

await test('an emptied journal is shown empty, and a paused list stays', { skip }, async (t) => {
  const { service, page } = await open(t);
  await page.clock.install();
  await service.request('GET', '/api/first/');
  await page.goto(journal);
  await untilLive(page);
  await service.request('DELETE', '/_understudy/sandboxes/default/requests');
  await page.getByText('No request yet.').waitFor();
  t.equal(await requests(page).count(), 0);
  t.same(await findFaults(page), []);

  await page.getByRole('link', { name: 'Pause' }).click();
  await page.getByText('Watch live').waitFor();
  let asked = 0;
  page.on('request', () => asked++);
  await page.clock.runFor(10_000);
  t.equal(asked, 0);
});

await test('a screen reader announces only changes', { skip }, async (t) => {
  const { service, page } = await open(t);
  await page.goto(journal);
  await untilLive(page);
  t.equal(await page.getByRole('status').innerText(), 'Live');
  await page.evaluate(`globalThis.said = [];
    new MutationObserver(() => said.push(document.getElementById('live-state').textContent))
      .observe(document.getElementById('live-state'), { childList: true, characterData: true, subtree: true })`);
  for (const n of [1, 2]) {
    await service.request('GET', `/api/nowhere/${n}/`);
    await requests(page)
      .filter({ hasText: `/nowhere/${n}/` })
      .waitFor();
  }
  t.same(await page.evaluate('said'), []);
});

await test('the list resumes when the service answers again', { skip }, async (t) => {
  const { service, page } = await open(t, { expected: /503 for .*journal|ERR_/ });
  await page.goto(journal);
  await untilLive(page);
  const away = page.getByText('Not live: the service doesn’t answer. Trying again …');
  for (const fail of ['503', 'reset'] as const) {
    await page.route(`**${journal}`, (route) =>
      fail === '503' ? route.fulfill({ status: 503 }) : route.abort('connectionreset'),
    );
    await away.waitFor();
    t.equal(await page.locator('#live').getAttribute('data-state'), 'waits', fail);
    await page.unroute(`**${journal}`);
    await service.request('GET', `/api/after/${fail}/`);
    await requests(page)
      .filter({ hasText: `/after/${fail}/` })
      .waitFor();
    await untilLive(page);
  }
  t.same(await findFaults(page), []);
});

await test('the list stops when the sandbox or the session has ended', { skip }, async (t) => {
  const { service, page } = await open(t);
  await page.clock.install();
  let asked = 0;
  await service.request('PUT', '/_understudy/sandboxes/mine');
  await page.goto('/_understudy/console/mine/journal/');
  await untilLive(page);
  await service.request('DELETE', '/_understudy/sandboxes/mine');
  await page.getByText('Not live: the sandbox was deleted. Reload the page.').waitFor();
  page.on('request', () => asked++);
  await service.request('PUT', '/_understudy/sandboxes/mine');
  await page.clock.runFor(10_000);
  t.equal(asked, 0);

  for (const [status, body, said] of [
    [403, '{}', 'Not live: you are signed out. Reload the page.'],
    [200, '<main id="main">', 'Not live: the page is another one now. Reload it.'],
  ] as const) {
    await page.goto(journal);
    await untilLive(page);
    await page.route(`**${journal}`, (route) => route.fulfill({ status, body, contentType: 'text/html' }));
    await page.getByText(said).waitFor();
    await page.unroute(`**${journal}`);
  }
});

await test('a 429 is injected and removed', { skip }, async (t) => {
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

await test('an error in the rules is shown, and can be corrected', { skip }, async (t) => {
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

await test('everything works by keyboard, on a phone', { skip }, async (t) => {
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
