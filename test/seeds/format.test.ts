// What a seed may contain, in which forms, and its errors, each with its place.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { parse } from 'yaml';
import { notificationNames } from '../../src/model/notifications.ts';
import { combineSeeds } from '../../src/seeds/format/combine.ts';
import { toTimestamp } from '../../src/seeds/format/normalise.ts';
import { checkAlone, parseSeed } from '../../src/seeds/format/read-seeds.ts';
import { formatError } from '../../src/seeds/format/seed-errors.ts';
import type { Seed } from '../../src/seeds/format/seed-types.ts';
import { toSeedRows } from '../../src/seeds/load/load-rows.ts';
import { readSeedFile } from '../support/read-seed-file.ts';

const root = join(import.meta.dirname, '../..');

function seedOf(text: string): Seed {
  const { seeds, errors } = parseSeed({ text, file: 's.yaml' });
  if (errors.length > 0 || seeds[0] === undefined) throw new Error(JSON.stringify(errors));
  return seeds[0];
}
const digest = (text: string): string => toSeedRows(seedOf(text)).digest;
const subscriptionsOf = (text: string) =>
  seedOf(text).subscriptions.map((s) => [s.user, s.notification, s.scope, s['frequency'], s.project, s.component]);

await test('the seed of the transcripts is valid', async (t) => {
  const seed = await readSeedFile(join(root, 'test/transcripts/data/seed.json'));
  t.equal(seed.users.length, 9);
  t.equal(seed.subscriptions.length, 202);
  t.strictSame(seed.next_id, { users: 13, subscriptions: 255 });
});

await test('names and codes, inline and listed entries, and single and many mean the same', async (t) => {
  const text = `users:
  - username: ada
    subscriptions:
      - { notification: NewAlertNotificaton, scope: watched, frequency: none }
      - { notifications: [LockNotification, LicenseNotification], scopes: [20, all], frequency: 4 }
      - { notification: LockNotification, component: demo/app }
subscriptions:
  - { user: ada, notification: NewAlertNotificaton, scope: 30, frequency: 2, project: demo, component: null }
`;
  t.strictSame(subscriptionsOf(text), [
    ['ada', 'NewAlertNotificaton', 10, 0, null, null],
    ['ada', 'LockNotification', 20, 4, null, null],
    ['ada', 'LicenseNotification', 20, 4, null, null],
    ['ada', 'LockNotification', 0, 4, null, null],
    ['ada', 'LicenseNotification', 0, 4, null, null],
    ['ada', 'LockNotification', 40, undefined, null, 'demo/app'],
    ['ada', 'NewAlertNotificaton', 30, 2, 'demo', null],
  ]);
  const all = subscriptionsOf('users: [{ username: a, subscriptions: [{ notifications: all, scope: all }] }]');
  t.strictSame(
    all.map(([, name]) => name),
    notificationNames,
  );
});

await test('dates keep their microseconds and lose their offset', async (t) => {
  t.equal(toTimestamp('2026-11-21T04:39:58.871372Z'), '2026-11-21T04:39:58.871372Z');
  t.equal(toTimestamp('2026-01-01T00:30:00.5+01:00'), '2025-12-31T23:30:00.500000Z');
  t.equal(toTimestamp('2026-01-02'), '2026-01-02T00:00:00.000000Z');
  for (const text of ['2026-13-01', '2026-02-30', '2026-01-01T25:00:00Z', '2026-01-01T00:00:00+99:00'])
    t.equal(toTimestamp(text), undefined, text);
});

await test('the digest follows the content and not the form', async (t) => {
  const one = digest('users: [{ username: a, email: a@b, profile: { place: x } }]');
  t.equal(one, digest('# words\nusers:\n  - email: a@b\n    profile: {"place": "x"}\n    username: a\n'));
  t.not(one, digest('users: [{ username: a, email: a@b, profile: { place: y } }]'));
  t.not(digest('users: [{ username: a }, { username: b }]'), digest('users: [{ username: b }, { username: a }]'));
  t.not(digest('users: [{ username: a, token: x }]'), digest('users: [{ username: a, token: y }]'));
  const scope = (word: string) =>
    digest(`subscriptions: [{ user: a, notification: LockNotification, scope: ${word} }]`);
  t.equal(scope('watched'), scope('10'));
});

await test('later seeds override earlier ones', async (t) => {
  const base = seedOf(`users: [{ username: ada, email: a@b, token: one }, { id: 7, username: bob }]
projects: [{ slug: demo, name: Demo }]
subscriptions: [{ user: ada, notification: LockNotification, scope: 10 }]
next_id: { users: 20 }`);
  const more = seedOf(`users: [{ username: ADA, full_name: Ada, token: two }, { id: 8, username: bob }]
projects: [{ slug: demo, private: true }]
subscriptions: [{ user: Ada, notification: LockNotification, scope: 10, frequency: daily }]
next_id: { users: 10, groups: 5 }`);
  const { seed, errors } = combineSeeds([base, more]);
  t.strictSame(
    errors.map((error) => `${error.path} ${error.message}`),
    ['users[1].id must be 7 as in s.yaml'],
  );
  t.match(seed.users[0], { username: 'ADA', email: 'a@b', full_name: 'Ada' });
  t.strictSame(
    seed.users[0]?.tokens.map((token) => token.text),
    ['one', 'two'],
  );
  t.match(seed.projects[0], { name: 'Demo', private: true });
  t.strictSame(
    seed.subscriptions.map((subscription) => subscription['frequency']),
    [2],
  );
  t.strictSame(seed.next_id, { users: 20, groups: 5 });
});

await test('a text that is the name of a method of objects stays', async (t) => {
  const { seeds } = parseSeed({ text: 'projects: [{ slug: constructor, name: toString }]', file: 's.yaml' });
  t.match(seeds[0]?.projects[0], { slug: 'constructor', name: 'toString' });
});

await test('docs/reference/seed-format.md shows a seed without errors and every notification', async (t) => {
  const text = await readFile(join(root, 'docs/reference/seed-format.md'), 'utf8');
  const example = /```yaml\n(.*?)```/s.exec(text)?.[1] ?? '';
  t.equal(Array.isArray(parse(example).users), true);
  t.strictSame(checkAlone(parseSeed({ text: example, file: 'docs/reference/seed-format.md' })).errors, []);
  t.strictSame(
    notificationNames.filter((name) => !text.includes(name)),
    [],
  );
});

function errorsOf(text: string): string[] {
  return checkAlone(parseSeed({ text, file: 's.yaml' })).errors.map(formatError);
}

await test('unknown keys and bad values come together, in the order of the text, and alone', async (t) => {
  const text = `usres: []
users:
  - username: alice
    emial: x
    email: foo
    groups: [3, [1]]
    tokens: [a b, ok, ok]
  - username: 123
  - username: ALICE
    is_superuser: yes
    subscriptions:
      - { notification: NewAlertNotification, scope: watched }
      - { notification: NewAlertNotificaton, scope: watchd }
      - { notifications: [NewAlertNotificaton, Foo], project: x/y }
      - { scope: all }
  - full_name: x
  - foo
components:
  - { project: demo, slug: "a\\0b" }
subscriptions:
  - { user: Alice, notification: NewAlertNotificaton, scope: administered, frequency: 9, id: 0 }
next_id: { user: 4 }
`;
  const names = `${notificationNames.slice(0, -1).join(', ')} or ${notificationNames.at(-1)}`;
  t.strictSame(errorsOf(text), [
    's.yaml:1:1 usres is not a known key; did you mean users?',
    's.yaml:4:5 users[0].emial is not a known key; did you mean email?',
    's.yaml:5:12 users[0].email must be of this form: E-mail address',
    's.yaml:6:17 users[0].groups[1] must be a whole number from 1 to 2000000000 or text, not a list',
    's.yaml:7:14 users[0].tokens[0] must be of this form: Token as it is sent: printable ASCII without blanks. Only its SHA-256 is stored',
    's.yaml:8:15 users[1].username must be text, not 123: put it in quotes',
    's.yaml:10:19 users[2].is_superuser must be true or false, not the text "yes"',
    's.yaml:12:25 users[2].subscriptions[0].notification is not known; did you mean NewAlertNotificaton?',
    's.yaml:13:53 users[2].subscriptions[1].scope is not known; did you mean watched?',
    `s.yaml:14:48 users[2].subscriptions[2].notifications[1] must be ${names}, not the text "Foo"`,
    's.yaml:14:63 users[2].subscriptions[2].project must be of this form: Slug: letters, digits, - and _',
    's.yaml:16:5 users[3].username is missing',
    's.yaml:17:5 users[4] must be an object',
    's.yaml:19:28 components[0].slug must be of this form: Slug: letters, digits, - and _',
    's.yaml:21:87 subscriptions[0].frequency must be none, instant, daily, weekly, monthly, 0, 1, 2, 3 or 4, not 9',
    's.yaml:21:94 subscriptions[0].id must be a whole number from 1 to 2000000000, not 0',
    's.yaml:22:12 next_id.user is not a known key; did you mean users?',
  ]);
});

await test('contradictions, duplicates and bad dates come together, in the order of the text', async (t) => {
  const text = `users:
  - username: alice
    date_joined: 2026-02-31
    groups: [Viewer, 3]
    tokens: [ok, ok]
  - username: ALICE
    subscriptions:
      - { notification: NewAlertNotificaton, scope: project }
      - { notification: NewAlertNotificaton, project: demo, scope: 10 }
      - { notification: NewAlertNotificaton, project: null }
      - { notification: NewAlertNotificaton, scope: 10, scopes: [20], project: demo, component: demo/app }
      - { scope: all }
      - { notifications: all, scope: all, id: 3 }
      - { notification: NewAlertNotificaton, notifications: all, scope: component }
components:
  - { project: demo, slug: app }
subscriptions:
  - { user: alice, notification: NewAlertNotificaton, scope: 20 }
  - { user: Alice, notification: NewAlertNotificaton, scope: administered }
now: 2026-02-30
`;
  t.strictSame(errorsOf(text), [
    's.yaml:3:18 users[0].date_joined is no date: 2026-02-31',
    's.yaml:4:14 users[0].groups[0] names a group that is not there: Viewer; did you mean Viewers?',
    's.yaml:5:18 users[0].tokens[1] repeats the token of users[0].tokens[0] (line 5)',
    's.yaml:6:15 users[1].username repeats the username of users[0] (line 2)',
    's.yaml:8:9 users[1].subscriptions[0] needs a project, because its scope is project',
    's.yaml:9:55 users[1].subscriptions[1].project is only for scope project',
    's.yaml:9:55 users[1].subscriptions[1].project names a project that is not there: demo',
    's.yaml:10:9 users[1].subscriptions[2] needs a scope, a project or a component',
    "s.yaml:11:65 users[1].subscriptions[3].scopes can't be combined with scope",
    's.yaml:11:80 users[1].subscriptions[3].project is only for scope project',
    's.yaml:11:80 users[1].subscriptions[3].project names a project that is not there: demo',
    "s.yaml:11:97 users[1].subscriptions[3].component can't be combined with project",
    's.yaml:11:97 users[1].subscriptions[3].component is only for scope component',
    's.yaml:12:9 users[1].subscriptions[4] needs a notification (or notifications, a list of names)',
    "s.yaml:13:47 users[1].subscriptions[5].id can't be the id of several subscriptions",
    's.yaml:14:9 users[1].subscriptions[6] needs a component, because its scope is component',
    "s.yaml:14:61 users[1].subscriptions[6].notifications can't be combined with notification",
    's.yaml:16:16 components[0].project names a project that is not there: demo',
    's.yaml:19:5 subscriptions[1] repeats the subscription to NewAlertNotificaton of subscriptions[0] (line 18)',
    's.yaml:20:6 now is no date: 2026-02-30',
  ]);
});

await test('duplicates of every kind are reported with their places', async (t) => {
  const text = `users:
  - { id: 1, username: jürgen, email: a@example.com }
  - { id: 1, username: JÜRGEN, email: A@EXAMPLE.COM }
groups: [{ name: A }, { name: A }, { id: 4, name: B }, { id: 4, name: B }]
projects: [{ slug: demo, id: 2 }, { slug: demo, id: 2 }]
components: [{ project: demo, slug: app, id: 3 }, { project: demo, slug: app, id: 3 }]
`;
  t.strictSame(
    checkAlone(parseSeed({ text, file: 's.yaml' })).errors.map(({ line, path }) => `${line} ${path}`),
    [
      '3 users[1].id',
      '3 users[1].username',
      '3 users[1].email',
      '4 groups[1].name',
      '4 groups[3].id',
      '5 projects[1].slug',
      '5 projects[1].id',
      '6 components[1].slug',
      '6 components[1].id',
    ],
  );
});

await test('references that lead nowhere, with the nearest name', async (t) => {
  const text = `users:
  - { username: alice, groups: [Viewer, 9, Team] }
groups:
  - { name: Viewers }
  - { name: Team, id: 7, defining_project: dmo }
  - { name: Team, id: 8, projects: [demo, gone] }
projects: [{ slug: demo }]
components: [{ project: demmo, slug: app }]
subscriptions:
  - { user: alise, notification: NewAlertNotificaton, scope: 0 }
  - { user: ALICE, notification: NewAlertNotificaton, project: none }
  - { user: alice, notification: NewAlertNotificaton, component: demo/ap }
`;
  t.strictSame(errorsOf(text), [
    's.yaml:2:33 users[0].groups[0] names a group that is not there: Viewer; did you mean Viewers?',
    's.yaml:2:41 users[0].groups[1] names a group that is not there: 9',
    's.yaml:2:44 users[0].groups[2] names several groups: Team; use the id',
    's.yaml:5:44 groups[1].defining_project names a project that is not there: dmo; did you mean demo?',
    's.yaml:6:43 groups[2].projects[1] names a project that is not there: gone',
    's.yaml:8:25 components[0].project names a project that is not there: demmo; did you mean demo?',
    's.yaml:10:13 subscriptions[0].user names a user that is not there: alise; did you mean alice?',
    's.yaml:11:64 subscriptions[1].project names a project that is not there: none',
    's.yaml:12:66 subscriptions[2].component names a component that is not there: demo/ap; did you mean demmo/app?',
  ]);
});

await test('usernames follow the rule of the API, but for those that the system makes itself', async (t) => {
  const text = `users:
  - { username: bad name! }
  - { username: .dot }
  - { username: jürgen+1@x_y-z. }
  - { username: 'addon:cleanup', is_bot: true }
  - { username: 'mt:any', is_internal: true }
`;
  const rule = 'Username may only contain letters, numbers or the following characters: @ . + - _';
  t.strictSame(errorsOf(text), [
    `s.yaml:2:17 users[0].username is not valid: ${rule}`,
    's.yaml:3:17 users[1].username is not valid: The username can not start with a full stop.',
  ]);
});

await test('texts that are no seed are errors', async (t) => {
  const cases: [string, string[]][] = [
    ['', ['s.yaml:1:1 holds nothing; `users: []` is a seed without users']],
    ['# a comment', ['s.yaml:1:1 holds nothing; `users: []` is a seed without users']],
    ['{}', ['s.yaml:1:1 holds nothing; `users: []` is a seed without users']],
    ['users: []', []],
    ['[]', ['s.yaml:1:1 must be an object']],
    ['just words', ['s.yaml:1:1 must be an object']],
    ['users: &a [*a]', ['s.yaml:1:1 is too long with its aliases expanded']],
    ['users: !mine []', ['s.yaml:1:8 Unresolved tag: !mine']],
    ['{"users": [], "users": []}', ['s.yaml:1:15 the key users is there twice']],
    ['users: []\nusers : []', ['s.yaml:2:1 the key users is there twice']],
    ['users: []\n---\nusers: []', ['s.yaml:2:1 a second document begins here, and only one is read']],
    ['users:\n  - *nobody', ['s.yaml:2:5 no anchor &nobody stands before this alias']],
  ];
  for (const [text, expected] of cases) t.strictSame(errorsOf(text), expected, text);
  t.match(
    errorsOf('a: [1,}\nb: "x').map((error) => error.split(' ')[0]),
    ['s.yaml:1:7', 's.yaml:2:6'],
    'every error of the syntax',
  );
  t.match(errorsOf('users:\n  - username: "a\\0b"'), ['s.yaml:2:15 users[0].username holds a NUL']);
  t.match(errorsOf('{"users": [{"username": "a", "profile": {"x": ["\\ud800"]}}]}'), [
    's.yaml:1:48 users[0].profile.x[0] holds a NUL or half a character',
  ]);
});

await test('a YAML text above 20 MB is refused, a JSON text is read, and its errors have their paths', async (t) => {
  const padding = ' '.repeat(20_000_000);
  t.strictSame(errorsOf(`users: []${padding}`), [
    's.yaml:1:1 is YAML of 21 MB, more than 20: write JSON, or use `weblate-understudy generate`',
  ]);
  t.strictSame(errorsOf(`{"users": []}${padding}`), []);
  const users = '[{"username": "a", "email": "e@e.e"}, {"username": "b", "email": "E@e.e", "emial": ""}]';
  t.strictSame(errorsOf(`{"users": ${users}}${padding}`), [
    's.yaml:1:1 users[1].emial is not a known key; did you mean email?',
  ]);
  t.strictSame(errorsOf(`{"users": ${users.replace(', "emial": ""', '')}}${padding}`), [
    's.yaml:1:1 users[1].email repeats the email of users[0] (line 1)',
  ]);
  t.match(errorsOf(`{"users": [}${padding}`), [/^s\.yaml:1:1 is no JSON: /]);
  t.strictSame(errorsOf(`{"users": [], "users": []}${padding}`), ['s.yaml:1:1 has a key twice in one object']);
});
