// Runs the example CI jobs with the image of this checkout. Each job is read from its file and run as the CI system does: start the
// service, wait for its health or port, run the steps.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import tap, { type Test, test } from 'tap';
import { parse } from 'yaml';
import { buildImage, findObstacle } from './engine.ts';
import { examples, findMissing, run } from '../examples/run.ts';

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
  const folder = mkdtempSync(join(tmpdir(), 'understudy-example-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
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

/** Testcontainers, which builds the image, and `docker` may use different engine addresses. */
const skip = (await findObstacle()) || (await findMissing('docker', ['docker', 'version']));
tap.setTimeout(300_000);
const image = skip === false ? await buildImage() : '';

await test('a GitHub Actions job', { skip }, async (t) => {
  const { jobs } = read('github-actions.yml') as { jobs: { client: Job } };
  const { services, env, steps } = jobs.client;
  const service = services['understudy'];
  t.equal(service?.image, placeholder);
  // A free port in place of 8000; the rest follows the file.
  const flags = [...settings(service?.env), ...words(service?.options), '-p', '127.0.0.1::8000'];
  const id = await docker('run', '-d', ...flags, image);
  t.teardown(() => docker('rm', '-f', '-v', id));
  await untilHealthy(id);
  const address = await docker('port', id, '8000/tcp');

  const checkout = makeCheckout(t);
  t.equal(env['API_URL'], 'http://127.0.0.1:8000');
  for (const { run: step } of steps) {
    if (step === undefined) continue;
    const { code, output } = await run(['bash', '-e', '-c', step], {
      cwd: checkout,
      env: { API_URL: `http://${address}` },
    });
    t.equal(code, 0, output);
    t.match(output, /pass 1\b/);
  }
});

await test('a GitLab job', { skip }, async (t) => {
  const { client } = read('gitlab-ci.yml') as { client: Job };
  const [service] = client.services;
  t.equal(service?.name, placeholder);
  const network = await docker('network', 'create', `understudy-example-${process.pid}`);
  t.teardown(() => docker('network', 'rm', network));
  const aliased = ['--network', network, '--network-alias', service?.alias ?? ''];
  // The job's variables are passed to the service as well.
  const id = await docker('run', '-d', ...aliased, ...settings({ ...client.variables, ...service?.variables }), image);
  t.teardown(() => docker('rm', '-f', '-v', id));
  await untilHealthy(id);

  const job = [
    'run',
    '--rm',
    '--network',
    network,
    '-v',
    `${makeCheckout(t)}:/builds:ro`,
    '-w',
    '/builds',
    ...settings(client.variables),
  ];
  for (const line of client.script) t.match(await docker(...job, client.image, 'sh', '-e', '-c', line), /pass 1\b/);
});
