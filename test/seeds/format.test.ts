// What a seed may contain, and in which forms.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { parse } from 'yaml';
import { notificationNames } from '../../src/model/notifications.ts';
import { combineSeeds } from '../../src/seeds/format/combine.ts';
import { toTimestamp } from '../../src/seeds/format/normalise.ts';
import { checkAlone, parseSeed } from '../../src/seeds/format/read-seeds.ts';
import { readSeedFile } from '../support/read-seed-file.ts';
import { type Seed, seedDigest } from '../../src/seeds/format/seed-types.ts';

const root = join(import.meta.dirname, '../..');

function seedOf(text: string): Seed {
  const { seeds, errors } = parseSeed({ text, file: 's.yaml' });
  if (errors.length > 0 || seeds[0] === undefined) throw new Error(JSON.stringify(errors));
  return seeds[0];
}
const digest = (text: string): string => seedDigest(seedOf(text));
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
