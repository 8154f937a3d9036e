// The Python client as PyPI would get it, and the example for pytest: with one process, with pytest-xdist, and killed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import tap, { test } from 'tap';
import manifest from '../../package.json' with { type: 'json' };
import { type Example, makeExample, runExample } from './example.ts';
import { managers } from './managers.ts';
import { makeProject } from './project.ts';
import { makeFolder, pack, root } from './tarball.ts';
import { missingPython, preparePython, runPython } from '../support/python.ts';

tap.setTimeout(600_000);

const requirements = join(import.meta.dirname, 'python/requirements.txt');

const example = { name: 'pytest', file: 'test_notifications.py', others: ['test_options.py', 'test_client.py'] };
const single: Example = { ...example, command: ['pytest', '-p', 'no:cacheprovider'] };
const parallel: Example = { ...example, command: ['pytest', '-p', 'no:cacheprovider', '-n4'] };

await test("the Python client has the package's version", async (t) => {
  const source = readFileSync(join(root, 'clients/python/src/weblate_understudy/__init__.py'), 'utf8');
  t.match(source, `__version__ = "${manifest.version}"`);
});

await test('pytest', { skip: missingPython }, async (suite) => {
  const programs = preparePython(requirements);
  const node = dirname(process.execPath);
  const project = makeProject(suite, { node });
  managers.npm(project, pack(suite).path, ['--ignore-scripts']);
  const made = makeFolder(suite, 'distributions');
  runPython(join(programs, 'python'), join(root, 'packaging/distribute.py'), made);
  const distributions = globSync(join(made, '*')).toSorted();
  const [wheel = ''] = distributions;
  runPython(join(programs, 'pip'), 'install', '--quiet', '--no-deps', '--no-index', '--force-reinstall', wheel);
  // npm adds the checkout's programs, and the checkout's own command is among them.
  const others = (process.env['PATH'] ?? '').split(':').filter((path) => !path.endsWith('node_modules/.bin'));
  const env = { PATH: [programs, node, ...others].join(':') };

  await suite.test('PyPI would take the archive and the wheel', async (t) => {
    t.same(
      distributions.map((file) => extname(file)),
      ['.whl', '.gz'],
    );
    runPython(join(programs, 'twine'), 'check', '--strict', ...distributions);
    const { stdout } = spawnSync(join(programs, 'python'), ['-m', 'zipfile', '--list', wheel], { encoding: 'utf8' });
    for (const file of ['container.py', 'py.typed', 'entry_points.txt', 'licenses/LICENSE']) t.match(stdout, file);
  });

  await suite.test('the reference of the client is that of its source', async () => {
    runPython(join(programs, 'python'), join(root, 'packaging/python_reference.py'), 'check');
  });

  for (const command of [single, parallel]) {
    await suite.test(command.command.join(' '), async (t) => {
      const folder = makeExample(project.folder, command, ['one', 'two', 'three', 'four']);
      const { status, output, services } = runExample(folder, command, env);
      t.equal(status, 0, output);
      t.match(output, /6 passed/);
      t.equal(services.length, 1, 'all workers share one service');
      await t.rejects(fetch(services[0] ?? ''), 'it ended with the run');

      const failed = runExample(makeExample(project.folder, command, ['refused', 'unserved']), command, env);
      t.equal(failed.status, 1);
      t.match(failed.output, /2 failed/);
      t.match(
        failed.output,
        /requests to Understudy, sandbox .*\nPOST +\/api\/users\/alice\/notifications\/ +400 +alice\n/,
      );
      t.match(
        failed.output,
        /allow_unmatched=True\) marks it\.\nExpected no request, .*\n(?:.*\n)+? {2}1\. POST +\/api\/changes\/ +404 +alice +no such path is served/,
      );
    });

    await suite.test(`${command.command.join(' ')}, killed`, async (t) => {
      const folder = makeExample(project.folder, command, []);
      cpSync(join(import.meta.dirname, 'python/test_slow.py'), join(folder, 'test_slow.py'));
      const seen = join(folder, 'seen');
      const [program, ...args] = command.command;
      const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...env, SEEN: seen }, stdio: 'ignore' });
      t.teardown(() => child.kill('SIGKILL'));
      const readSeen = () => (existsSync(seen) ? readFileSync(seen, 'utf8') : '');
      while (!readSeen().endsWith('\n') && child.exitCode === null) await sleep(50);
      const url = readSeen().trim();
      t.equal((await fetch(`${url}/api/users/alice/notifications/`)).status, 404, 'it is strict');
      child.kill('SIGKILL');
      await once(child, 'exit');
      const answers = () =>
        fetch(url).then(
          () => true,
          () => false,
        );
      while (await answers()) await sleep(50);
      t.pass('the service ended too');
    });
  }

  await suite.test("the client's own tests", async (t) => {
    const folder = makeExample(project.folder, single, []);
    const files = ['clock', 'image', 'plugin', 'requests', 'transport'].map((name) => `test_${name}.py`);
    for (const file of files) cpSync(join(import.meta.dirname, 'python', file), join(folder, file));
    const { status, output } = runExample(folder, { ...single, command: [...single.command, '-n3', ...files] }, env);
    t.equal(status, 0, output);
    t.match(output, /[2-9]\d passed/);
  });

  await suite.test('mypy refuses keys that rules and assertions don’t have', async (t) => {
    const checked = spawnSync(join(programs, 'mypy'), ['--strict', join(import.meta.dirname, 'python/typed.py')], {
      encoding: 'utf8',
      cwd: project.folder,
    });
    const source = readFileSync(join(import.meta.dirname, 'python/typed.py'), 'utf8').split('\n');
    const wrong = source.flatMap((_line, i) =>
      i > source.indexOf('def wrong(sandbox: Sandbox) -> None:') ? [i + 1] : [],
    );
    const refused = [...checked.stdout.matchAll(/typed\.py:(\d+): error/g)].map(([, line]) => Number(line));
    t.same(refused, wrong.slice(0, -1), checked.stdout + checked.stderr);
  });

  await suite.test('an error says that the command is missing', async (t) => {
    const elsewhere = makeProject(t, { node }).folder;
    const folder = makeExample(elsewhere, single, ['one']);
    const { status, output } = runExample(folder, single, env);
    t.equal(status, 1);
    t.match(
      output,
      /no weblate-understudy is installed in .* Install it there with npm, name its image .*, or set UNDERSTUDY_URL/,
    );
    t.notMatch(output, /Traceback/);
  });
});
