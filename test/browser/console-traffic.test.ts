// A sandbox's requests and faults at the console, as a person uses them.
import type { Locator, Page } from 'playwright-core';
import { test } from 'tap';
import { startService } from '../support/service.ts';
import { findFaults, findFocusFaults, openPage, openService, skip, tabTo } from './support.ts';

const list = '/api/users/alice/notifications/';
const entry = { notification: 'RepositoryNotification', scope: 10, frequency: 1 };
const journal = '/_understudy/console/default/journal/';

const untilLive = (page: Page) => page.locator('#live[data-state=live]').waitFor();
const requests = (page: Page) => page.locator('#requests tr');

await test('a request arrives and is opened', { skip }, async (t) => {
  const { service, page } = await openService(t);
  await page.goto(journal);
  await untilLive(page);
  t.same(await findFaults(page), []);
  await service.request('POST', list, { as: 'alice', json: entry });
  const row = requests(page).filter({ hasText: list });
  await row.waitFor();
  t.match(await row.innerText(), /POST[^]*201 Created[^]*alice/);

  await row.getByRole('link').first().click();
  await page.getByRole('link', { name: 'Open in a form' }).waitFor();
  t.same(await findFaults(page), []);
});

await test('new requests don’t move the focus or the list’s position', { skip }, async (t) => {
  const { service, page } = await openService(t);
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
  t.equal(await requests(page).count(), 200, 'the list stays as long as that of a page');
});

await test('a hidden window sends no requests', { skip }, async (t) => {
  const { service, page } = await openService(t);
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
  const { service, page } = await openService(t);
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
  const { service, page } = await openService(t);
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
  const { service, page } = await openService(t, { expected: /503 for .*journal|ERR_/ });
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
  const { service, page } = await openService(t);
  await page.clock.install();
  let asked = 0;
  await service.request('PUT', '/_understudy/sandboxes/mine');
  await page.goto('/_understudy/console/mine/journal/');
  await untilLive(page);
  await service.request('DELETE', '/_understudy/sandboxes/mine');
  const ended = page.getByText('Not live: this page has changed. Reload it.');
  await ended.waitFor();
  page.on('request', () => asked++);
  await service.request('PUT', '/_understudy/sandboxes/mine');
  await page.clock.runFor(10_000);
  t.equal(asked, 0);

  for (const [status, body] of [
    [403, '{}'],
    [200, '<main id="main">'],
  ] as const) {
    await page.goto(journal);
    await untilLive(page);
    await page.route(`**${journal}`, (route) => route.fulfill({ status, body, contentType: 'text/html' }));
    await ended.waitFor();
    await page.unroute(`**${journal}`);
  }
});

await test('everything works by keyboard, on a phone', { skip }, async (t) => {
  const { service, page } = await openService(t, { width: 390 });
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
  await page.getByRole('article').waitFor();
  t.same(await findFaults(page), []);
  await tabTo(page, page.getByRole('navigation', { name: 'Sandbox default' }).getByRole('link', { name: 'Faults' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Add Cut in the middle' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'connection cut on /api/**' }).waitFor();
  t.same(await findFaults(page), []);
  await tabTo(page, page.getByRole('button', { name: 'Remove cut' }));
  t.same(await findFocusFaults(page), []);
  await page.keyboard.press('Enter');
  await page.getByText('None: requests are answered normally.').waitFor();
});

const sandboxPage = '/_understudy/console/default/';
const refused = { ...entry, scope: 7 };
const reason = 'scope: "7" is not a valid choice.';

/** From the sandbox's page: each step follows a link or presses a button. */
async function understandAndOpen(page: Page, choose: (target: Locator) => Promise<unknown>): Promise<void> {
  await page.goto(sandboxPage);
  await choose(page.getByRole('link', { name: /^Requests/ }).first());
  await page.waitForURL(`**${journal}`);
  await page.getByText(reason).waitFor();
  await choose(requests(page).filter({ hasText: reason }).getByRole('link').first());
  await page.getByRole('article').getByText(reason).first().waitFor();
  await choose(page.getByRole('link', { name: 'Open in a form' }));
  await page.waitForURL(`**${list}?understudy_entry=*`);
}

await test('a failed request is understood and opened in a form by keyboard, in three steps', { skip }, async (t) => {
  const { service, page } = await openService(t, { width: 640 });
  await service.request('POST', list, { as: 'alice', json: refused });
  let steps = 0;
  await understandAndOpen(page, async (target) => {
    steps++;
    await tabTo(page, target);
    await page.keyboard.press('Enter');
  });
  t.equal(steps, 3);
  t.same(await findFaults(page), []);

  await page.goto(journal);
  await untilLive(page);
  const listed = requests(page).getByRole('link', { name: /\/api\// });
  t.equal(await listed.count(), 1, 'that of the client alone');
  await tabTo(page, page.getByRole('link', { name: 'Show them' }));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/?from=all');
  t.equal(await listed.count(), 2);
  await page.getByRole('link', { name: 'Clients only' }).click();
  await page.getByText('Hidden: 1 request from pages.').waitFor();
});

await test('a failed request is understood and opened in a form without scripts', { skip }, async (t) => {
  const { service, page } = await openService(t, { scripts: false });
  await service.request('POST', list, { as: 'alice', json: refused });
  await understandAndOpen(page, (target) => target.click());
  t.equal(await page.getByLabel('notification required').inputValue(), '"RepositoryNotification"');
});

await test('long paths, many requests and odd texts fit the pages', { skip }, async (t) => {
  const service = await startService(t);
  const name = `x${'-y'.repeat(30)}`;
  const username = `${'u'.repeat(140)}@.+-_`;
  await service.request('PUT', `/_understudy/sandboxes/${name}`);
  const base = `/sandboxes/${name}`;
  const person = { username, email: 'u@example.com', full_name: '\u202e😀' };
  await service.request('POST', `${base}/api/users/`, { as: 'admin', json: person });
  for (let n = 0; n < 227; n++) await service.request('GET', `${base}/api/nowhere/${n}/`);
  await service.request(
    'GET',
    `${base}/api/users/${username}/${encodeURIComponent('\u202e😀')}/?q=${'long'.repeat(400)}`,
  );
  await service.request('GET', `/sandboxes/${'z'.repeat(150)}/api/`);
  for (const width of [390, 1280]) {
    const page = await openPage(t, { hosts: [service.url], width });
    for (const path of [`/_understudy/console/${name}/journal/`, '/_understudy/console/all/journal/']) {
      await page.goto(path);
      await untilLive(page);
      t.match(await page.locator('#notes > *').first().innerText(), /^(?:29|30) older requests left out here\. /);
      t.same(await findFaults(page), [], `${path} at ${width}`);
      await requests(page).getByRole('link').first().click();
      await page.getByRole('article').waitFor();
      t.same(await findFaults(page), [], `${page.url()} at ${width}`);
    }
  }
});
