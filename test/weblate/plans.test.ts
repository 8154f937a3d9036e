// Each prepared statement of the Weblate API finds its rows by complete keys, as PostgreSQL counts what it reads: even
// in a database that was never analysed, with plans made while the tables were empty, and with one large sandbox among
// many small ones.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { escapeLiteral } from 'pg';
import { t as file, type Test, test } from 'tap';
import { type Database, neverMs } from '../../src/database/database.ts';
import { migrateToLatest } from '../../src/database/migrator.ts';
import { notificationNames } from '../../src/model/notifications.ts';
import { createDatabaseFromTemplate } from '../support/database.ts';
import { openForTest } from '../support/service.ts';
import { type Someone, statements } from './plan-statements.ts';

file.setTimeout(180_000);

const large = { users: 5000, subscriptions: 10 };
const small = { sandboxes: 300, users: 5, subscriptions: 5 };
/** What a request may read beside its own rows: discarded rows, and pages of all look-ups. */
const limits = { discarded: 20, pages: 125 };

interface Node {
  readonly 'Node Type': string;
  readonly Alias?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
}

type Name = keyof typeof statements;
const names = Object.keys(statements) as Name[];

const nobody: Someone = { sandbox: 'default', user: 'u1', entry: 1 };

/** The statement with its parameters, without sending it. */
async function compile(name: Name, who: Someone): Promise<CompiledQuery> {
  let sent: CompiledQuery | undefined;
  const db = {
    executeQuery: async (query: CompiledQuery) => {
      sent = query;
      return { rows: [] };
    },
  };
  await statements[name](db, who);
  return sent as CompiledQuery;
}

function literal(value: unknown): string {
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'::bytea`;
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`;
  return typeof value === 'string' ? escapeLiteral(value) : String(value);
}

/** By table: each look-up must use all columns of one of the lists. */
const keys: Readonly<Record<string, readonly (readonly string[])[]>> = {
  users: [
    ['sandbox_id', 'username_key'],
    // By a prefix of the username.
    ['sandbox_id', 'username_key >'],
    ['sandbox_id', 'id'],
    // The first rows.
    ['sandbox_id', 'id >'],
    ['sandbox_id', 'email_key'],
  ],
  tokens: [
    ['sandbox_id', 'hash'],
    ['sandbox_id', 'user_id'],
  ],
  subscriptions: [
    ['sandbox_id', 'user_id'],
    ['sandbox_id', 'id'],
  ],
  counters: [['sandbox_id']],
  groups: [
    ['sandbox_id', 'id'],
    ['sandbox_id', 'defining_project_id'],
  ],
  user_groups: [['sandbox_id', 'user_id']],
  group_projects: [
    ['sandbox_id', 'group_id'],
    ['sandbox_id', 'project_id'],
  ],
  group_components: [['sandbox_id', 'group_id']],
  group_admins: [
    ['sandbox_id', 'group_id'],
    ['sandbox_id', 'group_id', 'user_id'],
  ],
  projects: [
    ['sandbox_id', 'slug'],
    ['sandbox_id', 'id'],
  ],
  components: [
    ['sandbox_id', 'project_id', 'slug'],
    // All of a project.
    ['sandbox_id', 'project_id'],
    ['sandbox_id', 'id'],
  ],
};

async function assertPlans(t: Test, database: Database, when: string): Promise<void> {
  const people: Someone[] = [
    { sandbox: 'default', user: 'u4321', entry: 43_205 },
    { sandbox: 's150', user: 'u3', entry: 13 },
    { sandbox: 'default', user: 'u77', entry: 43_205, about: 'u4321' },
    { sandbox: 'default', user: 'u88', entry: 43_205, about: 'u4321' },
  ];
  // The first statement after the tables are filled also reads the catalogue.
  await explain(database, when, 'findCaller', nobody);
  for (const who of people)
    for (const name of names) {
      const plan = await explain(database, when, name, who);
      const nodes = allNodes(plan);
      const where = `${name}, ${who.sandbox}, ${who.user}`;
      t.same(
        nodes.filter((node) => node['Node Type'] === 'Seq Scan').map(describe),
        [],
        `${where}: no table is read whole`,
      );
      const partial = nodes.filter((node) => hasPartOfKey(node) && !readsAllGroups(name, node));
      t.same(
        partial.map(describe),
        [],
        `${where}: whole keys. If a new column changed the plan, the estimates of migrations/0001-tables.ts don't hold`,
      );
      const discarded = sum(nodes, discardedBy);
      const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      t.ok(discarded <= limits.discarded, `${where}: ${discarded} rows discarded`);
      t.ok(pages <= limits.pages, `${where}: ${pages} pages read`);
    }
}

function hasPartOfKey(node: Node): boolean {
  const wanted = keys[node['Relation Name'] ?? ''];
  const condition = node['Index Cond'];
  if (wanted === undefined || condition === undefined) return false;
  return !wanted.some((columns) => columns.every((column) => new RegExp(`\\b${column} ?= `).test(condition)));
}

/** A superuser may see all groups of the sandbox, and a plan is made for every caller. */
const readsAllGroups = (name: Name, node: Node): boolean =>
  name === 'listGroups' &&
  node['Relation Name'] === 'groups' &&
  node['Index Cond']?.startsWith('(sandbox_id = ') === true;

// PostgreSQL counts these for each loop.
const discardedBy = (node: Node) =>
  node['Actual Loops'] *
  ((node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0));

const describe = (node: Node) => `${node['Node Type']} ${node.Alias} ${node['Index Name']} ${node['Index Cond']}`;
const allNodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(allNodes)];
const sum = (nodes: readonly Node[], of: (node: Node) => number) => nodes.reduce((all, node) => all + of(node), 0);

// On the connection for reads, which plans a statement once, as in the service.
async function prepareAll(database: Database, when: string): Promise<void> {
  for (const name of names)
    await run(database, sql.raw(`prepare ${name}_${when} as ${(await compile(name, nobody)).sql}`));
}

const run = <R>(database: Database, statement: RawBuilder<R>) =>
  database.read.executeQuery<R>(statement.compile(database.load));

/** Runs the statement and rolls it back. */
async function explain(database: Database, when: string, name: Name, who: Someone): Promise<Node> {
  const values = (await compile(name, who)).parameters.map(literal).join(', ');
  // A function's first call on a connection also reads the catalogue.
  await run(database, sql`select understudy.is_granted(0, 0, '{}'), understudy.is_open_to(0, 0, 0)`);
  await run(database, sql`begin`);
  try {
    const { rows } = await run(
      database,
      sql.raw<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        `explain (analyze, buffers, format json) execute ${name}_${when}(${values})`,
      ),
    );
    return rows[0]!['QUERY PLAN'][0].Plan;
  } finally {
    await run(database, sql`rollback`);
  }
}

// Each user is in two groups and has subscriptions in scope 0, except for the last, which is to a private project. u88 is a
// superuser.
async function fill(database: Database): Promise<void> {
  const wanted = notificationNames.slice(0, large.subscriptions).map((name) => `'${name}'`);
  const statementsOfFill = [
    `insert into understudy.sandboxes (name) select 's' || n from generate_series(1, ${small.sandboxes}) n`,
    `insert into understudy.counters (sandbox_id) select id from understudy.sandboxes on conflict do nothing`,
    `insert into understudy.projects (sandbox_id, id, slug, name, private) select id, 1, 'secret', 'Secret', true from understudy.sandboxes`,
    `insert into understudy.components (sandbox_id, id, project_id, slug, name) select id, 1, 1, 'part', 'Part' from understudy.sandboxes`,
    `insert into understudy.groups (sandbox_id, id, name) select id, n, 'group ' || n from understudy.sandboxes, generate_series(1, 20) n`,
    `insert into understudy.group_projects (sandbox_id, group_id, project_id) select id, 2, 1 from understudy.sandboxes`,
    `insert into understudy.users (sandbox_id, id, username) select s.id, n, 'u' || n from ${sizes} order by n, s.id`,
    `update understudy.users set is_superuser = true where username = 'u88'`,
    `insert into understudy.tokens (sandbox_id, hash, user_id)
      select s.id, sha256(convert_to('token-of-u' || n, 'UTF8')), n from ${sizes} order by n, s.id`,
    `insert into understudy.user_groups (sandbox_id, user_id, group_id) select s.id, n, g from ${sizes}, unnest('{1,2}'::int4[]) g`,
    `insert into understudy.subscriptions
        (sandbox_id, id, user_id, notification, scope, frequency, project_id, project, private_project_id)
      select s.id, (n - 1) * each + k, n, (array[${wanted.join(', ')}])[k], case when k = each then 30 else 0 end, 1,
        case when k = each then 1 end, case when k = each then 'secret' end, case when k = each then 1 end
      from ${sizes}, generate_series(1, each) k order by k, n, s.id`,
  ];
  for (const statement of statementsOfFill) await sql.raw(statement).execute(database.load);
}

const sizes = `understudy.sandboxes s, lateral (select case name when 'default' then ${large.users} else ${small.users} end as users,
  case name when 'default' then ${large.subscriptions} else ${small.subscriptions} end as each) z, generate_series(1, users) n`;

await test('every prepared statement is covered', async (t) => {
  const source = join(import.meta.dirname, '../../src');
  const modules = globSync('{access,weblate/**}/*queries.ts', { cwd: source });
  const exported = await Promise.all(
    modules.map(async (module) => Object.entries((await import(join(source, module))) as Record<string, unknown>)),
  );
  const prepared = exported.flat().filter(([, value]) => typeof value === 'function' && 'sql' in value);
  t.ok(prepared.length > 10);
  t.same(
    prepared.flatMap(([name]) => (name in statements ? [] : [name])),
    [],
    'test/weblate/plan-statements.ts lists every prepared statement: add those that are missing',
  );
});

await test('each statement finds its rows by complete keys', async (t) => {
  const url = await createDatabaseFromTemplate(t, 'migrated', migrateToLatest);
  const database = openForTest(url, undefined, { statementTimeoutMs: neverMs });
  t.teardown(() => database.close());
  // Only this test decides when the tables are analysed.
  for (const table of [
    'users',
    'tokens',
    'subscriptions',
    'projects',
    'components',
    'groups',
    'user_groups',
    'group_projects',
    'counters',
    'sandboxes',
  ])
    await sql.raw(`alter table understudy.${table} set (autovacuum_enabled = false)`).execute(database.load);

  // Columns that a later version may add: the plans must not go by the width of a row.
  for (const table of ['users', 'subscriptions'])
    for (const column of ['a', 'b', 'c', 'd'])
      await sql.raw(`alter table understudy.${table} add further_${column} text`).execute(database.load);

  await prepareAll(database, 'empty');
  for (const name of names) await explain(database, 'empty', name, nobody);
  await fill(database);
  await prepareAll(database, 'filled');
  await t.test('made while the tables were empty', (own) => assertPlans(own, database, 'empty'));
  await t.test('made for full tables that were never analysed', (own) => assertPlans(own, database, 'filled'));
  await sql`analyze`.execute(database.load);
  await prepareAll(database, 'analysed');
  await t.test('analysed', (own) => assertPlans(own, database, 'analysed'));
});
