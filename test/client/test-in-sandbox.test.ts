// A test in a sandbox of its own: what its end adds to the test's own error, or makes one.
import { type Test, test } from 'tap';
import { type Client, connect } from '../../src/client/client.ts';
import { startService } from '../support/service.ts';
import { errorOfType } from './error-of.ts';

const list = '/api/users/alice/notifications/';

const errorOf = (work: Promise<unknown>) => errorOfType(Error, work);

const open = async (t: Test): Promise<Client> => connect((await startService(t)).url);

async function assertDropped(t: Test, api: Client): Promise<void> {
  t.equal((await api.sandboxes()).length, 1, 'all but default');
}

await test('a test that passes', async (t) => {
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

await test('a test that throws: its error stays as it is, and the requests are printed beside it', async (t) => {
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

await test('a test that hangs until its signal aborts', async (t) => {
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

await test('a test that fails without throwing', async (t) => {
  const api = await open(t);
  const error = await errorOf(api.withSandbox((box) => fetch(box.baseUrl + list), { failed: () => true }));
  t.match(error.message, /^Requests to Understudy, sandbox .*:\nGET +\/api\/users\/alice\/notifications\/  200/);
  t.equal(error.stack, String(error), 'no trace into the client');
});

await test('a test that requests what is not served', async (t) => {
  const api = await open(t);
  const printed = hearErrors(t);
  const request = (box: { baseUrl: string }) => fetch(`${box.baseUrl}/api/languages/`);
  const error = await errorOf(api.withSandbox(request));
  t.match(error.message, /doesn't serve:\nGET +\/api\/languages\/  404  anonymous  no such path is served\n/);
  t.match(error.message, '\n       not mirrored: languages\n');
  t.match(printed, [/^Requests to Understudy, .*:\nGET/], 'a runner may show the message on one line');
  t.equal((await api.withSandbox(request, { allowUnmatched: true })).status, 404);
});

await test('a service that ends meanwhile', async (t) => {
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
