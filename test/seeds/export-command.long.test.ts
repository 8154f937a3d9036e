// `understudy export`: the file is complete or absent, whatever ends the command.
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'tap';
import { command as exportCommand } from '../../src/cli/commands/export.ts';
import { startCommand } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { endSession, fillDefault, manyUsers, untilExports } from './export-sessions.ts';
import { runCommand } from '../support/run-command.ts';

await test('export', async (suite) => {
  const service = await startService(suite);
  const { database } = service;
  await fillDefault(database);
  const folder = await mkdtemp(join(tmpdir(), 'understudy-export-'));
  suite.teardown(() => rm(folder, { recursive: true }));
  const file = join(folder, 'seed.yaml');
  const env = { UNDERSTUDY_URL: service.url };
  const isBegun = async () => {
    const draft = (await readdir(folder)).find((name) => name.endsWith('.tmp'));
    return draft !== undefined && (await stat(join(folder, draft))).size > 0;
  };
  /** Resolves once the service has sent a part of the export. */
  const untilBegun = async () => {
    while (!(await isBegun())) await sleep(5);
  };

  const args = ['default', '--out', file];
  const isAsBefore = async () =>
    [await readdir(folder), await readFile(file, 'utf8')].join(' ') === 'seed.yaml what was there';

  await suite.test('Ctrl-C and a failure leave the former file', async (t) => {
    await writeFile(file, 'what was there');
    const controller = new AbortController();
    const interrupted = runCommand(exportCommand, args, { env, signal: controller.signal });
    await untilBegun();
    controller.abort();
    t.strictSame(await interrupted, { code: 130, stdout: '', stderr: '' });
    t.ok(await isAsBefore());
    await untilExports(database, 0);

    const broken = runCommand(exportCommand, args, { env });
    await untilBegun();
    await endSession(database, (await untilExports(database, 1))[0]?.pid ?? 0);
    t.match(await broken, { code: 2, stdout: '', stderr: /^export: \S.*\n$/ });
    t.ok(await isAsBefore());
  });

  await suite.test('the file holds what standard output shows', async (t) => {
    t.match(await runCommand(exportCommand, args, { env }), {
      code: 0,
      stdout: '',
      stderr: /can not be exported/,
    });
    const printed = await runCommand(exportCommand, [], { env });
    const text = await readFile(file, 'utf8');
    t.equal(text.match(/^ {4}username: /gm)?.length, manyUsers);
    t.ok(printed.stdout === text);
    t.strictSame(await readdir(folder), ['seed.yaml']);
  });

  await suite.test('the command ends when the reader closes standard output', async (t) => {
    const { child, said, ended } = startCommand(t, ['export'], env);
    await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
    child.stdout?.destroy();
    t.equal(await ended, 130);
    t.equal(said.stderr, '');
    await untilExports(database, 0);
  });
});
