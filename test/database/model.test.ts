// The database agrees with model/: it has the same tables and columns, and folds usernames alike.
import { test } from 'tap';
import { Client } from 'pg';
import { columnsOf, counterOf, initialValues, kindNames, type TableName, tableNames } from '../../src/model/kinds.ts';
import { openMigrated, select } from '../support/sandbox-database.ts';
import { migrateToLatest } from '../../src/database/migrator.ts';
import { neverSet } from '../../src/database/sandbox-rows.ts';
import { foldCase } from '../../src/model/usernames.ts';
import { createTestDatabase } from '../support/database.ts';

const advice =
  'change src/model/kinds.ts or the migration, so that both have the same tables, columns, types and defaults';

await test('the tables of sandboxes are those of the model', async (t) => {
  const { db } = await openMigrated(t);
  const found = (await select(
    db,
    `select c.relname as table, a.attname as column, pg_get_expr(d.adbin, d.adrelid) as initial,
       replace(format_type(a.atttypid, a.atttypmod), 'timestamp with time zone', 'timestamptz')
         || case when a.attnotnull then '' else ' null' end as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where c.relnamespace = 'understudy'::regnamespace and c.relkind = 'r' and a.attgenerated = ''
       and c.relname <> 'sandbox_tokens'
       and exists (select from pg_attribute s where s.attrelid = c.oid and s.attname = 'sandbox_id')
       and a.attname <> 'sandbox_id'`,
  )) as { table: string; column: string; type: string; initial: string | null }[];
  const keyTypes: Record<string, string> = { hash: 'bytea' };
  const ofKinds = tableNames.flatMap((table) => {
    const { key, others } = columnsOf(table);
    const types = { ...Object.fromEntries(key.map((column) => [column, keyTypes[column] ?? 'integer'])), ...others };
    return Object.entries(types).map(([column, type]) => `${table}.${column} ${type}`);
  });
  const ofCounters = kindNames.map((kind) => `counters.${counterOf(kind)} integer`);
  t.same(
    found.map(({ table, column, type }) => `${table}.${column} ${type}`).toSorted(),
    [...ofKinds, ...ofCounters, 'counters.clock timestamptz null'].toSorted(),
    advice,
  );

  let compared = 0;
  for (const kind of kindNames)
    for (const [column, value] of Object.entries(initialValues(kind, 'x'))) {
      const initial = found.find((one) => one.table === kind && one.column === column)?.initial ?? null;
      if (initial === null) continue;
      compared++;
      const [row] = await select(db, `select ${initial} as initial`);
      t.same(row?.['initial'], value, `${kind}.${column}: ${advice}`);
    }
  t.ok(compared > 8, `${compared} defaults`);
});

await test('a reset sets no column that is unique', async (t) => {
  const { db } = await openMigrated(t);
  const unique = await select(
    db,
    `select c.conrelid::regclass::text as table, array(select replace(attname, '_key', '') from pg_attribute
       where attrelid = c.conrelid and attnum = any(c.conkey) and attname <> 'sandbox_id') as columns
     from pg_constraint c where c.contype = 'u' and c.connamespace = 'understudy'::regnamespace`,
  );
  for (const { table, columns } of unique as { table: string; columns: string[] }[]) {
    const kept = neverSet[table.replace(/^.*\./u, '') as TableName];
    if (!table.endsWith('sandboxes'))
      t.same(
        columns.filter((column) => kept?.includes(column) !== true),
        [],
        table,
      );
  }
  t.ok(unique.length > 4);
});

// The scripts that have an upper case, without two letters that PostgreSQL's older Unicode lacks, and without those of
// Greek whose upper case is longer than one letter in JavaScript alone.
const letters = Array.from({ length: 0x25_00 }, (_, i) => String.fromCodePoint(i + 1)).filter(
  (c) => /\p{L}|\p{M}/u.test(c) && !/[\u1c89\u1c8a\u1f80-\u1fbc\u1fc3\u1fcc\u1ff3\u1ffc]/.test(c),
);
const names = ['ΑΣ', 'Straße', 'İx', 'Alice@EXAMPLE'];

await test('the database and seeds fold usernames alike', async (t) => {
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

  // A letter's upper case by simple mapping, as in the real system's database: a longer one doesn't count.
  const upper = (letter: string) => (Array.from(letter.toUpperCase()).length > 1 ? letter : letter.toUpperCase());
  const groupBy = (of: (letter: string) => string) =>
    [...Map.groupBy(letters, of).values()].map((group) => group.join('')).toSorted();
  t.same(groupBy(foldCase), groupBy(upper), 'letters with one upper case fold alike, and no others');
});
