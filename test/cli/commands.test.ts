// The commands that speak to a service: found by its file, named by --url, or opened in the command's own process.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'tap';
import type { Command } from '../../src/cli/command.ts';
import { command as exportCommand } from '../../src/cli/commands/export.ts';
import { command as requests } from '../../src/cli/commands/requests-command.ts';
import { command as reset } from '../../src/cli/commands/reset.ts';
import { command as sandbox } from '../../src/cli/commands/sandbox.ts';
import { command as seed } from '../../src/cli/commands/seed.ts';
import { command as token } from '../../src/cli/commands/token.ts';
import { publishService } from '../../src/service/process/service-file.ts';
import { adminOptions, readConfiguration } from '../../src/service/config/config.ts';
import { makeScratch, useOwnCache } from '../support/postgres-folders.ts';
import { runCommand } from '../support/run-command.ts';
import { startService } from '../support/service.ts';

const list = '/api/users/alice/notifications/';
const adminToken = 'correct-horse';

const run = (command: Command, args: string[], env: Record<string, string>) => runCommand(command, args, { env });

await test('commands find the service by its file or by --url, and change it', async (suite) => {
  const admin = adminOptions(readConfiguration({ UNDERSTUDY_ADMIN_TOKEN: adminToken }));
  const service = await startService(suite, { admin });
  const folder = await mkdtemp(join(tmpdir(), 'understudy-commands-'));
  suite.teardown(() => rm(folder, { recursive: true }));
  const file = join(folder, 'team.yaml');
  await writeFile(file, 'users: [{ username: zoe, token: zoes }]\n');
  const bad = join(folder, 'bad.yaml');
  await writeFile(bad, 'users: [{ usernam: zoe }]\nx: 1\n');
  const faulty = join(folder, 'faulty.yaml');
  await writeFile(faulty, 'users:\n  - username: ada\n  - username: bob\n    email: nowhere\n');

  useOwnCache(suite);
  const dataDir = join(makeScratch(suite), 'data');
  const unpublish = publishService({ UNDERSTUDY_DATA_DIR: dataDir }, { url: service.url, pid: process.pid });
  const env = { UNDERSTUDY_ADMIN_TOKEN: adminToken };
  const found = { ...env, UNDERSTUDY_DATA_DIR: dataDir };
  const count = async (as: string, path = list) =>
    ((await service.request('GET', path, { token: as })).json as { count?: number }).count;

  await suite.test('sandbox makes, shows, fills and deletes a sandbox', async (t) => {
    const call = (command: Command, ...args: string[]) => run(command, [...args, '--url', service.url], env);
    const made = await call(sandbox, 'create', 'job', '--from', 'documented', '--expires', '120');
    t.match(made, { code: 0, stderr: '' });
    const created = JSON.parse(made.stdout) as { base_url: string; token: string };
    t.match(created, { name: 'job', base_url: `${service.url}/sandboxes/job`, expires_in_seconds: 120 });
    t.equal(await count(created.token), 10);

    t.match(await call(sandbox, 'list'), { code: 0, stdout: /^job +documented +\d{4}-\d\d-/m });
    t.match(JSON.parse((await call(sandbox, 'list', '--json')).stdout), [{ name: 'default' }]);
    t.match(JSON.parse((await call(sandbox, 'show', 'job')).stdout), { name: 'job', users: [{ username: 'admin' }] });

    const { stdout } = await call(token, 'alice', '--sandbox', 'job');
    t.match(stdout, /^wlu_sandbox_job_[0-9a-f]{32}\n$/);
    t.equal((await service.request('DELETE', `${list}1/`, { token: stdout.trim() })).status, 204);
    t.match(await call(sandbox, 'snapshot', 'job', 'less'), { code: 0, stdout: '' });
    t.match(await call(reset, 'job'), { code: 0, stdout: '' });
    t.equal(await count(stdout.trim()), 10);
    await call(sandbox, 'restore', 'job', 'less');
    t.equal(await count(stdout.trim()), 9);
    const tokens = await call(token, '--list', '--sandbox', 'job');
    const [, id = ''] = /^([0-9a-f]{16}) 20\d\d-\S+Z alice\n$/m.exec(tokens.stdout.split(/(?<=\n)/).at(-1) ?? '') ?? [];
    t.match(await call(token, '--revoke', id, '--sandbox', 'job'), { code: 0, stdout: '' });
    t.equal(await count(stdout.trim()), undefined);
    t.match(await call(token, '--revoke', id, '--sandbox', 'job'), { code: 1, stderr: `no token "${id}"` });

    const yaml = await call(exportCommand, 'job');
    t.match(yaml, { code: 0, stdout: /^ {2}- id: 3\n {4}username: alice\n/m, stderr: /can not be exported/ });
    t.match(JSON.parse((await call(exportCommand, 'job', '--format', 'json')).stdout), { users: [{ id: 1 }] });

    t.match(await call(sandbox, 'seed', 'job', file), { code: 0, stdout: /^users: 1 created, 8 removed$/m });
    t.equal(await count('zoes', '/sandboxes/job/api/users/zoe/notifications/'), 0);
    t.match(await call(sandbox, 'create', 'job-2', '--seed', file), { code: 0, stdout: /"username": "zoe"/ });
    t.match(await call(sandbox, 'delete', 'job'), { code: 0, stdout: '' });

    const refused = await call(sandbox, 'seed', 'job-2', bad);
    t.match(refused, { code: 1, stdout: '', stderr: `${bad}:1:9 users[0].username is missing\n` });
    t.match(refused.stderr, '3 errors; nothing was written.\n');
    t.same(
      await run(seed, ['--replace', '--sandbox', 'job-2', bad], { DATABASE_URL: service.databaseUrl }),
      refused,
      'all commands report errors in one form',
    );
    const misplaced = await call(sandbox, 'create', 'job-3', '--seed', faulty);
    t.match(misplaced, { code: 1, stdout: '', stderr: /faulty\.yaml:4:12 users\[1\]\.email .*\n1 error; nothing/ });
    t.match(await call(sandbox, 'create', 'undefined'), { code: 1, stderr: /reserved/ });
    for (const gone of [
      await call(reset, 'job'),
      await call(exportCommand, 'job'),
      await call(token, 'x', '--sandbox', 'job'),
      await call(sandbox, 'seed', 'job', file),
    ])
      t.match(gone, { code: 1, stdout: '', stderr: 'No sandbox is named "job".\n' });
    t.match(await call(token, 'nobody'), { code: 1, stderr: /no user "nobody"/ });
  });

  await suite.test('default is reset without a name', async (t) => {
    await service.request('DELETE', `${list}1/`, { as: 'alice' });
    t.match(await run(reset, [], found), { code: 0 });
    t.equal(((await service.request('GET', list)).json as { count: number }).count, 10);
  });

  await suite.test('wrong usage, a closed service, an unreachable one', async (t) => {
    const wrong: [Command, string[], string][] = [
      [sandbox, [], 'sandbox: missing SUBCOMMAND\n'],
      [sandbox, ['make'], 'sandbox: unknown subcommand "make"; expected create, list, show,'],
      [sandbox, ['show'], 'sandbox show: missing NAME\n'],
      [sandbox, ['seed', 'a'], 'sandbox seed: missing FILE\n'],
      [sandbox, ['delete', 'a', '--from', 'nope'], 'sandbox delete: unknown option --from\n'],
      [sandbox, ['create', '--seed', '/nowhere'], 'sandbox create: there is no file /nowhere\n'],
      [token, [], 'token: missing USERNAME\n'],
      [token, ['a', '--list'], 'token: USERNAME, --list and --revoke exclude each other\n'],
      [sandbox, ['create', '--from', 'a', '--seed', file], 'sandbox create: --from and --seed exclude each other\n'],
      [sandbox, ['create', '--expires', '1e9'], 'sandbox create: --expires must be a whole number from 0, not "1e9"\n'],
      [reset, ['--url', 'http://x', '--data-dir', 'y'], 'reset: --url and --data-dir exclude each other\n'],
      [exportCommand, ['--format', 'xml'], 'export: --format must be yaml or json, not "xml"\n'],
    ];
    for (const [command, args, stderr] of wrong)
      t.match(await run(command, args, found), { code: 2, stdout: '', stderr }, `${command.name} ${args.join(' ')}`);
    t.match(await run(reset, ['--url', service.url], {}), { code: 1, stderr: /UNDERSTUDY_ADMIN_TOKEN/ });
    t.match(await run(reset, ['--url', service.url, '--admin-token', adminToken], {}), { code: 0 });
    t.match(await run(reset, [], { ...env, UNDERSTUDY_URL: service.url }), { code: 0 });
    t.match(await run(reset, ['--url', service.url], { ...env, UNDERSTUDY_URL: 'http://127.0.0.1:1' }), { code: 0 });
    t.match(await run(reset, [], { UNDERSTUDY_URL: 'x' }), {
      code: 2,
      stderr: 'reset: UNDERSTUDY_URL must begin with',
    });
    t.match(await run(reset, ['--url', 'http://127.0.0.1:1'], {}), {
      code: 2,
      stderr: 'reset: http://127.0.0.1:1 is not reachable (',
    });
    t.match(await run(reset, ['--url', 'ftp://x'], {}), { code: 2, stderr: 'reset: --url must begin with http' });
    for (const command of [sandbox, reset, exportCommand, token])
      t.match(await run(command, ['--help'], {}), { code: 0, stdout: `${command.usage}\n`, stderr: '' });
  });

  await suite.test('a missing service, a stale file and another program are reported', async (t) => {
    const elsewhere = join(makeScratch(t), 'data');
    const missing = {
      code: 2,
      stdout: '',
      stderr: `reset: no service runs on the data folder ${elsewhere}, and no database found in ${elsewhere}. Make the database with`,
    };
    t.match(await run(reset, [], { UNDERSTUDY_DATA_DIR: elsewhere }), missing);
    t.notOk(existsSync(elsewhere), 'nothing is made');
    for (const command of [sandbox, exportCommand, token, requests])
      t.match(await run(command, ['list', '--data-dir', elsewhere], {}), { code: 2, stderr: /--url URL/ });
    t.match(await run(reset, [], { UNDERSTUDY_TEMPORARY: 'true' }), { code: 2, stderr: /that service by --url URL/ });

    const other = createServer((_request, response) => void response.writeHead(404).end('hello')).listen(
      0,
      '127.0.0.1',
    );
    t.teardown(() => other.close());
    await once(other, 'listening');
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const place = { UNDERSTUDY_DATA_DIR: elsewhere };
    publishService(place, { url, pid: process.pid });
    const foreign = { code: 2, stderr: /404 in a form that is not Understudy's; check the URL/ };
    t.match(await run(reset, [], place), foreign);
    t.match(await run(reset, ['--url', url], {}), foreign);
    publishService(place, { url: 'http://collects.example.org', pid: process.pid });
    t.match(await run(reset, [], place), { code: 2, stderr: /no service runs on/ });
    t.match(await run(reset, [], { ...place, UNDERSTUDY_DATADIR: 'x' }), {
      code: 2,
      stderr: /did you mean UNDERSTUDY_DATA_DIR/,
    });
    unpublish();
    t.match(await run(reset, [], found), { code: 2, stderr: /no service runs on/ });
  });
});

await test('without a service, or where it refuses, a command opens the database itself', async (t) => {
  useOwnCache(t);
  const admin = adminOptions(readConfiguration({ UNDERSTUDY_ADMIN_TOKEN: adminToken }));
  const service = await startService(t, { admin });
  const place = { DATABASE_URL: service.databaseUrl };
  const count = async (as: string) =>
    ((await service.request('GET', list, { token: as })).json as { count: number }).count;
  const itself = /^no service runs on the database \S+: the command opens the database itself\n/;

  const made = await run(token, ['alice'], place);
  t.match(made, { code: 0, stdout: /^wlu_sandbox_default_[0-9a-f]{32}\n$/, stderr: itself });
  t.equal(await count(made.stdout.trim()), 10);
  t.equal((await service.request('DELETE', `${list}1/`, { token: made.stdout.trim() })).status, 204);
  t.match(await run(reset, ['--database-url', service.databaseUrl], {}), { code: 0, stderr: /default was reset\n$/ });
  t.equal(await count(made.stdout.trim()), 10);
  const created = await run(sandbox, ['create', 'job'], { ...place, PORT: '8123' });
  t.match(JSON.parse(created.stdout), { base_url: 'http://127.0.0.1:8123/sandboxes/job', seed: 'documented' });
  t.match(await run(sandbox, ['list'], place), { code: 0, stdout: /^job /m });
  const byService = await run(exportCommand, [], { UNDERSTUDY_URL: service.url, UNDERSTUDY_ADMIN_TOKEN: adminToken });
  t.equal((await run(exportCommand, [], place)).stdout, byService.stdout);
  t.match(await run(reset, ['nope'], place), { code: 1, stderr: /\nNo sandbox is named "nope"\.\n$/ });
  t.match(await run(requests, [], place), { code: 2, stderr: /^requests: no service runs on .* memory only/ });

  const unpublish = publishService(place, { url: service.url, pid: process.pid });
  t.match(await run(reset, [], { ...place, UNDERSTUDY_ADMIN_TOKEN: adminToken }), {
    code: 0,
    stderr: 'default was reset\n',
  });
  const closed = `^the service at ${service.url} refuses commands \\(.*UNDERSTUDY_ADMIN_TOKEN.*: the command opens`;
  t.match(await run(reset, ['--admin-token', 'another one'], place), { code: 0, stderr: new RegExp(closed) });
  t.match(await run(requests, [], place), { code: 2, stderr: /refuses commands .* in a service's memory only/ });
  t.match(await run(reset, ['--url', service.url], place), { code: 1, stderr: /UNDERSTUDY_ADMIN_TOKEN/ });

  const other = createTcpServer().listen(0, '127.0.0.1');
  t.teardown(() => other.close());
  await once(other, 'listening');
  publishService(place, { url: `http://127.0.0.1:${(other.address() as AddressInfo).port}`, pid: process.pid });
  const several = /^reset: 2 services run on the database .*: http.*, http.*\nName one, or the balancer/;
  t.match(await run(reset, [], place), { code: 2, stderr: several });
  unpublish();
});
