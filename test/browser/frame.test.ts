// The header of every page as people use it: another sandbox, another user, and long names.
import type { Page } from 'playwright-core';
import { type Test, test } from 'tap';
import { type Service, startService } from '../support/service.ts';
import { findFaults, findFocusFaults, openPage, skip, tabTo } from './support.ts';

const put = (service: Service, sandbox: string, ...rules: readonly object[]) =>
  service.request('PUT', `/_understudy/sandboxes/${sandbox}/faults`, { json: { rules } });

async function startWith(t: Test, ...names: readonly string[]): Promise<Service> {
  const service = await startService(t);
  for (const name of names) await service.request('PUT', `/_understudy/sandboxes/${name}`);
  return service;
}

const menuOf = (page: Page, kind: string) => page.locator(`.${kind} > summary`);

await test('the same page of another sandbox, by keyboard', { skip }, async (t) => {
  const service = await startWith(t, 'box', 'job-17');
  const page = await openPage(t, { hosts: [service.url] });
  await page.goto('/_understudy/console/default/faults/');
  await tabTo(page, menuOf(page, 'sandboxes'));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('link', { name: 'box', exact: true }));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/box/faults/');
  t.equal(await page.title(), 'Faults · Console · box · Understudy');
  await page.goto('/sandboxes/box/api/users/');
  await menuOf(page, 'sandboxes').click();
  await page.getByLabel('Another sandbox').fill('job-17');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/_understudy/?name=job-17');
  await page.getByRole('link', { name: 'job-17', exact: true }).click();
  await page.waitForURL('**/console/job-17/');
});

await test('menus close by Escape and by a click elsewhere', { skip }, async (t) => {
  const service = await startWith(t, 'box');
  const page = await openPage(t, { hosts: [service.url] });
  await page.goto('/_understudy/console/box/');
  const open = async () => page.locator('.menu[open]').count();
  for (const kind of ['sandboxes', 'account']) {
    await menuOf(page, kind).focus();
    await page.keyboard.press('Enter');
    t.equal(await open(), 1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    t.equal(await open(), 0, 'Escape closes it');
    t.same(await findFocusFaults(page), [], 'and the focus is on its button');
    t.equal(await page.evaluate('document.activeElement.tagName'), 'SUMMARY');
    await menuOf(page, kind).click();
    await page.locator('footer').click();
    t.equal(await open(), 0, 'a click elsewhere closes it');
  }
  await menuOf(page, 'sandboxes').click();
  await menuOf(page, 'account').click();
  t.equal(await open(), 1, 'only one is open');
});

await test('a page of the console changes whom the pages of its sandbox act as', { skip }, async (t) => {
  const service = await startWith(t, 'box');
  const page = await openPage(t, { hosts: [service.url] });
  await page.goto('/_understudy/console/box/journal/');
  await menuOf(page, 'account').click();
  await page.getByRole('button', { name: /^bob/ }).click();
  await page.locator('.account > summary', { hasText: 'as bob' }).waitFor();
  t.match(page.url(), '/console/box/journal/');
  await page.goto('/sandboxes/box/api/users/bob/');
  t.match(await menuOf(page, 'account').innerText(), /as\s+bob/);
  await page.goto('/');
  t.match(await menuOf(page, 'account').innerText(), 'no user');
});

const longName = 'Wilhelmina\u202e'.padEnd(150, 'x');
const longSandbox = 'a-sandbox-with-a-rather-long-name-for-job-17-of-the-night-build';

for (const [width, scheme, colours] of [
  [390, 'light', 'none'],
  [1280, 'dark', 'active'],
] as const)
  await test(`the frame holds long names and many sandboxes: ${width} px, ${scheme}`, { skip }, async (t) => {
    const service = await startWith(t, longSandbox, ...Array.from({ length: 12 }, (_, n) => `job-${n}`));
    const name = longName.replace('\u202e', 'ə');
    await service.request('POST', '/api/users/', {
      as: 'admin',
      json: { username: name, full_name: longName, email: 'long@example.com' },
    });
    const { json } = await service.request('POST', '/_understudy/sandboxes/default/tokens', {
      json: { username: name },
    });
    const path = `/api/${'users-and-more/'.repeat(20)}`;
    const faults = [
      { match: { path: '/api/nowhere/' }, status: 503 },
      { match: { path }, connection: 'cut' },
      { delay_ms: 1 },
    ];
    for (const sandbox of ['default', longSandbox]) await put(service, sandbox, ...faults, ...faults);
    const page = await openPage(t, { hosts: [service.url], width, scheme });
    await page.emulateMedia({ forcedColors: colours });
    await page.goto('/');
    await menuOf(page, 'account').click();
    await page.getByLabel('Or with a token').fill((json as { token: string }).token);
    await page.getByRole('button', { name: 'Act', exact: true }).click();
    for (const address of ['/', `/sandboxes/${longSandbox}/api/`, `/_understudy/console/${longSandbox}/faults/`]) {
      await page.goto(address);
      const header = page.locator('header');
      t.ok(((await header.boundingBox())?.height ?? 999) < 130, `${address}: two rows at most`);
      for (const kind of ['sandboxes', 'account']) {
        await menuOf(page, kind).click();
        t.same(await findFaults(page), [], `${address} with ${kind}`);
        await page.keyboard.press('Escape');
      }
    }
  });
