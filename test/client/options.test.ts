// What the client refuses before it sends anything: options that are misspelt, and a service that isn't known.
import { type Test, test } from 'tap';
import { connect } from '../../src/package/client/client.ts';
import { startService } from '../support/service.ts';
import { errorOf } from './error-of.ts';

const unchecked = (options: object) => options as never;

await test('an unknown option is refused with the nearest name', async (t) => {
  const { url } = await startService(t);
  const api = connect(url);
  const refused = (work: Promise<unknown>, message: string) => t.rejects(work, { name: 'TypeError', message });
  t.throws(() => connect(url, unchecked({ admintoken: 'x' })), {
    message: 'connect has no option admintoken; did you mean adminToken?',
  });
  await refused(api.sandbox(unchecked({ form: 'empty' })), 'sandbox has no option form; did you mean from?');
  await refused(api.sandbox(unchecked({ x: 1 })), 'sandbox has no option x; it has name, from, seed, expiresInSeconds');
  await refused(
    api.withSandbox(() => undefined, unchecked({ allowUnmached: true })),
    'withSandbox has no option allowUnmached; did you mean allowUnmatched?',
  );
  const box = await api.sandbox();
  const expectation = 'an expectation has no option time; did you mean times?';
  await refused(box.requests.expect({}, unchecked({ time: 0 })), expectation);
  await refused(box.requests.find({}, unchecked({ time: 0 })), expectation);
  t.equal((await api.sandboxes()).length, 2, 'nothing else was made');
});

function setEnvironment(t: Test, values: Readonly<Record<string, string>>): void {
  const before = { ...process.env };
  t.teardown(() => (process.env = before));
  process.env = { ...before, ...values };
}

await test('without a URL: the service of UNDERSTUDY_URL', async (t) => {
  t.throws(() => connect(process.env['UNDERSTUDY_URL']), {
    message:
      "no service is known: make 'weblate-understudy/setup' the global set-up of your test runner, or set UNDERSTUDY_URL",
  });
  t.throws(() => connect('localhost:8000'), { message: 'the URL must begin with http:// or https://' });
  const admin = { access: { mode: 'on', token: 'open-sesame', allowedHosts: [], isLocal: true } as const };
  const { url } = await startService(t, { admin: { ...admin, maxSandboxes: 10, journalBytes: 1 << 24 } });
  setEnvironment(t, { UNDERSTUDY_URL: url, UNDERSTUDY_ADMIN_TOKEN: 'open-sesame' });
  t.equal((await connect().sandboxes()).length, 1, 'with the admin token of the environment');
  t.equal((await connect(url).sandboxes()).length, 1);
  t.match(await errorOf(connect(`${url}/`).sandboxes()), { status: 403 }, 'which no other service gets');
  setEnvironment(t, { UNDERSTUDY_URL: 'localhost:8000' });
  t.throws(() => connect(), { name: 'TypeError', message: 'UNDERSTUDY_URL must begin with http:// or https://' });
});
