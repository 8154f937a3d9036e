// Home and the choice of user in Chromium: by keyboard on a phone, what pages show to copy, and against other sites.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { type Test, test } from 'tap';
import { lastPrincipal } from '../support/as-browser.ts';
import { startService } from '../support/service.ts';
import { actAs, openForm } from './forms.ts';
import { findFaults, openPage, openService, skip } from './support.ts';

const list = '/api/users/alice/notifications/';
const summary = (page: Page) => page.locator('.account > summary');
const who = async (page: Page) => (await summary(page).innerText()).replaceAll(/\s+/g, ' ');

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
  const { page } = await openService(t);
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
  const changing = '#copy-set-one-of-them-to-daily-as-alice';
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

await test('a list tells its page, and takes a size', { skip }, async (t) => {
  const { page } = await openService(t, { width: 390 });
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
});

await test('the buttons of the home page copy, also by http from elsewhere', { skip }, async (t) => {
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
  await page.locator('[data-copy=token-2]').click();
  t.equal(await page.evaluate('navigator.clipboard.readText()'), 'wlu_bob_public_sample_token_000000000000');
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
