// import: what it makes of a server's answers, and how it behaves towards that server.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'tap';
import { parse } from 'yaml';
import { importCommand } from '../../src/cli/import.ts';
import { makeClient } from '../../src/seeding/import/client.ts';
import { personOf } from '../../src/seeding/made-up/names.ts';
import { parseSeed } from '../../src/seeding/read.ts';
import { startService } from '../support/service.ts';
import { adminToken, type FakeServer, send, startFakeServer } from './import-server.ts';
import { runCommandHere } from './run-command.ts';
import { addSandbox, dump, load } from './sandbox-database.ts';

const run = (
  server: Pick<FakeServer, 'url'>,
  args: string[] = [],
  options: { signal?: AbortSignal; onStderr?: (text: string) => void } = {},
) =>
  runCommandHere(importCommand, ['--from', server.url, '--token-env', 'ITS_TOKEN', ...args], {
    env: { ITS_TOKEN: adminToken },
    ...options,
  });

// Of test/transcripts/data/seed.json.
const transcriptsAdmin = 'wlu_admin0000000000000000000000000000000';

const common = (username: string, groups: number[]) => ({
  date_joined: '2026-01-02T03:04:05Z',
  last_login: '2026-02-03T04:05:06.000007Z',
  profile: { theme: 'dark', github: `real-${username}` },
  groups,
});

await test('reads everything, with real names', async (t) => {
  const server = await startFakeServer(t);
  const { code, stdout, stderr } = await run(server, ['--keep-personal-data']);
  t.equal(code, 0, stderr);
  t.strictSame(parse(stdout), {
    users: [
      {
        id: 1,
        username: 'anonymous',
        full_name: 'Real anonymous',
        email: 'user1@company.test',
        is_active: false,
        ...common('anonymous', [2]),
      },
      {
        id: 5,
        username: 'admin',
        full_name: 'Real admin',
        email: 'user5@company.test',
        is_superuser: true,
        ...common('admin', [2, 3]),
        subscriptions: [{ id: 33, notification: 'MentionCommentNotificaton', scope: 0, frequency: 1 }],
      },
      {
        id: 6,
        username: 'alice',
        full_name: 'Real alice',
        email: 'user6@company.test',
        ...common('alice', [2, 3]),
        subscriptions: [
          { id: 43, notification: 'NewAlertNotificaton', scope: 20, frequency: 1 },
          { id: 44, notification: 'NewAlertNotificaton', scope: 30, frequency: 1, project: 'demo' },
        ],
      },
      {
        id: 12,
        username: 'jürgen ü',
        full_name: 'Real jürgen ü',
        email: 'user12@company.test',
        ...common('jürgen ü', [2, 9]),
        subscriptions: [
          { id: 99, notification: 'LockNotification', scope: 40, frequency: 1, component: 'secret/core' },
        ],
      },
    ],
    groups: [
      { id: 2, name: 'Viewers', automatic: true, project_selection: 4, language_selection: 1 },
      { id: 3, name: 'Users', automatic: true, project_selection: 3, language_selection: 1, roles: [6] },
      { id: 9, name: 'Secret team', project_selection: 0, language_selection: 1, roles: [6], projects: ['secret'] },
      {
        id: 10,
        name: 'Administration',
        project_selection: 3,
        language_selection: 1,
        roles: [6],
        defining_project: 'demo',
      },
    ],
    projects: [
      { id: 2, slug: 'demo', name: 'Demo', web: 'https://example.com/' },
      { id: 3, slug: 'secret', name: 'Secret', private: true },
    ],
    components: [{ id: 4, project: 'secret', slug: 'core', name: 'Core' }],
  });
  t.match(stderr, /left out: 1 subscriptions to what is not known here: NewerThanUnderstudyNotification\n/);
  t.notMatch(stderr, /not to be seen/);
});

await test('from our own service, with limits on: what it held is what the seed makes', async (t) => {
  for (const seed of ['documented', 'transcripts']) {
    const service = await startService(t, { seed, rateLimits: { anonymous: '8/second', user: '20/second' } });
    const token = seed === 'documented' ? 'wlu_admin_public_sample_token_0000000000' : transcriptsAdmin;
    const ran = await runCommandHere(
      importCommand,
      ['--from', service.url, '--token-env', 'T', '--keep-personal-data'],
      {
        env: { T: token },
      },
    );
    t.equal(ran.code, 0, ran.stderr);
    const db = service.database.pool;
    const id = await addSandbox(db);
    await load(db, id, ran.stdout);
    const [copy, original] = [await dump(db, id), await dump(db, 1)];
    for (const table of ['users', 'user_groups', 'groups', 'projects', 'group_projects', 'components', 'subscriptions'])
      t.strictSame(copy[table], original[table], `${seed}: ${table}`);
  }
});

await test('people get made-up names, the same each time, and keep what is theirs', async (t) => {
  const server = await startFakeServer(t);
  const { code, stdout } = await run(server);
  t.equal(code, 0);
  t.notMatch(stdout, /real|company|alice|jürgen/i);
  const { seed, faults } = parseSeed(stdout, 'imported.yaml');
  t.strictSame(faults, []);
  t.strictSame(
    seed.users.map(({ username }) => username),
    ['anonymous', personOf(5).username, personOf(6).username, personOf(12).username],
  );
  t.equal(seed.subscriptions.find(({ id }) => id === 44)?.user, personOf(6).username);
  t.equal((await run(server)).stdout, stdout);
});

await test('only the users that are named, and what they need', async (t) => {
  const server = await startFakeServer(t);
  const { code, stdout } = await run(server, ['--users', 'jürgen ü', '--keep-personal-data']);
  t.equal(code, 0);
  const { users, groups, projects } = parse(stdout) as Record<string, { username?: string; name: string }[]>;
  t.strictSame(
    users?.map(({ username }) => username),
    ['jürgen ü'],
  );
  t.strictSame(
    groups?.map(({ name }) => name),
    ['Viewers', 'Users', 'Secret team'],
  );
  t.strictSame(
    projects?.map(({ name }) => name),
    ['Secret'],
  );
  t.match(await run(server, ['--users', 'nobody']), {
    code: 2,
    stdout: '',
    stderr: /user nobody: not there for this token/,
  });
});

await test('says what the token may not see', async (t) => {
  const server = await startFakeServer(t);
  server.intercept = (request, response) => {
    const [, path = ''] = /^\/api\/(.*)/.exec(request.url ?? '') ?? [];
    if (path.startsWith('groups/') || path.startsWith('users/alice/')) send(response, 403, {});
    else if (path.startsWith('users/?'))
      send(response, 200, { next: null, results: [{ id: 6, username: 'alice', full_name: 'A' }] });
    else return false;
    return true;
  };
  const { code, stdout, stderr } = await run(server);
  t.equal(code, 0);
  t.strictSame(parse(stdout), {
    users: [{ id: 6, username: personOf(6).username, full_name: personOf(6).full_name }],
    projects: [],
    components: [],
  });
  t.match(stderr, 'e-mail address, flags, dates and groups of 1 of 1 users');
  t.match(stderr, 'notifications of 1 of 1 users');
  t.match(stderr, /not to be seen with this token: groups\n/);
});

await test('again after passing faults, and after the limit', async (t) => {
  const server = await startFakeServer(t);
  const faults = new Map<string, ((request: IncomingMessage, response: ServerResponse) => void)[]>([
    [
      '/api/users/admin/notifications/',
      [
        (_, response) => send(response, 503, {}, { 'retry-after': '0' }),
        (request) => void request.socket.destroy(),
        (_, response) => send(response, 429, {}, { 'retry-after': '1' }),
        (_, response) =>
          void response.writeHead(200, { 'content-length': '100' }).write('{"count"', () => response.destroy()),
      ],
    ],
  ]);
  server.intercept = (request, response) => {
    const fault = faults.get((request.url ?? '').split('?')[0] ?? '')?.shift();
    fault?.(request, response);
    return fault !== undefined;
  };
  const { code, stdout } = await run(server, ['--keep-personal-data']);
  t.equal(code, 0);
  t.equal(server.seen.filter((line) => line.includes('/api/users/admin/notifications/')).length, 5);
  t.match(stdout, 'id: 33');
});

await test('waits when the limit is used up, before it is refused', async (t) => {
  const server = await startFakeServer(t);
  let remaining = 3;
  let refusals = 0;
  const client = makeClient({
    baseUrl: server.url,
    token: adminToken,
    signal: new AbortController().signal,
    say: () => {},
  });
  server.intercept = (_, response) => {
    if (remaining === 0) {
      refusals++;
      send(response, 429, {}, { 'retry-after': '1' });
      return true;
    }
    remaining--;
    if (remaining === 0) setTimeout(() => (remaining = 3), 900);
    send(response, 200, {}, { 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset': '1' });
    return true;
  };
  for (let i = 0; i < 7; i++) t.equal((await client.get(client.resolve('api/users/'))).status, 200);
  t.equal(refusals, 0);
});

await test('never goes to another server, nor in circles', async (t) => {
  const server = await startFakeServer(t);
  const other = await startFakeServer(t);
  const answers: [string, (response: ServerResponse) => void, RegExp][] = [
    [
      'next',
      (response) => send(response, 200, { next: `${other.url}/api/users/?page=2`, results: [] }),
      /leads away, to http:\/\/127\.0\.0\.1:\d+\/api\/users\//,
    ],
    ['a redirect', (response) => send(response, 302, {}, { location: `${other.url}/api/users/` }), /leads on to/],
    [
      'a circle',
      (response) => send(response, 200, { next: `${server.url}/api/users/?page_size=200`, results: [] }),
      /in a circle/,
    ],
    [
      'another form',
      (response) => send(response, 200, { results: [{}] }),
      /doesn't answer as the users interface does/,
    ],
    ['no JSON', (response) => void response.writeHead(200).end('<html>'), /doesn't answer as/],
    ['500', (response) => send(response, 500, {}), /answered 500/],
  ];
  for (const [name, answer, expected] of answers) {
    server.intercept = (_, response) => (answer(response), true);
    const ran = await run(server);
    t.match(ran, { code: 2, stdout: '', stderr: expected }, name);
  }
  t.strictSame(other.seen, []);
});

await test('the token goes to the API alone, and is written nowhere', async (t) => {
  const server = await startFakeServer(t);
  const { stdout, stderr } = await run(server, ['--keep-personal-data']);
  t.notMatch(stdout + stderr, adminToken);
  const anonymous = server.seen.filter((line) => !line.endsWith(` ${adminToken}`));
  t.strictSame(anonymous.toSorted(), ['GET /api/projects/demo/', 'GET /api/projects/secret/']);
});

await test('a file is there whole or as it was', async (t) => {
  const server = await startFakeServer(t);
  const folder = await mkdtemp(join(tmpdir(), 'understudy-import-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const out = join(folder, 'team.yaml');
  await writeFile(out, 'former');
  for (const moment of ['reading users', 'reading notifications', 'reading projects']) {
    const controller = new AbortController();
    const onStderr = (text: string) => void (text.includes(moment) && controller.abort());
    t.match(
      await run(server, ['--out', out], { signal: controller.signal, onStderr }),
      { code: 130, stdout: '' },
      moment,
    );
  }
  t.equal(await readFile(out, 'utf8'), 'former');
  t.match(await run(server, ['--out', out]), { code: 0, stdout: '' });
  t.match(await readFile(out, 'utf8'), /^# Imported from http:/);
  t.strictSame(await readdir(folder), ['team.yaml']);
});

await test('wrong usage: exit 2', async (t) => {
  for (const args of [
    [],
    ['--from', 'ftp://x'],
    ['--from', 'http://127.0.0.1:1', '--token-env', 'NOT_SET'],
    ['--from', 'http://127.0.0.1:1', '--users', ','],
  ])
    t.match(await runCommandHere(importCommand, args), { code: 2, stdout: '', stderr: /./ }, args.join(' '));
});
