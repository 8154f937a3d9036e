// Which usernames are the same: the fold in the database, the one of seeds, and the rule of the real system.
import { Client } from 'pg';
import { test } from 'tap';
import { migrateToLatest } from '../../src/database/migrator.ts';
import { foldCase } from '../../src/model/usernames.ts';
import { createTestDatabase } from '../support/database.ts';

// Of the scripts that have an upper case: without two letters that PostgreSQL's older Unicode lacks, and without those of
// Greek whose upper case is longer than one letter in JavaScript alone.
const letters = Array.from({ length: 0x25_00 }, (_, i) => String.fromCodePoint(i + 1)).filter(
  (c) => /\p{L}|\p{M}/u.test(c) && !/[\u1c89\u1c8a\u1f80-\u1fbc\u1fc3\u1fcc\u1ff3\u1ffc]/.test(c),
);
const names = ['ΑΣ', 'Straße', 'İx', 'Alice@EXAMPLE'];

await test('usernames that fold alike', async (t) => {
  const url = await createTestDatabase(t);
  await migrateToLatest(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  const { rows } = await client.query<{ keys: string[] }>(
    `select array(select understudy.username_key(name) from unnest($1::text[]) with ordinality u (name, n) order by n) as keys`,
    [[...letters, ...names]],
  );
  const keys = rows[0]?.keys ?? [];
  t.same(keys, [...letters, ...names].map(foldCase), 'the database and seeds agree');
  t.same(keys.slice(letters.length), ['ασ', 'straße', 'ıx', 'alice@example']);

  // One letter's upper case by simple mapping, as the real system's database knows it: a longer one isn't taken.
  const upper = (letter: string) => (Array.from(letter.toUpperCase()).length > 1 ? letter : letter.toUpperCase());
  const groupBy = (of: (letter: string) => string) =>
    [...Map.groupBy(letters, of).values()].map((group) => group.join('')).toSorted();
  t.same(groupBy(foldCase), groupBy(upper), 'letters with one upper case fold alike, and no others');
});
