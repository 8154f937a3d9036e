// model/kinds.ts and migrations/ name the same columns. Copies, resets, seeds, exports and types follow from the former.
import { test } from 'tap';
import { columnsOf, counterOf, initialValues, kindNames, tableNames } from '../../src/model/kinds.ts';
import { openMigrated, select } from '../seeds/sandbox-database.ts';

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
