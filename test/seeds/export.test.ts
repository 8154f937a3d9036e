// An exported text makes the same sandbox again; and what import makes of a server's answers.
import { text as textOf } from 'node:stream/consumers';
import { test } from 'tap';
import { parse } from 'yaml';
import { command as importCommand } from '../../src/cli/commands/import.ts';
import { personOf } from '../../src/cli/generate/made-up-names.ts';
import { createExports } from '../../src/seeds/export/export-sandbox.ts';
import { checkAlone, parseSeed } from '../../src/seeds/format/read-seeds.ts';
import { applySeed } from '../../src/seeds/load/apply.ts';
import { seedFile } from '../../src/seeds/load/seed-name.ts';
import { readSeedFile } from '../support/read-seed-file.ts';
import { runCommand } from '../support/run-command.ts';
import { addSandbox, dump, load, openMigrated, select } from '../support/sandbox-database.ts';
import { openForTest, startService, transcriptsFolder } from '../support/service.ts';
import { runImport as run, send, startFakeServer } from './import-server.ts';

const odd = `
users:
  - username: "yes"
    full_name: "Null: # , [x] {y} 'quoted' \\"twice\\" \\u2028 \\u0085\\u009f\\u202e\\u2066\\ufeff\\uffff \\\\"
    email: odd@example.com
    is_bot: true
    date_joined: 2020-02-29T01:02:03.000004Z
    date_expires: 2030-01-01
    profile: { languages: [cs, "no"], nested: { a: 1.5, b: null, "": [] } }
    groups: [5, Only]
  - { username: "1e3", id: 77, is_active: false, groups: [] }
  - { username: "on", is_superuser: true }
  - { username: anonymous, is_internal: false }
groups:
  - { id: 5, name: Twin, automatic: true, projects: [b, a] }
  - { id: 6, name: Twin, roles: [3, 1], permissions: [user.view], project_selection: 1 }
  - { name: Only, defining_project: b, language_selection: 1, languages: [pt_BR, cs], components: [b/c], admins: ["yes", "1e3"] }
  - { name: Built in, internal: true, enforced_2fa: true, project_selection: 2 }
projects: [{ slug: a, private: true, web: 'https://example.com/?a=1#b' }, { slug: b, name: "B: b" }]
components: [{ project: b, slug: c, name: "- c" }]
subscriptions:
  - { user: "1e3", notification: LockNotification, component: b/c, frequency: none }
  - { user: "yes", notification: LockNotification, project: a, id: 500, frequency: monthly }
next_id: { users: 1000, components: 50 }
`;

await test('export', async (suite) => {
  const { db, url } = await openMigrated(suite);
  const database = openForTest(url);
  suite.teardown(() => database.close());
  const exportSeed = createExports(database.openConnection);
  async function exportOf(id: number, format: 'yaml' | 'json'): Promise<string> {
    await select(db, `update understudy.sandboxes set name = 'exported-${id}' where id = ${id}`);
    return textOf(await exportSeed(`exported-${id}`, format));
  }
  const withoutTokens = async (id: number) => ({ ...(await dump(db, id)), tokens: [] });

  async function replace(sandboxId: number, file: string) {
    await applySeed(db, { sandboxId, seeds: [await readSeedFile(file)], mode: 'replace', seedName: file });
  }
  const seeds: [string, (id: number) => Promise<unknown>][] = [
    ['odd texts', (id) => load(db, id, odd)],
    ['nothing', (id) => load(db, id, 'groups: []')],
    ['the documented seed', (id) => replace(id, seedFile('documented'))],
    ['the transcripts’ seed', (id) => replace(id, `${transcriptsFolder}/seed.json`)],
  ];
  for (const [name, fill] of seeds)
    for (const format of ['yaml', 'json'] as const)
      await suite.test(`${name} as ${format}`, async (t) => {
        const id = await addSandbox(db);
        await fill(id);
        await select(db, `delete from understudy.subscriptions where sandbox_id = ${id} and id % 7 = 3`);
        const text = await exportOf(id, format);
        t.strictSame(checkAlone(parseSeed({ text, file: 'exported' })).errors, []);
        const again = await addSandbox(db);
        await load(db, again, text, { mode: 'replace' });
        t.strictSame(await withoutTokens(again), await withoutTokens(id));
        t.equal(await exportOf(again, format), text, 'and its export is the same text');
        // Characters that YAML parsers may reject, or editors show as others. (JSON has them unescaped.)
        if (format === 'yaml') t.notMatch(text, /[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}\uffff]/u);
      });

  await suite.test('tokens are left out, and it says so', async (t) => {
    const id = await addSandbox(db);
    await load(db, id, 'users: [{ username: ada, token: secret-of-ada }]');
    const text = await exportOf(id, 'yaml');
    t.match(text, /Tokens are stored as hashes and can not be exported/);
    t.notMatch(text, /secret-of-ada|token:/);
  });

  await suite.test('an unknown sandbox is an error', async (t) => {
    await t.rejects(exportSeed('nowhere', 'yaml'), { message: 'No sandbox is named "nowhere".' });
  });
});

// Of test/transcripts/data/seed.json.
const transcriptsAdmin = 'wlu_admin0000000000000000000000000000000';

await test('reads everything, with real names', async (t) => {
  const server = await startFakeServer(t);
  const { code, stdout, stderr } = await run(server, ['--keep-personal-data']);
  t.equal(code, 0, stderr);
  const seed = parse(stdout) as Record<'users' | 'groups', Record<string, unknown>[]>;
  t.match(seed, {
    users: [
      { id: 1, username: 'anonymous', is_active: false, groups: ['Viewers'] },
      { id: 5, username: 'admin', is_superuser: true, subscriptions: [{ id: 33, scope: 'all' }] },
      {
        id: 6,
        username: 'alice',
        groups: ['Viewers', 'Users'],
        subscriptions: [
          { id: 43, notification: 'NewAlertNotificaton', scope: 'administered', frequency: 'instant' },
          { id: 44, scope: 'project', project: 'demo' },
        ],
      },
      {
        id: 12,
        username: 'jürgen@ü',
        full_name: 'Real jürgen@ü',
        email: 'user12@company.test',
        date_joined: '2026-01-02T03:04:05Z',
        last_login: '2026-02-03T04:05:06.000007Z',
        groups: ['Viewers', 'Secret team'],
        subscriptions: [{ id: 99, scope: 'component', component: 'secret/core' }],
      },
    ],
    groups: [
      { id: 2, name: 'Viewers', automatic: true, internal: true, project_selection: 4, roles: [] },
      { id: 3, automatic: true, internal: true, roles: ['Power user'] },
      { id: 9, automatic: false, internal: false, project_selection: 0, projects: ['secret'] },
      { id: 10, defining_project: 'demo' },
    ],
    projects: [{ slug: 'demo' }, { slug: 'secret' }],
    components: [{ project: 'secret', slug: 'core' }],
  });
  t.strictSame(seed.users[3]?.['profile'], {
    languages: ['ca@valencia', 'cs'],
    watched: ['demo'],
    theme: 'dark',
    github: 'real-jürgen@ü',
  });
  t.match(stderr, /left out: 1 subscriptions; a seed can't hold NewerThanUnderstudyNotification\n/);
});

await test('an import from our own service makes a seed with the same content', async (t) => {
  for (const seed of ['documented', 'transcripts']) {
    const service = await startService(t, { seed });
    const token = seed === 'documented' ? 'wlu_admin_public_sample_token_0000000000' : transcriptsAdmin;
    for (const [list, json] of [
      ['languages', { language_code: 'cs' }],
      ['components', { component_id: 2 }],
      ['admins', { user_id: 5 }],
    ] as const)
      await service.request('POST', `/api/groups/3/${list}/`, { token, json });
    const ran = await runCommand(importCommand, ['--from', service.url, '--token-env', 'T', '--keep-personal-data'], {
      env: { T: token },
    });
    t.equal(ran.code, 0, ran.stderr);
    const db = service.database.load;
    const id = await addSandbox(db);
    await load(db, id, ran.stdout);
    const [copy, original] = [await dump(db, id), await dump(db, 1)];
    for (const table of ['users', 'user_groups', 'group_admins'])
      t.strictSame(copy[table], original[table], `${seed}: ${table}`);
    const held = (sandbox: number) =>
      select(
        db,
        `select id, user_id, notification, scope, frequency, project, component from understudy.subscriptions
         where sandbox_id = ${sandbox} order by id`,
      );
    t.strictSame(await held(id), await held(1), `${seed}: subscriptions`);
    t.match(ran.stdout, /languages: \[cs\].*components: \[demo\/\w+\], admins: \[\S+\]/);
  }
});

await test('people get made-up names, the same each time, and keep their subscriptions and groups', async (t) => {
  const server = await startFakeServer(t);
  const { code, stdout } = await run(server);
  t.equal(code, 0);
  t.notMatch(stdout, /real|company|alice|jürgen/i);
  const { seed, errors } = checkAlone(parseSeed({ text: stdout, file: 'imported.yaml' }));
  t.strictSame(errors, []);
  t.strictSame(
    seed.users.map(({ username }) => username),
    ['anonymous', personOf(5).username, personOf(6).username, personOf(12).username],
  );
  const [, admin] = (parse(stdout) as { users: { profile: object }[] }).users;
  t.strictSame(admin?.profile, { languages: ['ca@valencia', 'cs'], watched: ['demo'], theme: 'dark' });
  t.equal(seed.subscriptions.find(({ id }) => id === 44)?.user, personOf(6).username);
  t.equal((await run(server)).stdout, stdout);
});

await test('--users limits the import to those users and what they need', async (t) => {
  const server = await startFakeServer(t);
  const { code, stdout } = await run(server, ['--users', 'jürgen@ü', '--keep-personal-data']);
  t.equal(code, 0);
  const { users, groups, projects } = parse(stdout) as Record<string, Record<string, string>[]>;
  t.strictSame(
    users?.map(({ username }) => username),
    ['jürgen@ü'],
  );
  t.strictSame(
    groups?.map(({ name }) => name),
    ['Viewers', 'Users', 'Secret team'],
  );
  t.strictSame(
    projects?.map(({ slug }) => slug),
    ['secret'],
  );
  t.match(await run(server, ['--users', 'nobody']), {
    code: 2,
    stdout: '',
    stderr: /api\/users\/nobody\/ answered 404: it does not exist, or is not visible with this token/,
  });
});

await test('subscriptions to components in categories are left out, and these named', async (t) => {
  const server = await startFakeServer(t);
  const component = `${server.url}/api/components/demo/cat%252Fcomp/`;
  server.intercept = (request, response) => {
    if (!request.url?.startsWith('/api/users/admin/notifications/')) return false;
    const one = { notification: 'LockNotification', scope: 40, frequency: 1, project: null };
    const results = [
      { ...one, id: 33, component },
      { ...one, id: 34, component: `${server.url}/api/components/secret/core/` },
    ];
    send(response, 200, { next: null, results });
    return true;
  };
  const { code, stdout, stderr } = await run(server, ['--users', 'admin', '--keep-personal-data']);
  t.equal(code, 0, stderr);
  t.match(stderr, `left out: 1 subscriptions; a seed can't hold ${component}\n`);
  const { users } = parse(stdout) as { users: { subscriptions: { id: number }[] }[] };
  t.strictSame(
    users[0]?.subscriptions.map(({ id }) => id),
    [34],
  );
});

await test('a user in basic form, or none at all: exit 2', async (t) => {
  const server = await startFakeServer(t);
  const answers: [results: object[], fault: RegExp][] = [
    [[{ id: 6, username: 'alice', full_name: 'A' }], /user alice is shown in basic form only/],
    [
      [{ id: 6, username: 'alice', groups: [] }],
      /without a profile; the server must be Weblate \d+\.\d+\.\d+ or newer/,
    ],
    [[], /the list of users is empty for this token; name users with --users/],
  ];
  for (const [results, fault] of answers) {
    server.intercept = (request, response) => {
      if (!request.url?.startsWith('/api/users/?')) return false;
      send(response, 200, { next: null, results });
      return true;
    };
    t.match(await run(server), { code: 2, stdout: '', stderr: fault });
  }
});

await test('wrong usage exits with 2 and says what is wrong', async (t) => {
  const from = ['--from', 'http://127.0.0.1:1'];
  const wrong: [args: string[], fault: string][] = [
    [[], 'missing --from URL'],
    [['--from', 'ftp://x'], '--from must begin with http:// or https://'],
    [[...from, '--token-env', 'NOT_SET'], '--token-env: the variable NOT_SET is not set'],
    [[...from, '--users', ','], '--users is empty; expected usernames with commas between them'],
  ];
  for (const [args, fault] of wrong) {
    const ran = await runCommand(importCommand, args);
    t.match(ran, { code: 2, stdout: '', stderr: `import: ${fault}\n\nUsage: ` }, args.join(' '));
  }
});
