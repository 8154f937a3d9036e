// Makes a database for each test: empty, or copied from a template that the run prepares once.
// The role needs only CREATEDB.
import { createHash, randomBytes } from 'node:crypto';
import { type Client, type ClientBase, Pool } from 'pg';
import { findServer, type KeptServer } from './test-server.ts';

/** The part of a tap test that this folder uses. */
export interface Owner {
  teardown(step: () => unknown): unknown;
}

const prefix = 'understudy_test_';
const staleSeconds = 24 * 60 * 60;
/** Arbitrary; must not collide with other advisory locks on the server. */
const lockClass = 1_970_500_471;

/** The URL of a fresh, empty database, dropped when the test is over. */
export async function createTestDatabase(t: Owner): Promise<string> {
  return create(t, await findServer(), undefined);
}

/**
 * Returns the URL of a fresh copy of the template `name`, dropped when the test is over. A run's first caller
 * fills the template by `prepare` while other callers wait. `prepare` must close its connections at its end.
 */
export async function createDatabaseFromTemplate(
  t: Owner,
  name: string,
  prepare: (url: string) => Promise<unknown>,
): Promise<string> {
  const state = await findServer();
  const key = createHash('sha256').update(name).digest('hex').slice(0, 12);
  const template = `${prefix}${state.run}_t${key}`;
  if (!templates.has(template))
    await withServer(state.url, async (client) => {
      await client.query('select pg_advisory_lock($1, hashtext($2))', [lockClass, template]);
      try {
        if (!(await exists(client, template))) await makeTemplate(client, template, prepare, state.url);
      } finally {
        await client.query('select pg_advisory_unlock($1, hashtext($2))', [lockClass, template]);
      }
      templates.add(template);
    });
  return create(t, state, template);
}

/** The templates that this process found complete. */
const templates = new Set<string>();

/** A template gets its name once it is complete, so that a failed attempt never counts as a template. */
async function makeTemplate(
  client: ClientBase,
  template: string,
  prepare: (url: string) => Promise<unknown>,
  server: string,
): Promise<void> {
  const draft = `${template}_draft`;
  await client.query(`drop database if exists ${draft} with (force)`);
  await client.query(`create database ${draft}`);
  await prepare(urlOf(server, draft));
  await client.query(`alter database ${draft} rename to ${template}`);
}

/** Drops the databases of a run or, given the name of a keeper (a process of keeper.ts), of all its runs. */
export async function dropRun(client: Client, run: string): Promise<void> {
  for (const name of await listDatabases(client)) if (name.startsWith(`${prefix}${run}_`)) await drop(client, name);
}

/** Drops the databases of keepers that started over a day ago: a keeper that isn't killed drops its own. */
export async function dropStale(client: Client): Promise<void> {
  const limit = Date.now() / 1000 - staleSeconds;
  for (const name of await listDatabases(client)) {
    if (Number(name.slice(prefix.length).split('_')[0]) < limit) await drop(client, name);
  }
}

async function create(t: Owner, { url, run }: KeptServer, template: string | undefined): Promise<string> {
  const name = `${prefix}${run}_${randomBytes(6).toString('hex')}`;
  // Copying the files takes half as long as the default, which writes each page to the WAL.
  const statement = `create database ${name} template ${template ?? 'template1'} strategy file_copy`;
  await withServer(url, (client) => client.query(statement));
  t.teardown(() => withServer(url, (client) => drop(client, name)));
  return urlOf(url, name);
}

/** This process's pools by the server's URL, kept because connecting costs as much as dropping a database. */
const pools = new Map<string, Pool>();

async function withServer<T>(url: string, step: (client: ClientBase) => Promise<T>): Promise<T> {
  let pool = pools.get(url);
  if (pool === undefined) {
    pool = new Pool({ connectionString: url, allowExitOnIdle: true });
    // The server may end before this process does.
    pool.on('error', () => undefined);
    pools.set(url, pool);
  }
  const client = await pool.connect();
  try {
    return await step(client);
  } finally {
    client.release();
  }
}

async function exists(client: ClientBase, name: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  return rowCount === 1;
}

/** Lists only databases of the current role, because we must not drop another role's. */
async function listDatabases(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database
     where starts_with(datname, $1) and datdba = (select oid from pg_roles where rolname = current_user)
     order by datname`,
    [prefix],
  );
  return rows.map(({ datname }) => datname);
}

async function drop(client: ClientBase, name: string): Promise<void> {
  await client.query(`drop database if exists ${name} with (force)`);
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
