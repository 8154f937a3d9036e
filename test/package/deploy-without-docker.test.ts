// The page for systemd, as it stands: installed by root, and run with the unit's environment as an ordinary account.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import tap, { test } from 'tap';
import { codeBlocks, pages } from '../support/pages.ts';
import { findProgram } from '../support/programs.ts';
import { makeFolder, pack } from './tarball.ts';

tap.setTimeout(600_000);

const isRoot = process.getuid?.() === 0;
const skip = !(isRoot && findProgram('setpriv') !== undefined) && 'needs root and setpriv';
// `nobody`, whom every system has: the page makes an account of its own.
const account = 65_534;

await test('deploy-without-docker.md', { skip }, async (t) => {
  const root = makeFolder(t, 'machine');
  chmodSync(root, 0o755);
  const page = (pages.get('docs/how-to/deploy-without-docker.md') ?? '').replaceAll(
    /(?<![\w/.])\/(?=opt\/|etc\/|var\/)/g,
    `${root}/`,
  );
  for (const folder of ['opt/understudy', 'etc', 'var/lib/understudy', 'var/cache/understudy'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const folder of ['var/lib/understudy', 'var/cache/understudy']) chownSync(join(root, folder), account, account);
  const shell = codeBlocks(page, 'sh');
  const [environment = '', unit = ''] = codeBlocks(page, 'ini');
  const valuesOf = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value ?? '');
  t.same(valuesOf('RestartPreventExitStatus'), ['2 78']);

  const node = dirname(process.execPath);
  /** What systemd gives to a unit with User, StateDirectory and CacheDirectory; `node` stands for the machine's. */
  const ofSystemd = [
    `PATH=${node}:/usr/local/bin:/usr/bin:/bin`,
    `HOME=${root}/opt/understudy`,
    'USER=understudy',
    'LOGNAME=understudy',
    'SHELL=/usr/sbin/nologin',
    'LANG=C.UTF-8',
    ...valuesOf('StateDirectory').map((name) => `STATE_DIRECTORY=${root}/var/lib/${name}`),
    ...valuesOf('CacheDirectory').map((name) => `CACHE_DIRECTORY=${root}/var/cache/${name}`),
    ...valuesOf('Environment').flatMap((line) => line.split(' ')),
  ];
  const asAccount = [
    'setpriv',
    `--reuid=${account}`,
    `--regid=${account}`,
    '--clear-groups',
    '--no-new-privs',
    'env',
    '-i',
  ];
  const cwd = valuesOf('WorkingDirectory')[0] ?? '';
  const port = 30_000 + Math.floor(Math.random() * 2000);
  const url = `http://127.0.0.1:${port}`;
  let service: ChildProcess | undefined;
  let said = '';

  async function start(): Promise<void> {
    const fromFile = readFileSync(valuesOf('EnvironmentFile')[0] ?? '', 'utf8')
      .split('\n')
      .filter((line) => /^\w/.test(line));
    const words = [...asAccount.slice(1), ...ofSystemd, ...fromFile, ...(valuesOf('ExecStart')[0] ?? '').split(' ')];
    service = spawn('setpriv', words, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    said = '';
    service.stderr?.on('data', (chunk: Buffer) => (said += String(chunk)));
    while (!said.includes('Understudy 0')) {
      if (service.exitCode !== null) throw new Error(`it ended with ${service.exitCode}: ${said}`);
      await sleep(50);
    }
  }

  async function stop(): Promise<void> {
    const running = service;
    if (running === undefined || running.exitCode !== null) return;
    const end = once(running, 'exit');
    running.kill('SIGTERM');
    t.same(await end, [0, null]);
  }
  t.teardown(() => service?.kill('SIGKILL'));

  /** The lines of a block, by root or, after `sudo -u`, by the account; systemctl starts and stops the unit's command. */
  async function run(block: string): Promise<void> {
    for (const line of block.trim().split('\n')) {
      const command = line.replace(/^sudo /, '');
      if (/^(?:useradd|journalctl|systemctl daemon-reload)/.test(command)) continue;
      if (/^systemctl (?:start|enable)/.test(command)) await start();
      else if (command.startsWith('systemctl stop')) await stop();
      else {
        const args = command.startsWith('-u understudy ')
          ? [
              ...asAccount.slice(1),
              ofSystemd[0] ?? '',
              `HOME=${root}/opt/understudy`,
              'sh',
              '-c',
              command.slice('-u understudy '.length),
            ]
          : ['--', 'sh', '-c', command.replace('-R understudy:', `-R ${account}:${account}`)];
        const { status, stdout, stderr } = spawnSync('setpriv', args, { cwd: root, encoding: 'utf8' });
        t.equal(status, 0, `${line}\n${stdout}${stderr}`);
      }
    }
  }
  const usersOf = async () => {
    const headers = { authorization: 'Token zoes-token' };
    return (
      (await (await fetch(`${url}/api/users/`, { headers })).json()) as { results: { username: string }[] }
    ).results.map(({ username }) => username);
  };

  const tarball = pack(t).path;
  const [install = '', begin = '', seed = '', save = '', restore = '', ...others] = shell;
  t.same(others, []);
  await run(install.replace(/\.\/\S+\.tgz/, tarball));
  writeFileSync(join(root, 'etc/understudy.env'), environment.replace('PORT=8000', `PORT=${port}`));
  const user = (name: string) => `{ username: ${name}, is_superuser: true, token: ${name}s-token }`;
  writeFileSync(join(root, 'etc/understudy-seed.yaml'), `users: [${user('zoe')}]\n`);
  await run(begin.replace('127.0.0.1:8000', `127.0.0.1:${port}`).replace('curl', 'curl --fail --silent'));
  t.match(
    said,
    /can't be started where npm put it .*: copying it to \S+\/var\/cache\/understudy\/understudy\/postgresql-/,
  );
  t.notMatch(said, /initdb|waiting/);
  t.ok(existsSync(join(root, 'var/cache/understudy/understudy/compiled')));
  t.equal(statSync(join(root, 'var/lib/understudy/data')).uid, account);
  t.same(await usersOf(), ['zoe']);

  await run(save);
  t.same(await usersOf(), ['zoe']);
  writeFileSync(join(root, 'etc/understudy-seed.yaml'), `users: [${user('yan')}]\n`);
  await run(seed);
  t.same((await usersOf()).toSorted(), ['yan', 'zoe']);
  await run(restore);
  t.same(await usersOf(), ['zoe']);
  await stop();
});
