// A test in a sandbox of its own: what is printed when it fails, and which tests fail at their end.
import { type Test, test } from 'tap';
import { type Client, connect } from '../../src/package/client/client.ts';
import type { Sandbox } from '../../src/package/client/sandbox-client.ts';
import { startService } from '../support/service.ts';
import { errorOfType } from './error-of.ts';

const list = '/api/users/alice/notifications/';

const errorOf = (work: Promise<unknown>) => errorOfType(Error, work);

const open = async (t: Test, journalBytes = 1 << 24): Promise<Client> =>
  connect((await startService(t, { admin: { access, maxSandboxes: 10, journalBytes } })).url);
const access = { mode: 'on', token: undefined, allowedHosts: [], isLocal: true } as const;

async function assertDropped(t: Test, api: Client): Promise<void> {
  t.equal((await api.sandboxes()).length, 1, 'all but default');
}

await test('a test that passes returns its value, and its sandbox is dropped', async (t) => {
  const api = await open(t);
  const status = await api.withSandbox(async (box) => (await fetch(box.baseUrl + list)).status, {
    seed: { users: [{ username: 'alice' }] },
  });
  t.equal(status, 200);
  await assertDropped(t, api);
});

/** What is printed on standard error from now on. */
function hearErrors(t: Test): string[] {
  const printed: string[] = [];
  t.intercept(console, 'error', { value: (text: string) => void printed.push(text) });
  return printed;
}

await test('if a test throws, its error is unchanged, and the requests are printed', async (t) => {
  const api = await open(t);
  const printed = hearErrors(t);
  const fail = (error: unknown) =>
    api.withSandbox(async (box) => {
      await fetch(`${box.baseUrl}${list}?page=9`);
      throw error;
    });
  const original = new TypeError('the first line\nthe second');
  const { message, stack } = original;
  t.equal(await errorOf(fail(original)), original);
  t.same([original.message, original.stack], [message, stack]);
  t.match(printed, [/^Requests to Understudy, sandbox .*:\nGET +\/api.*\?page=9  404  anonymous/]);

  for (const error of [AbortSignal.abort().reason, Object.freeze(new Error('frozen'))])
    t.equal(await errorOf(fail(error)), error);
  await t.rejects(fail('a text'), 'a text');
  t.equal(printed.length, 4);
  await errorOf(api.withSandbox(() => Promise.reject(new Error('before a request'))));
  t.match(printed.at(-1), /:\nnone$/);
  await assertDropped(t, api);
});

await test('a test that hangs fails when its signal aborts', async (t) => {
  const api = await open(t);
  const printed = hearErrors(t);
  const reason = new Error('time is over');
  const controller = new AbortController();
  const hanging = api.withSandbox(
    async (box) => {
      await fetch(box.baseUrl + list);
      controller.abort(reason);
      await new Promise(() => undefined);
    },
    { signal: controller.signal },
  );
  t.equal(await errorOf(hanging), reason);
  t.match(printed, [/:\nGET +\/api\/users\/alice\/notifications\/  200/]);
  t.equal(await errorOf(api.withSandbox(() => new Promise(() => undefined), { signal: controller.signal })), reason);
  await assertDropped(t, api);
});

await test('the requests are printed for a test that fails without throwing', async (t) => {
  const api = await open(t);
  const error = await errorOf(api.withSandbox((box) => fetch(box.baseUrl + list), { failed: () => true }));
  t.match(error.message, /^Requests to Understudy, sandbox .*:\nGET +\/api\/users\/alice\/notifications\/  200/);
  t.equal(error.stack, String(error), 'no trace into the client');
});

await test('a test that requests a path that isn’t served fails', async (t) => {
  const api = await open(t);
  const printed = hearErrors(t);
  const request = (box: { baseUrl: string }) => fetch(`${box.baseUrl}/api/languages/`);
  const error = await errorOf(api.withSandbox(request));
  t.match(error.message, /^A test may only request paths that Understudy serves, unless it sets allowUnmatched\.\n/);
  t.match(
    error.message,
    /\n {2}1\. GET +\/api\/languages\/  404  anonymous  no such path is served\n {7}not mirrored: languages\n/,
  );
  t.match(printed, [/^Requests to Understudy, .*:\nGET/], 'a runner may show the message on one line');
  t.equal((await api.withSandbox(request, { allowUnmatched: true })).status, 404);
});

await test('a test fails if the journal dropped requests to paths that may not be served', async (t) => {
  const api = await open(t, 1 << 15);
  const printed = hearErrors(t);
  const send = async (box: Sandbox) => {
    for (let n = 0; n < 200; n++) await fetch(`${box.baseUrl}/api/`);
    const found = await box.requests.find({ path: '/api/' });
    t.ok(found.dropped > 0 && found.count > 20, `${found.dropped} dropped, ${found.count} kept`);
    return found;
  };
  const error = await errorOf(api.withSandbox(send));
  t.match(
    error.message,
    /allowUnmatched\.\nExpected no request, .*\n(?:.*\n)The journal dropped the oldest \d+ requests\b/,
  );
  t.match(printed, [/^Requests to .*:\nThe journal dropped .*\nThe last 20 of \d+:(?:\nGET +\/api.*){20}$/]);
  t.equal((await api.withSandbox(send, { allowUnmatched: true })).matched, true, 'at least one');

  const mismatch = await errorOf(
    api.withSandbox(async (box) => {
      await send(box);
      await box.requests.expect({ method: 'DELETE' }, { times: 0 });
    }),
  );
  t.match(
    mismatch.message,
    /^Expected no request, but .* received none, and perhaps \d+ that its journal can't compare/,
  );
  await api.withSandbox(async (box) => {
    await send(box);
    await box.requests.clear();
    t.strictSame(await box.requests.expect({ method: 'DELETE' }, { times: 0 }), []);
  });
});

await test('the test’s own error stays if the service ends meanwhile', async (t) => {
  const service = await startService(t);
  const printed = hearErrors(t);
  await t.rejects(
    connect(service.url).withSandbox(async () => {
      await service.app.close();
      throw new Error('the test failed');
    }),
    { message: 'the test failed' },
  );
  t.match(printed, [/^The requests to Understudy, sandbox .*, can't be read: .* is not reachable/]);
});
