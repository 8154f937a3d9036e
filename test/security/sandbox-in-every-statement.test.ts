// One sandbox can't reach into another: every unique index, primary and foreign key holds sandbox_id, and every statement names it
// wherever it reads or writes such a table.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { test } from 'tap';
import { createSeededDatabase } from '../support/service.ts';

const source = join(import.meta.dirname, '../../src');
// Shared by all sandboxes: the list of them, what the migrator keeps, and the key that signs browsers' sessions.
const shared = new Set(['sandboxes', 'applied_migrations', 'session_keys']);

const tables = new Set([
  'counters',
  'users',
  'tokens',
  'groups',
  'group_projects',
  'user_groups',
  'subscriptions',
  'projects',
  'components',
  'sandbox_tokens',
]);

await test('every key contains the sandbox', async (t) => {
  const client = new Client({ connectionString: await createSeededDatabase(t, null) });
  t.teardown(() => client.end());
  await client.connect();
  const rows = async <R extends object>(text: string) => (await client.query<R>(text)).rows;
  const inSchema = `relnamespace = to_regnamespace('understudy')`;

  const found = await rows<{ name: string; inSandbox: boolean }>(
    `select relname as name, exists (select from pg_attribute where attrelid = c.oid and attname = 'sandbox_id' and attnotnull)
       as "inSandbox" from pg_class c where relkind = 'r' and ${inSchema} order by relname`,
  );
  t.ok(found.length > 8);
  for (const { name, inSandbox } of found) t.equal(inSandbox, !shared.has(name), name);

  const indexes = await rows<{ table: string; index: string; columns: string[] }>(
    `select c.relname as table, i.indexrelid::regclass::text as index,
       array(select attname::text from pg_attribute where attrelid = c.oid and attnum = any(i.indkey)) as columns
     from pg_index i join pg_class c on c.oid = i.indrelid where indisunique and ${inSchema}`,
  );
  for (const { table, index, columns } of indexes)
    if (!shared.has(table)) t.ok(columns.includes('sandbox_id'), `${index}: ${columns.join(', ')}`);

  const foreignKeys = await rows<{ name: string; child: string; parent: string; pairs: string[] }>(
    `select k.conname as name, c.relname as child, p.relname as parent,
       array(select a.attname || ' ' || b.attname from unnest(k.conkey, k.confkey) u(near, far)
         join pg_attribute a on a.attrelid = k.conrelid and a.attnum = near
         join pg_attribute b on b.attrelid = k.confrelid and b.attnum = far) as pairs
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
     where contype = 'f' and k.connamespace = to_regnamespace('understudy')`,
  );
  t.ok(foreignKeys.length > 5);
  for (const { name, child, parent, pairs } of foreignKeys) {
    if (shared.has(parent)) continue;
    t.notOk(shared.has(child), `${name} points from a table of a sandbox`);
    t.ok(pairs.includes('sandbox_id sandbox_id'), `${name}: ${pairs.join(', ')}`);
  }
});

await test('every statement names the sandbox', async (t) => {
  let checked = 0;
  for (const file of globSync(['**/*queries.ts', 'database/*.ts'], { cwd: source }).toSorted()) {
    for (const [name, value] of Object.entries((await import(join(source, file))) as Record<string, unknown>)) {
      if (!hasSql(value)) continue;
      checked++;
      t.same(listUnbound(value.sql), [], `${file}: ${name}`);
    }
  }
  t.ok(checked > 10, `${checked} statements`);
});

await test('the check finds a missing condition', async (t) => {
  t.same(listUnbound('select from understudy.users u where u.id = 1'), ['users u']);
  t.same(listUnbound('select from understudy.users u where u.sandbox_id = $1'), []);
  t.same(
    listUnbound('select from understudy.users u join understudy.tokens k on k.user_id = u.id where u.sandbox_id = $1'),
    ['tokens k'],
  );
  t.same(listUnbound('insert into "understudy"."users" ("id") values (1)'), ['users (into)']);
  t.same(listUnbound('insert into understudy.users\n  (sandbox_id) select from f(null::understudy.users)'), []);
});

function hasSql(value: unknown): value is { sql: string } {
  return typeof value === 'function' && 'sql' in value && typeof value.sql === 'string';
}

/** Each mention of a sandbox's table for which the statement has no condition on its sandbox_id. */
function listUnbound(text: string): string[] {
  const plain = text.replaceAll('"', '').replaceAll(/\s+/g, ' ');
  const unbound: string[] = [];
  const bound = new Map<string, number>();
  // `a.sandbox_id = b.sandbox_id` binds only a: b needs a condition of its own.
  for (const [, left, right] of plain.matchAll(
    /\b(\w+)\.sandbox_id (?:= |in \()|(?<!sandbox_id )= (\w+)\.sandbox_id\b/g,
  )) {
    const alias = left ?? right ?? '';
    bound.set(alias, (bound.get(alias) ?? 0) + 1);
  }
  for (const [, verb, table = '', rest = ''] of plain.matchAll(
    // Not `null::understudy.users`, which is a type.
    /(\binto )?(?<!::)\bunderstudy\.(\w+)((?: as)? \w+| ?\([^)]*\))?(?=[\s,()]|$)/g,
  )) {
    if (shared.has(table) || !tables.has(table)) continue;
    if (verb !== undefined) {
      if (!/\bsandbox_id\b/.test(rest)) unbound.push(`${table} (into)`);
      continue;
    }
    const alias = rest.trim().replace(/^as /, '');
    const left = bound.get(alias) ?? 0;
    if (left === 0) unbound.push(`${table} ${alias}`);
    bound.set(alias, left - 1);
  }
  return unbound;
}
