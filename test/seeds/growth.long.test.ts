// Seeds that once took time by the square of their length, or memory by a product, and others of their kind.
import { test } from 'tap';
import { checkAlone, parseSeed } from '../../src/seeds/format/read-seeds.ts';
import { readSeedText } from '../../src/seeds/load/load-rows.ts';
import { firstErrors, SeedError } from '../../src/seeds/format/seed-errors.ts';
import { growth, mostGrowth } from '../support/growth.ts';

const list = (n: number, item: (i: number) => string) => Array.from({ length: n }, (_, i) => item(i)).join('');
const check = (text: string) => firstErrors(checkAlone(parseSeed({ text, file: 's.yaml' })).errors);
const refused = async (text: string) => {
  const error: unknown = await readSeedText({ text, file: 's.yaml' }, { sandbox: 's' }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SeedError)) throw new Error('the seed is accepted');
  return error;
};

const inputs: Record<string, [n: number, text: (n: number) => string]> = {
  'users without a name': [1500, (n) => `{"users":[${Array(n).fill('{}').join()}]}`],
  'names that lead nowhere': [
    800,
    (n) =>
      `users:\n${list(n, (i) => `- username: user${i}\n`)}` +
      `subscriptions:\n${list(n, (i) => `- { user: resu${i}, notification: LockNotification, scope: 0 }\n`)}`,
  ],
  'groups that are named often': [
    1000,
    (n) =>
      `groups:\n${list(n, (i) => `- name: g${i}\n`)}users:\n- { username: a, groups: [${list(n, (i) => `g${i},`)}] }`,
  ],
  'users that are repeated': [1500, (n) => `users:\n${'- username: a\n'.repeat(n)}`],
};

for (const [name, [n, text]] of Object.entries(inputs))
  await test(name, async (t) => {
    const found = await growth(n, text, check);
    t.ok(found < mostGrowth, `twice the seed takes ${found.toFixed(1)} times as long`);
  });

await test('the first hundred errors, in the order of the text, and how many more', async (t) => {
  const { errors, more } = check(`next_id: { users: 0 }\nusers:\n${'- { usernme: a }\n'.repeat(200)}projects: x\n`);
  t.equal(errors.length, 100);
  t.match(errors.slice(0, 3), [
    { line: 1, column: 19, path: 'next_id.users' },
    { line: 3, column: 3, path: 'users[0].username', message: 'is missing' },
    { line: 3, column: 5, path: 'users[0].usernme', message: /did you mean username/ },
  ]);
  t.equal(more, 2 + 2 * 200 - 100);
  t.match((await refused(`{"users":[${Array(102).fill('{}').join()}]}`)).message, /\nand 2 more errors$/);
});

await test('a large seed is read by a thread, and is the same seed', async (t) => {
  const text = `users:\n${list(2000, (i) => `- username: user${i}\n  subscriptions: [{ notification: LockNotification, scope: 10 }]\n`)}`;
  let turns = 0;
  const turn = setInterval(() => turns++, 1);
  const seed = await readSeedText({ text, file: 's.yaml' }, { sandbox: 's' });
  clearInterval(turn);
  t.ok(turns > 5, 'others have their turn meanwhile');
  t.match(seed.tables, [{ count: 0 }, { count: 0 }, { count: 2 }, { count: 2000 }, { count: 2000 }]);
  const broken = await refused(text.replace('- username: user1999', '- usernme: user1999'));
  t.match(broken.errors, [
    { line: 4000, column: 3, path: 'users[1999].usernme', message: 'is not a known key; did you mean username?' },
    { line: 4000, column: 3, path: 'users[1999].username', message: 'is missing' },
  ]);
});

await test('seeds that stand for far more rows than their size are refused', async (t) => {
  const all = '{ notifications: all, scopes: [all, watched, administered] }';
  const cases: [string, RegExp][] = [
    [
      `users: [{ username: a, subscriptions: [{ notifications: all, scopes: [${'0,'.repeat(6)}] }] }]`,
      /at most 5 entries/,
    ],
    [`users:\n${list(800, (i) => `- { username: u${i}, subscriptions: [${all}] }\n`)}`, /over 50000 subscriptions/],
    [
      `users:\n${list(300, (i) => `- username: u${i}\n`)}groups:\n${list(300, (i) => `- { name: g${i}, automatic: true }\n`)}`,
      /over 50000 subscriptions and memberships/,
    ],
    [
      `x: &x ${'x'.repeat(5000)}\nusers:\n${list(900, (i) => `- { username: u${i}, profile: { y: *x } }\n`)}`,
      /too long with its aliases expanded/,
    ],
    [`users: [*a]\nx: &a 1`, /no anchor &a stands before this alias/],
    [`{"users":[{"username":"a","profile":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}]}`, /nests deeper than 100/],
    [`users: ${'['.repeat(5000)}`, /./],
    [`users: ${'['.repeat(50_000)}`, /./],
  ];
  for (const [text, message] of cases) t.match((await refused(text)).message, message, text.slice(0, 60));
});
