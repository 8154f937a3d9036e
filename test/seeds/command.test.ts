// understudy seed, the seeds that ship, and their published schema.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'tap';
import { seedJsonSchema } from '../../packaging/write-json-schema.ts';
import { command as seedCommand } from '../../src/cli/commands/seed.ts';
import { Interruption } from '../../src/cli/usage.ts';
import { frequencies } from '../../src/model/notifications.ts';
import { checkAlone, parseSeed } from '../../src/seeds/format/read-seeds.ts';
import type { Seed } from '../../src/seeds/format/seed-types.ts';
import { applySeed } from '../../src/seeds/load/apply.ts';
import { readSeedText } from '../../src/seeds/load/load-rows.ts';
import { readNamedSeed } from '../../src/seeds/load/named-seed.ts';
import { startCommand } from '../support/process.ts';
import { readSeedFile } from '../support/read-seed-file.ts';
import { runCommand } from '../support/run-command.ts';
import { openMigrated, select } from '../support/sandbox-database.ts';
import { startService } from '../support/service.ts';

await test('the command seed loads files into a database', async (suite) => {
  const { db, url } = await openMigrated(suite);
  const folder = await mkdtemp(join(tmpdir(), 'understudy-seed-'));
  suite.teardown(() => rm(folder, { recursive: true }));
  async function write(name: string, text: string): Promise<string> {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  }
  const run = (args: string[], options: Parameters<typeof runCommand>[2] = {}) =>
    runCommand(seedCommand, args, { env: { DATABASE_URL: url }, ...options });
  const good = await write('good.yaml', 'users: [{ username: ada }]\nprojects: [{ slug: demo }]\n');
  const more = await write(
    'more.json',
    '{"users": [{"username": "ADA", "token": "t"}], "components": [{"project": "demo", "slug": "app"}]}',
  );
  const bad = await write('bad.yaml', 'users: [{ usernam: x }]\nfoo: 1\n');

  await suite.test('loads, and prints what changed', async (t) => {
    t.strictSame(await run([good]), {
      code: 0,
      stdout: 'users: 1 created\ngroups: 2 created\nmemberships: 2 created\nprojects: 1 created\n',
      stderr: 'opening the database\nloading projects\nloading groups\nloading users\nloading user_groups\n',
    });
    t.match(await run([good]), { code: 0, stdout: 'users: 1 unchanged\nprojects: 1 unchanged\n' });
    t.match(await run([good, more, '--replace']), {
      code: 0,
      stdout: /^users: 1 created, 1 removed\ntokens: 1 created\n/,
    });
    t.match(await select(db, 'select seed_name, seed_digest from understudy.sandboxes where id = 1'), [
      { seed_name: 'good, more', seed_digest: /^[0-9a-f]{64}$/ },
    ]);
  });

  await suite.test('an invalid seed: all errors, exit 1, nothing loaded', async (t) => {
    const { code, stdout, stderr } = await run([bad, good]);
    t.match({ code, stdout }, { code: 1, stdout: '' });
    t.strictSame(stderr.replaceAll(`${folder}/`, '').split('\n'), [
      'bad.yaml:1:9 users[0].username is missing',
      'bad.yaml:1:11 users[0].usernam is not a known key; did you mean username?',
      'bad.yaml:2:1 foo is not a known key; known keys: users, groups, projects, components, subscriptions, next_id, now',
      '3 errors; nothing was written.',
      '',
    ]);
    const taken = await write('taken.yaml', 'users: [{ username: ada, id: 77 }]');
    t.match(await run([taken]), { code: 1, stderr: /users\[0\]\.id is 1 in the sandbox.*--replace/s });
  });

  await suite.test('merge, --check, --replace, upload and UNDERSTUDY_SEED report the same errors', async (t) => {
    const text = `users:
  - { username: eve, groups: [Nowhere], date_joined: 2026-02-31 }
  - { username: EVE }
subscriptions: [{ user: evf, notification: LockNotification, component: no/where }]
`;
    const file = await write('faulty.yaml', text);
    const lines = async (...options: string[]) =>
      (await run([...options, file])).stderr.split('\n').filter((line) => line.includes('faulty.yaml:'));
    const expected = [
      `${file}:2:31 users[0].groups[0] names a group that is not there: Nowhere`,
      `${file}:2:54 users[0].date_joined is no date: 2026-02-31`,
      `${file}:3:17 users[1].username repeats the username of users[0] (line 2)`,
      `${file}:4:25 subscriptions[0].user names a user that is not there: evf; did you mean eve?`,
      `${file}:4:73 subscriptions[0].component names a component that is not there: no/where`,
    ];
    t.strictSame(await lines('--check'), expected);
    t.strictSame(await lines('--replace'), expected);
    t.strictSame(await lines(), expected);
    await t.rejects(readSeedText({ text, file }, { sandbox: 's' }), { message: expected.join('\n') });
    await t.rejects(readNamedSeed(file), { message: expected.join('\n') });
  });

  await suite.test('an empty file empties nothing', async (t) => {
    const users = 'select username from understudy.users where sandbox_id = 1';
    const before = await select(db, users);
    const empty = await write('empty.yaml', '# nothing yet\n');
    t.match(await run(['--replace', empty]), { code: 1, stdout: '', stderr: /empty.yaml:1:1 holds nothing/ });
    t.match(await run(['--check', good, empty]), { code: 1, stderr: /empty.yaml:1:1 holds nothing/ });
    t.strictSame(await select(db, users), before);
    t.match(await run(['--replace', await write('none.yaml', 'users: []\n')]), { code: 0 });
    t.strictSame(await select(db, users), []);
  });

  await suite.test('--check needs no database', async (t) => {
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    t.match(await run(['--check', good, more], { env }), { code: 0, stdout: /no errors\n$/ });
    t.match(await run(['--check', more], { env }), {
      code: 1,
      stderr: /names a project that is not there: demo\n1 error;/,
    });
  });

  await suite.test('takes shipped names, and standard input', async (t) => {
    t.match(await run(['--check', 'documented']), { code: 0, stdout: 'documented: no errors\n' });
    t.match(await run(['--replace', 'documented']), { code: 0, stdout: /^users: 8 created/ });
    t.match(await select(db, 'select seed_name from understudy.sandboxes where id = 1'), [{ seed_name: 'documented' }]);
    const { child, said, ended } = startCommand(t, ['seed', '--check', '-'], {}, 'pipe');
    child.stdin?.end('users: [{ usernam: x }]');
    t.equal(await ended, 1);
    t.match(said.stderr, 'seed:1:11 users[0].usernam is not a known key; did you mean username?\n');
  });

  await suite.test('wrong usage and what can’t be reached: exit 2', async (t) => {
    const missing = join(folder, 'missing.yaml');
    t.match(await run([]), { code: 2, stdout: '', stderr: /^seed: missing FILE\n\nUsage: weblate-understudy seed / });
    t.match(await run(['--no-such', good]), { code: 2, stdout: '', stderr: /^seed: unknown option --no-such\n/ });
    t.match(await run([missing]), {
      code: 2,
      stdout: '',
      stderr: `seed: there is no file ${missing}\n`,
    });
    t.match(await run([folder]), { code: 2, stdout: '', stderr: `seed: ${folder} is a folder; name a file in it\n` });
    t.match(await run(['documentd']), { code: 2, stderr: 'seed: no seed "documentd"; did you mean "documented"?\n' });
    const away = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const controller = new AbortController();
    const stopAtWait = (text: string): void => {
      if (text.includes('waiting for PostgreSQL at 127.0.0.1:1/none: '))
        controller.abort(new Interruption('interrupted'));
    };
    const waiting = await run([good], { env: away, signal: controller.signal, onStderr: stopAtWait });
    t.match(waiting, { code: 130, stdout: '', stderr: /\nseed: interrupted; nothing was written\n$/ });
    t.match(await run(['--sandbox', 'nope', good]), {
      code: 1,
      stdout: '',
      stderr: /\nNo sandbox is named "nope"\.\n$/,
    });
  });

  await suite.test('Ctrl-C rolls back: exit 130', async (t) => {
    const other = await write('other.yaml', 'users: [{ username: other }]\nprojects: [{ slug: other }]');
    for (const moment of ['opening the database', 'loading projects', 'loading users']) {
      const controller = new AbortController();
      const stopAt = (text: string): void => {
        if (text.includes(moment)) controller.abort(new Interruption('interrupted'));
      };
      t.match(
        await run([other], { signal: controller.signal, onStderr: stopAt }),
        { code: 130, stdout: '', stderr: /\nseed: interrupted; nothing was written\n$/ },
        moment,
      );
    }
    t.strictSame(await select(db, `select from understudy.users where username = 'other'`), []);
  });
});

const folder = join(import.meta.dirname, '../../seeds');

await test('every shipped seed is valid by itself and names its schema', async (t) => {
  const files = (await readdir(folder)).filter((file) => !file.endsWith('.schema.json'));
  t.ok(files.includes('documented.yaml'));
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8');
    t.strictSame(checkAlone(parseSeed({ text, file })).errors, [], file);
    t.ok(text.startsWith('# yaml-language-server: $schema=./seed.schema.json\n'), file);
  }
});

await test('the published schema is the one that the program checks by', async (t) => {
  t.equal(
    await readFile(join(folder, 'seed.schema.json'), 'utf8'),
    seedJsonSchema(),
    'after a change of the format: node packaging/write-json-schema.ts',
  );
});

await test('the empty seed holds nobody, and lets users come in every documented way', async (t) => {
  const service = await startService(t, { seed: 'empty', anonymous: 'write' });
  t.match((await service.request('GET', '/api/users/')).json, { count: 0, results: [] });
  const made = await service.request('PUT', '/_understudy/sandboxes/job', { json: { from: 'empty' } });
  t.match(made, { status: 201, json: { token: null, users: [] } });
  const json = { username: 'ada', full_name: 'Ada', email: 'ada@example.com' };
  const created = await service.request('POST', '/sandboxes/job/api/users/', { json });
  t.match(created, { status: 201, json: { id: 1, groups: [/\/groups\/2\/$/, /\/groups\/3\/$/] } });
  const { seeds } = parseSeed({
    text: 'users: [{ username: root, is_superuser: true, token: wlu_root }]',
    file: 'team.yaml',
  });
  await applySeed(service.database.load, { sandboxId: 1, seeds, mode: 'merge', seedName: 'test' });
  t.match(await service.request('GET', '/api/users/', { token: 'wlu_root' }), { status: 200, json: { count: 1 } });
});

// Specification, table 2.3.
const documented = [
  ['MentionCommentNotificaton', [0, 10]],
  ['LastAuthorCommentNotificaton', [10]],
  ['NewAnnouncementNotificaton', [10, 20]],
  ['MergeFailureNotification', [20]],
  ['ParseErrorNotification', [20]],
  ['NewTranslationNotificaton', [20]],
  ['NewComponentNotificaton', [20]],
  ['NewAlertNotificaton', [20]],
] as const;
const pairs = documented.flatMap(([name, scopes]) => scopes.map((scope) => `${name} ${scope} 1 null null`));

await test('the documented sample is what the specification shows', async (t) => {
  const seed = await readSeedFile(join(folder, 'documented.yaml'));
  const of = (user: string): Seed['subscriptions'] => seed.subscriptions.filter((s) => s.user === user);
  const shown = (user: string): string[] =>
    of(user).map(({ notification, scope, frequency = frequencies.instant, project, component }) =>
      [notification, scope, frequency, project, component].map(String).join(' '),
    );
  t.equal(pairs.length, 10);
  t.strictSame(shown('alice'), pairs);
  t.strictSame(
    shown('bob'),
    pairs.filter((pair) => !pair.startsWith('NewComponentNotificaton')),
  );
  t.ok(of('carol').some((s) => s.project === 'demo'));
  t.ok(of('carol').some((s) => s.component === 'demo/app'));
  t.equal(of('dave').length, 0);
  t.equal(of('erin').length, 137);
  t.strictSame(
    seed.users.filter((user) => user['is_superuser'] === true).map((user) => user.username),
    ['admin'],
  );
  t.match(seed.users[0], { id: 1, username: 'anonymous', is_active: false });
  t.ok(seed.users.some((user) => user.username === 'jürgen'));
  for (const { text } of seed.users.flatMap((user) => user.tokens))
    t.match(text, /^wlu_[a-z]+_public_sample_token_0+$/, 'says that it is a public sample');
});
