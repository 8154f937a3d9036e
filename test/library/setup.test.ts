// The runners' global set-up: strict, with the options of each runner's configuration, and with variables that win over them.
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Test, t as file, test } from 'tap';
import { providePackedCluster } from '../support/packed-cluster.ts';
import { makePlace } from '../support/place.ts';

file.setTimeout(240_000);

await providePackedCluster();
const place = makePlace(file);
const { NODE_OPTIONS: _, ...environment } = process.env;
const list = '/api/users/alice/notifications/';

interface Ran {
  readonly code: number | null;
  readonly stderr: string;
  /** Of a request without a token. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly urls?: readonly string[];
}

/** Calls the set-up in a process of its own with arguments as its runner's, and sends a request. */
async function run(t: Test, args: unknown[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const program = `
    import setup from ${JSON.stringify(join(import.meta.dirname, '../../src/package/library/setup.ts'))};
    import { connect } from ${JSON.stringify(join(import.meta.dirname, '../../src/package/library/index.ts'))};
    const args = ${JSON.stringify(args)};
    const end = await setup(...args);
    const urls = [process.env.UNDERSTUDY_URL];
    await setup(...args);
    const { status, headers } = await fetch(urls[0] + '${list}', { headers: { origin: 'http://localhost:5173' } });
    await connect().sandboxes();
    await end?.();
    urls.push(process.env.UNDERSTUDY_URL, process.env.UNDERSTUDY_ADMIN_TOKEN);
    console.log(JSON.stringify({ status, headers: Object.fromEntries(headers), urls }));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...environment, ...place.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr, ...(stdout === '' ? {} : (JSON.parse(stdout) as Partial<Ran>)) };
}

await test('without options a request without its token fails, as at Weblate', async (t) => {
  const { urls = [], ...ran } = await run(t, []);
  t.match(ran, { code: 0, status: 404, stderr: '' });
  t.match(urls, [/^http:\/\/127\.0\.0\.1:\d+$/, null, null], 'the URL is in the environment until the end');
});

const options = { understudy: { anonymous: 'read', adminToken: 'open-sesame', corsOrigins: 'http://localhost:5173' } };
const allowed = { 'access-control-allow-origin': 'http://localhost:5173' };
for (const [runner, args] of Object.entries({
  vitest: [{ config: { provide: options } }],
  Jest: [{ rootDir: '/x' }, { globals: options }],
  'Playwright test': [{ metadata: options, projects: [] }],
}))
  await test(`options as ${runner} has them`, async (t) => {
    t.match(await run(t, args), { code: 0, status: 200, headers: allowed, urls: [/^http/, null, null] });
  });

await test('a variable wins over its option, and over no other', async (t) => {
  const ran = await run(t, [{ metadata: options }], { UNDERSTUDY_ANONYMOUS: 'strict', UNDERSTUDY_RATE_LIMIT_USER: '' });
  t.match(ran, { code: 0, status: 404, headers: allowed });
});

await test('the set-up names a wrong option or variable', async (t) => {
  const misspelt = await run(t, [{ metadata: { understudy: { anonymus: 'read' } } }]);
  t.match(misspelt, { code: 1, stderr: /TypeError: start has no option anonymus; did you mean anonymous\?/ });
  const variable = await run(t, [], { UNDERSTUDY_SEDE: 'x' });
  t.match(variable, { code: 1, stderr: /UNDERSTUDY_SEDE is not a variable .*; did you mean UNDERSTUDY_SEED\?/ });
  const url = await run(t, [], { UNDERSTUDY_URL: 'localhost:8000' });
  t.match(url, { code: 1, stderr: /TypeError: UNDERSTUDY_URL must begin with http/ });
});

await test('a service that the environment names is used, and a note says so', async (t) => {
  const UNDERSTUDY_URL = 'http://127.0.0.1:1';
  const { stderr } = await run(t, [], { UNDERSTUDY_URL });
  t.match(stderr, `Understudy: UNDERSTUDY_URL is set: all tests use ${UNDERSTUDY_URL}; no service is started.\n`);
});
