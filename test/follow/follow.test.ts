// The command and its installation where there is no Weblate: what is missing, settings, and an interruption.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { test } from 'tap';
import { runCommand } from '../support/run-command.ts';
import { follow } from './follow.ts';
import { install } from './weblate/install.ts';
import { makeSettings } from './weblate/settings.ts';

await test('wrong usage ends with 2', async (t) => {
  const cases: [args: string[], message: RegExp][] = [
    [[], /missing --release NUMBER/u],
    [['--release', '../5.10'], /--release \.\.\/5\.10 is no number of a release/u],
    [['--release', '5.10', '--steps', 'many'], /--steps must be a whole number/u],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await runCommand(follow, args);
    t.equal(code, 2);
    t.match(stderr, message);
  }
});

await test('each thing that the machine lacks has a line', async (t) => {
  const env = {
    PATH: '/nowhere',
    WEBLATE_FOLDER: t.testdir(),
    WEBLATE_PYTHON: '/nowhere/python3',
    WEBLATE_POSTGRES: 'postgres://weblate:secret@127.0.0.1:1/postgres',
    WEBLATE_REDIS: 'redis://127.0.0.1:1/1',
  };
  const { code, stdout, stderr } = await runCommand(follow, ['--release', '5.10.4'], { env });
  t.equal(code, 2);
  t.equal(stdout, '');
  t.equal(
    stderr,
    `follow: a real Weblate needs
  Python 3.12 or newer, with venv (/nowhere/python3: not found); WEBLATE_PYTHON names another
  git (not found)
  PostgreSQL (127.0.0.1:1: ECONNREFUSED); WEBLATE_POSTGRES names another
  Redis (127.0.0.1:1: ECONNREFUSED); WEBLATE_REDIS names another
`,
  );
});

await test('Ctrl-C ends what an installation has started', async (t) => {
  const folder = t.testdir({ python: '#!/bin/sh\necho $$ >pid\nsleep 600 & echo $! >>pid\nwait\n' });
  const python = join(folder, 'python');
  await chmod(python, 0o755);
  const interrupt = new AbortController();
  const io = { env: process.env, signal: interrupt.signal, note: () => {} };
  const installing = install({ folder: join(folder, '5.10.4'), release: '5.10.4', python }, io);
  const pidFile = join(folder, '5.10.4/pid');
  const readPids = async () =>
    existsSync(pidFile) ? (await readFile(pidFile, 'utf8')).trim().split('\n').map(Number) : [];
  while ((await readPids()).length < 2) await wait(10);
  interrupt.abort(new Error('interrupted'));
  await t.rejects(installing, { message: 'interrupted' });
  // The second may outlive its parent by a moment.
  for (const pid of await readPids()) while (isRunning(pid)) await wait(10);
  t.notOk(existsSync(join(folder, '5.10.4/installed')));
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

await test('a failed installation shows the end of its output', async (t) => {
  const folder = t.testdir({ python: '#!/bin/sh\necho no room\nexit 3\n' });
  const python = join(folder, 'python');
  await chmod(python, 0o755);
  const io = { env: process.env, signal: new AbortController().signal, note: () => {} };
  await t.rejects(install({ folder: join(folder, 'new'), release: '5.10.4', python }, io), {
    message: /python -m venv venv failed \(3\); .*log ends\nno room$/u,
  });
  await writeFile(join(folder, 'new/installed'), '');
  await t.resolves(
    install({ folder: join(folder, 'new'), release: '5.10.4', python }, io),
    'once installed, it is used',
  );
});

await test('the settings are the example with the places of this machine', async (t) => {
  const example = `SITE_DOMAIN = ""
DEBUG: bool = True
DATA_DIR = os.path.join(BASE_DIR, "data")
CACHE_DIR = f"{DATA_DIR}/cache"
API_RATELIMIT_ANON = "100/day"
REST_FRAMEWORK = get_drf_settings(anon_throttle="100/day", user_throttle="5000/hour")
`;
  const place = {
    folder: '/f',
    port: 8123,
    database: new URL('postgres://me:p%40ss@db:5433/weblate_5_10_4'),
    redis: 'redis://127.0.0.1:6379/7',
  };
  t.equal(
    makeSettings(example, { ...place, limits: { anonymous: '2/day' } }),
    `SITE_DOMAIN = "localhost:8123"
DEBUG = False
DATA_DIR = "/f/data"
CACHE_DIR = f"{DATA_DIR}/cache"
API_RATELIMIT_ANON = "2/day"
REST_FRAMEWORK = get_drf_settings(anon_throttle="2/day", user_throttle="1000000/hour")
CELERY_TASK_ALWAYS_EAGER = True
API_RATELIMIT_USER = "1000000/hour"

DATABASES["default"].update({"NAME": "weblate_5_10_4", "USER": "me", "PASSWORD": "p@ss", "HOST": "db", "PORT": "5433"})
CACHES["default"]["LOCATION"] = "redis://127.0.0.1:6379/7"
`,
  );
});
