// Home and the choice of user in Chromium: by keyboard on a phone, in strict mode, with another seed, without scripts, and
// against other sites.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { type Test, test } from 'tap';
import { lastPrincipal } from '../support/as-browser.ts';
import { runCurl } from '../support/run-curl.ts';
import { startService } from '../support/service.ts';
import { launchChromium } from './chromium.ts';
import { actAs, openForm } from './forms.ts';
import { findFaults, openPage, skip, tabTo } from './support.ts';

const list = '/api/users/alice/notifications/';
const summary = (page: Page) => page.locator('.account > summary');
const who = async (page: Page) => (await summary(page).innerText()).replaceAll(/\s+/g, ' ');

await test('act as alice by keyboard on a phone', { skip }, async (t) => {
  const service = await startService(t);
  const page = await openPage(t, { hosts: [service.url], width: 390 });
  await page.goto(list);
  t.equal(await who(page), 'no user');
  await tabTo(page, summary(page));
  await page.keyboard.press('Enter');
  t.same(await findFaults(page), []);
  await page.keyboard.press('Escape');
  t.equal(await page.locator('.account[open]').count(), 0, 'Escape closes it');
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: /^alice/ }));
  await page.keyboard.press('Enter');
  await page.locator('.account > summary', { hasText: 'as alice' }).waitFor();
  t.equal(new URL(page.url()).pathname, list);
  t.equal(await lastPrincipal(service), 'alice');
  t.same(await page.evaluate('document.cookie'), '', 'no script sees the cookie');
  for (const name of ['Home', 'API', 'Documentation', 'Console']) {
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name }).click();
    t.equal(await page.locator('.sections [aria-current]').innerText(), name);
  }
  await page.goto('/');
  t.equal(await who(page), 'as alice');
  await tabTo(page, summary(page));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: /^No user/ }));
  await page.keyboard.press('Enter');
  await page.locator('.account > summary', { hasText: 'no user' }).waitFor();
});

/** In place of the package, which the machine may lack: the call that pages show. */
const requestsInPython = `
import json as coder, sys, types, urllib.request
def request(method, url, headers={}, json=None, data=None):
    if json is not None:
        headers, data = {**headers, "Content-Type": "application/json"}, coder.dumps(json).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as answer:
        return types.SimpleNamespace(status_code=answer.status, text=answer.read().decode())
sys.modules["requests"] = types.SimpleNamespace(request=request)
`;

await test('requests are shown in the language chosen last, as the user chosen, and work', { skip }, async (t) => {
  const service = await startService(t);
  const page = await openPage(t, { hosts: [service.url] });
  await page.goto('/');
  t.match(await page.locator('#copy-variables').innerText(), /^export API_URL='http.*'\nexport TOKEN='wlu_alice/);
  const run = promisify(execFile);
  const runShown = async (language: string, at: string) => {
    await page.locator('[data-request] select').first().selectOption(language);
    const code = (await page.locator(at).textContent()) ?? '';
    const [program, ...args] =
      language === 'Python'
        ? ['python3', '-c', requestsInPython + code]
        : [process.execPath, '--input-type=module', '-e', code];
    return (await run(program ?? '', args)).stdout;
  };
  const changing = '#copy-change-one-of-them-as-alice-to-daily';
  for (const language of ['Python', 'JavaScript']) t.match(await runShown(language, changing), /^200 .*"frequency":2/);
  t.match(await runShown('Python', '#copy-make-a-copy-of-this-sandbox-for-a-ci-job'), /^201 /);
  await page.goto(list);
  t.equal(await page.locator('[data-request] select').first().inputValue(), 'Python', 'remembered');
  await page.goto('/api/users/bob/notifications/');
  await actAs(page, 'bob');
  const form = await openForm(page, 'POST');
  await form.locator('[data-key=notification]').selectOption({ index: 3 });
  const code = (await form.locator('.copy code').textContent()) ?? '';
  t.match(code, /"Token wlu_bob_/);
  t.match(code, /json=\{\n +"notification": "[A-Z]/);
  await page.goto('/');
  t.match(await page.locator('#copy-variables').innerText(), 'wlu_bob_');
  t.match(await runShown('JavaScript', '#copy-read-the-subscriptions-of-bob'), /^200 .*"count":9/);
  t.same(await findFaults(page), []);
});

await test('a list tells its page, and takes a size and filters by fields', { skip }, async (t) => {
  const service = await startService(t);
  const page = await openPage(t, { hosts: [service.url], width: 390 });
  await page.goto(list);
  await page.getByText('Page size, format and filters').click();
  await page.getByLabel('page_size').fill('4');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('link', { name: 'Next' }).click();
  t.equal(await page.locator('caption').innerText(), '5–8 of 10, page 2 of 3');
  t.equal(new URL(page.url()).search, '?page=2&page_size=4', 'without what was left empty');
  await page.getByRole('link', { name: 'Last' }).click();
  t.equal(await page.locator('caption').innerText(), '9–10 of 10, page 3 of 3');
  t.same(await findFaults(page), []);
  const table = page.locator('.table');
  const [wide, room] = await Promise.all(
    (['scrollWidth', 'clientWidth'] as const).map((width) =>
      table.evaluate((element: Record<typeof width, number>, of) => element[of], width),
    ),
  );
  t.equal(wide, room, 'nothing is cut');
  await page.goto('/api/users/');
  await actAs(page, 'admin');
  await page.getByText('Page size, format and filters').click();
  await page.locator('#query-username').fill('al');
  await page.getByRole('button', { name: 'Show' }).click();
  t.equal(await page.locator('caption').innerText(), '1 in all');
  await page.getByRole('button', { name: 'Send OPTIONS' }).click();
  await page.getByText('OPTIONS').first().waitFor();
  t.match(await page.locator('main').innerText(), 'full_name');
});

await test('a wrong token shows an error, and the right one works', { skip }, async (t) => {
  const service = await startService(t, { anonymous: 'strict' });
  await service.request('PUT', '/_understudy/sandboxes/default/seed', {
    json: { users: [{ username: 'zoe', token: 'wlu_zoe' }] },
  });
  const page = await openPage(t, { hosts: [service.url], width: 390 });
  await page.goto('/api/users/zoe/');
  await summary(page).click();
  const field = page.getByLabel('With a user’s token');
  t.equal(await field.getAttribute('autocomplete'), 'off');
  await field.fill('wlu_nonsense');
  await field.press('Enter');
  await page.getByText('Invalid token.').waitFor();
  t.same(await findFaults(page), []);
  await page.getByLabel('With a user’s token').fill('wlu_zoe');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${service.url}/api/users/zoe/`);
  t.equal(await who(page), 'as zoe');
  t.equal(await lastPrincipal(service), 'zoe');
});

await test(
  'what the buttons of the home page copy works in a shell, also by http from elsewhere',
  { skip },
  async (t) => {
    const service = await startService(t);
    const page = await openPage(t, { hosts: [service.url], width: 390 });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    // Pages that came by http from another machine can't write by it.
    await page.addInitScript(`Object.defineProperty(navigator.clipboard, 'writeText', { value: undefined })`);
    await page.goto('/');
    const copied = async (place: number, name = 'Copy') => {
      await page.getByRole('button', { name }).nth(place).click();
      await page.getByRole('button', { name: 'Copied' }).first().waitFor();
      return (await page.evaluate('navigator.clipboard.readText()')) as string;
    };
    t.equal(await copied(0), service.url);
    for (let line = 0; line < 3; line++) {
      const text = await page.locator('#steps ~ .row').nth(line).locator('code').innerText();
      await page.locator('#steps ~ .row').nth(line).getByRole('button').click();
      t.equal(await page.evaluate('navigator.clipboard.readText()'), text);
      t.ok((await runCurl(text)).status < 400, text);
    }
    await page.locator('[data-copy=token-2]').click();
    t.equal(await page.evaluate('navigator.clipboard.readText()'), 'wlu_bob_public_sample_token_000000000000');
  },
);

await test('the home page works without scripts', { skip }, async (t) => {
  const service = await startService(t);
  const browser = await launchChromium();
  const context = await browser.newContext({ baseURL: service.url, javaScriptEnabled: false });
  t.teardown(() => context.close());
  const page = await context.newPage();
  await page.goto('/');
  t.equal(await page.getByRole('button', { name: 'Copy' }).count(), 0, 'no button that does nothing');
  await summary(page).click();
  await page.getByRole('button', { name: /^alice/ }).click();
  t.equal(await who(page), 'as alice');
});

await test('the choice of a user holds for one sandbox', { skip }, async (t) => {
  const service = await startService(t);
  await service.request('PUT', '/_understudy/sandboxes/job-17');
  const page = await openPage(t, { hosts: [service.url], width: 390 });
  await page.goto('/');
  await summary(page).click();
  await page.getByRole('button', { name: /^alice/ }).click();
  await page.goto('/sandboxes/job-17');
  t.equal(page.url(), `${service.url}/sandboxes/job-17/`);
  t.equal(await who(page), 'no user', 'the choice is of one sandbox');
  await page.goto('/sandboxes/job-17/api/users/bob/notifications/');
  await summary(page).click();
  await page.getByRole('button', { name: /^bob/ }).click();
  t.equal(await who(page), 'as bob');
  t.equal(await lastPrincipal(service, 'job-17'), 'bob');
  await page.goto('/');
  t.equal(await who(page), 'as alice');
});

/** A page at another port of the host: the browser sends it the service's cookies, which hold for the whole host. */
async function startStranger(t: Test): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Stranger</title><link rel="icon" href="data:,">');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

await test('another port of the host: its forms and requests act as nobody', { skip }, async (t) => {
  const stranger = await startStranger(t);
  const service = await startService(t, { corsOrigins: [stranger] });
  const page = await openPage(t, {
    hosts: [service.url, stranger],
    expected: /^console error: Access to fetch|^net::ERR_FAILED/,
  });
  await page.goto('/');
  await summary(page).click();
  await page.getByRole('button', { name: /^alice/ }).click();
  t.equal(await who(page), 'as alice');

  await page.goto(stranger);
  const status = (options: string) =>
    page.evaluate(
      `fetch('${service.url}${list}?format=api', ${options}).then(({ status }) => status, () => 'blocked')`,
    );
  t.equal(await status("{ credentials: 'include' }"), 'blocked', 'it can’t read what the cookie shows');
  await status("{ credentials: 'include', mode: 'no-cors', method: 'POST', body: new URLSearchParams({ scope: 10 }) }");
  t.equal(await lastPrincipal(service), null, 'and the cookie, which was sent, doesn’t count');

  const post = async (action: string, fields: Record<string, string>) => {
    await page.goto(stranger);
    const answer = page.waitForResponse((response) => response.url() === action);
    await page.evaluate(`(() => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: '${action}' });
      for (const [name, value] of Object.entries(${JSON.stringify(fields)}))
        form.append(Object.assign(document.createElement('input'), { name, value }));
      document.body.append(form);
      form.submit();
    })()`);
    const answered = await answer;
    await page.waitForURL(action);
    t.match(await answered.request().allHeaders(), { cookie: /understudy-user/ }, 'the browser sent the cookie');
    return answered.status();
  };
  t.equal(await post(`${service.url}/session/`, { act_as: 'bob' }), 403);
  t.equal(await post(`${service.url}${list}`, { notification: 'LockNotification', scope: '20', frequency: '1' }), 403);
  await page.goto('/');
  t.equal(await who(page), 'as alice');
});
