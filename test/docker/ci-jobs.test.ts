// Runs the example CI jobs with the image of this checkout. Each job is read from its file and run as the CI system does: start the
// service, wait for its health or port, run the steps.
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import tap, { type Test, test } from 'tap';
import { parse } from 'yaml';
import { buildImage, findObstacle } from './engine.ts';
import { examples, findMissing, run } from '../examples/run.ts';
import { makeFolder, pack, root } from '../package/tarball.ts';
import { missingPython, runPython } from '../support/python.ts';
import manifest from '../../package.json' with { type: 'json' };

interface Service {
  readonly image?: string;
  readonly name?: string;
  readonly alias?: string;
  readonly env?: Record<string, string>;
  readonly variables?: Record<string, string>;
  readonly options?: string;
}

interface Job {
  readonly services: Record<string, Service> & Service[];
  readonly image: string;
  readonly env: Record<string, string>;
  readonly variables: Record<string, string>;
  readonly steps: { run?: string }[];
  readonly script: string[];
}

const placeholder = 'registry.example.com/understudy:0.1.0';
const read = (file: string): unknown => parse(readFileSync(join(examples, file), 'utf8'));
const settings = (env: Record<string, string> = {}) =>
  Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
const words = (text = '') => text.split(' ').filter((word) => word !== '');
const docker = async (...args: string[]) => {
  const { code, output } = await run(['docker', ...args]);
  if (code !== 0) throw new Error(`docker ${args.join(' ')}: ${output}`);
  return output.trim();
};
async function untilHealthy(id: string): Promise<void> {
  while ((await docker('inspect', '-f', '{{.State.Health.Status}}', id)) === 'starting') await sleep(100);
}

/** A client's repository, whose test needs the service at API_URL. */
function makeCheckout(t: Test): string {
  const folder = makeFolder(t, 'example');
  writeFileSync(
    join(folder, 'client.test.mjs'),
    `import assert from 'node:assert/strict';
    import { test } from 'node:test';
    test('lists the notifications of alice', async () => {
      const headers = { authorization: 'Token wlu_alice_public_sample_token_0000000000' };
      const list = \`\${process.env.API_URL}/api/users/alice/notifications/\`;
      assert.equal((await fetch(list)).status, 404);
      const { count, next } = await (await fetch(\`\${list}?page_size=4\`, { headers })).json();
      assert.deepEqual({ count, next }, { count: 10, next: \`\${list}?page=2&page_size=4\` });
    });`,
  );
  return folder;
}

/** One with the example for vitest, the tarball and a lockfile. */
async function makeNodeCheckout(t: Test): Promise<string> {
  const folder = makeFolder(t, 'example');
  cpSync(join(examples, 'vitest/vitest.config.mjs'), join(folder, 'vitest.config.mjs'));
  cpSync(join(examples, 'vitest/notifications.test.js'), join(folder, 'notifications.test.js'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const { path } = pack(t);
  cpSync(path, join(folder, basename(path)));
  const packages = [`./${basename(path)}`, `vitest@${manifest.devDependencies.vitest}`];
  const { code, output } = await run(['npm', 'install', '--package-lock-only', '--save-dev', ...packages], {
    cwd: folder,
  });
  t.equal(code, 0, output);
  return folder;
}

/** One with the example for pytest and the wheel; and the folder of the programs of a new environment. */
function makePythonCheckout(t: Test): { folder: string; programs: string } {
  const folder = makeFolder(t, 'example');
  const programs = join(makeFolder(t, 'example'), 'bin');
  runPython(process.env['PYTHON_PATH'] || 'python3', '-m', 'venv', dirname(programs));
  const client = join(root, 'dist/clients/python');
  runPython(join(programs, 'pip'), 'wheel', '--quiet', '--no-deps', '--wheel-dir', folder, client);
  const [wheel = ''] = globSync('*.whl', { cwd: folder });
  writeFileSync(join(folder, 'requirements.txt'), `./${wheel}\npytest\nrequests\n`);
  cpSync(join(examples, 'pytest/test_notifications.py'), join(folder, 'test_notifications.py'));
  return { folder, programs };
}

/** Runs what a GitHub job runs by a shell, on this machine; returns what the last step prints. */
async function runSteps(t: Test, { steps }: Job, cwd: string, env: Record<string, string> = {}): Promise<string> {
  let last = '';
  for (const { run: step } of steps) {
    if (step === undefined) continue;
    const { code, output } = await run(['bash', '-e', '-c', step.replaceAll(placeholder, image)], { cwd, env });
    t.equal(code, 0, output);
    last = output;
  }
  return last;
}

/** Testcontainers, which builds the image, and `docker` may use different engine addresses. */
const skip = (await findObstacle()) || (await findMissing('docker', ['docker', 'version']));
tap.setTimeout(300_000);
const image = skip === false ? await buildImage() : '';

const github = (read('github-actions.yml') as { jobs: Record<string, Job> }).jobs;
const gitlab = read('gitlab-ci.yml') as Record<string, Job>;

/** Runs the script of a GitLab job, in its image and with its service; returns what it prints. */
async function runScript(
  t: Test,
  { services, variables, image: ofJob, script }: Job,
  checkout: string,
): Promise<string> {
  const network = await docker('network', 'create', `understudy-example-${process.pid}`);
  t.teardown(() => docker('network', 'rm', network));
  for (const { name, alias = '', variables: own } of services ?? []) {
    t.equal(name, placeholder);
    const aliased = ['--network', network, '--network-alias', alias];
    // The job's variables are passed to the service as well.
    const id = await docker('run', '-d', ...aliased, ...settings({ ...variables, ...own }), image);
    t.teardown(() => docker('rm', '-f', '-v', id));
    await untilHealthy(id);
  }
  const mounted = ['--network', network, '-v', `${checkout}:/checkout:ro`];
  // A runner clones into a folder of the container.
  const lines = ['cp -r /checkout /builds', 'cd /builds', ...script].join('\n');
  return docker(
    'run',
    '--rm',
    ...mounted,
    ...settings({ ...variables, NO_COLOR: '1' }),
    ofJob,
    'sh',
    '-e',
    '-c',
    lines,
  );
}

await test('GitHub and GitLab have a job for the package, the image and pytest', async (t) => {
  for (const jobs of [github, gitlab]) t.same(Object.keys(jobs), ['package', 'image', 'pytest']);
});

await test('a GitHub Actions job with the image', { skip }, async (t) => {
  const job = github['image'] as Job;
  const service = job.services['understudy'];
  t.equal(service?.image, placeholder);
  // A free port in place of 8000; the rest follows the file.
  const flags = [...settings(service?.env), ...words(service?.options), '-p', '127.0.0.1::8000'];
  const id = await docker('run', '-d', ...flags, image);
  t.teardown(() => docker('rm', '-f', '-v', id));
  await untilHealthy(id);
  const address = await docker('port', id, '8000/tcp');
  t.equal(job.env['API_URL'], 'http://127.0.0.1:8000');
  t.match(await runSteps(t, job, makeCheckout(t), { API_URL: `http://${address}` }), /pass 1\b/);
});

await test('a GitLab job with the image', { skip }, async (t) => {
  t.match(await runScript(t, gitlab['image'] as Job, makeCheckout(t)), /pass 1\b/);
});

await test('jobs with the package', { skip }, async (t) => {
  const checkout = await makeNodeCheckout(t);
  t.match(await runScript(t, gitlab['package'] as Job, checkout), /Tests +1 passed/);
  t.match(await runSteps(t, github['package'] as Job, checkout, { NO_COLOR: '1' }), /Tests +1 passed/);
});

const withoutPython = skip || missingPython;

await test('a GitHub Actions job with pytest', { skip: withoutPython }, async (t) => {
  const { folder, programs } = makePythonCheckout(t);
  const env = { PATH: [programs, process.env['PATH']].join(':') };
  t.match(await runSteps(t, github['pytest'] as Job, folder, env), /1 passed/);
});

const withoutImage = withoutPython || (await findObstacle(gitlab['pytest']?.image ?? ''));

await test('a GitLab job with pytest', { skip: withoutImage }, async (t) => {
  t.match(await runScript(t, gitlab['pytest'] as Job, makePythonCheckout(t).folder), /1 passed/);
});
