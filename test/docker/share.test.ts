// docs/how-to/share-with-your-team.md, executed: its command lines in their order, in a copy of the checkout.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tap, { type Test, test } from 'tap';
import { run } from '../examples/run.ts';
import { codeBlocks, pages, root } from '../support/pages.ts';
import { findFreePort } from '../support/programs.ts';
import { findObstacle, findObstacleToCompose } from './engine.ts';

const page = pages.get('docs/how-to/share-with-your-team.md') ?? '';
const blocks = codeBlocks(page, 'sh');
const lacksCompose = findObstacleToCompose();
const skip = (await findObstacle('postgres:18')) || lacksCompose;
tap.setTimeout(600_000);

/** What Git has of the checkout, in a folder of its own. */
function copyCheckout(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-share-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of files.toString().split('\0').filter(Boolean))
    cpSync(join(root, file), join(folder, file), { recursive: true, verbatimSymlinks: true });
  return folder;
}

await test(
  'compose passes each setting of .env to the service, but for what it decides itself',
  { skip: lacksCompose },
  async (t) => {
    const folder = copyCheckout(t);
    const settings = { UNDERSTUDY_MAX_SANDBOXES: '7', UNDERSTUDY_ADMIN_TOKEN: 'a-long-secret', LOG_LEVEL: 'debug' };
    const decided = { PORT: '9000', UNDERSTUDY_HOST: '192.0.2.7', UNDERSTUDY_BIND: '0.0.0.0' };
    const lines = Object.entries({ ...settings, ...decided }).map(([name, value]) => `${name}=${value}\n`);
    const readConfig = async () => {
      const { code, output } = await run(['docker', 'compose', 'config', '--format', 'json'], { cwd: folder });
      t.equal(code, 0, output);
      return (JSON.parse(output) as { services: { understudy: object } }).services.understudy;
    };
    const usual = { host_ip: '127.0.0.1', published: '8000', target: 8000 };
    t.match(await readConfig(), { ports: [usual], environment: { UNDERSTUDY_BIND: '127.0.0.1' } });
    writeFileSync(join(folder, '.env'), lines.join(''));
    t.match(await readConfig(), {
      restart: 'unless-stopped',
      ports: [{ host_ip: '0.0.0.0', published: '9000', target: 8000 }],
      environment: { ...settings, PORT: '8000', UNDERSTUDY_HOST: '0.0.0.0', UNDERSTUDY_BIND: '0.0.0.0' },
    });
  },
);

await test('the command lines of the page work in their order', { skip }, async (t) => {
  const cwd = copyCheckout(t);
  const [port, other] = [await findFreePort(), await findFreePort()];
  const name = `understudy-share-${process.pid}`;
  // The second command line builds it.
  const image = `understudy-test:${name}`;
  const env = { COMPOSE_PROJECT_NAME: name, API_IMAGE: image, PORT: `${port}` };
  // Names and ports of this run.
  const inRun = (line: string) =>
    line
      .replaceAll('127.0.0.1:8000', `127.0.0.1:${port}`)
      .replaceAll('127.0.0.1:8001', `127.0.0.1:${other}`)
      .replaceAll('understudy-alone', `${name}-alone`)
      .replace(/(?<=127\.0\.0\.1) understudy$/m, ` ${image}`);
  async function execute(lines: string): Promise<string> {
    const { code, output } = await run(['sh', '-ec', inRun(lines)], { cwd, env });
    t.equal(code, 0, `${lines}\n${output}`);
    return output;
  }
  t.teardown(() => run(['docker', 'compose', 'down', '--volumes', '--rmi', 'local'], { cwd, env }));

  const [settings = '', start = '', seed = '', backUp = '', exporting = '', alone = ''] = blocks;
  t.equal(blocks.length, 6, 'each is executed here');
  const ada = { authorization: 'Token wlu_choose_a_long_secret', 'content-type': 'application/json' };
  const users = `http://127.0.0.1:${port}/api/users/`;
  const countUsers = async () => ((await (await fetch(users, { headers: ada })).json()) as { count: number }).count;
  const addUser = async (username: string) => {
    const body = JSON.stringify({ username, full_name: username, email: `${username}@example.com`, is_active: true });
    t.equal((await fetch(users, { method: 'POST', headers: ada, body })).status, 201);
  };

  await execute(settings);
  await execute(start);
  t.equal(await countUsers(), 2, 'the seed of seeds.local');
  t.equal((await fetch(`${users}ada/`)).status, 404, 'strict');
  t.equal((await fetch(`http://127.0.0.1:${port}/_understudy/sandboxes`)).status, 403, 'needs the admin token');
  t.match(await execute('docker compose logs understudy'), 'are open to holders of UNDERSTUDY_ADMIN_TOKEN');

  await addUser('later');
  await execute(seed);
  t.equal(await countUsers(), 2);

  const [dump = '', ...restore] = backUp.trim().split('\n');
  await execute(dump);
  await addUser('afterwards');
  await execute(restore.join('\n'));
  t.equal(await countUsers(), 2, 'as it was when the dump was made');

  await execute(exporting);
  await addUser('till-the-night');
  const [, nightly = ''] = /^0 3 \* \* \* cd \S+ && (.*)$/m.exec(page) ?? [];
  t.not(nightly, '');
  await execute(nightly);
  t.equal(await countUsers(), 2, 'the seed of the last --replace');

  const [runAlone = '', stop = ''] = alone.split(/^(?=docker stop)/m);
  await execute(runAlone);
  const url = `http://127.0.0.1:${other}`;
  for (;;) {
    const ready = await fetch(`${url}/_understudy/health/ready`).catch(() => undefined);
    if (ready?.status === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  t.equal((await fetch(`${url}/_understudy/sandboxes`)).status, 200, 'open, because it is published on loopback');
  await execute(stop);
});
