// The database in the embedded server: connects, makes it at the first start, and learns the server's version.
import { Client, DatabaseError } from 'pg';
import { EmbeddedError } from './embedded-error.ts';
import { database, superuser } from './settings.ts';

/** PostgreSQL's SQLSTATE for a database that doesn't exist. */
const invalidCatalogName = '3D000';
const invalidPassword = '28P01';
const passwordFault =
  'The embedded PostgreSQL refuses the password that lies in its data folder.\nPut the first one back (ALTER ROLE changed it?), or remove the folder to start anew.';

export async function ensureDatabase(port: number, password: string): Promise<{ url: string; version: string }> {
  const url = databaseUrl(port, password);
  try {
    return { url, version: await ask(url, 'show server_version') };
  } catch (error) {
    const code = error instanceof DatabaseError ? error.code : undefined;
    if (code === invalidPassword) throw new EmbeddedError(passwordFault, { cause: error });
    if (code !== invalidCatalogName) throw error;
  }
  const version = await ask(
    databaseUrl(port, password, 'postgres'),
    'show server_version',
    `create database ${database}`,
  );
  return { url, version };
}

export const databaseUrl = (port: number, password: string, name: string = database): string =>
  `postgres://${superuser}:${password}@127.0.0.1:${port}/${name}`;

async function ask(url: string, question: string, ...statements: string[]): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
    const { rows } = await client.query<[string]>({ text: question, rowMode: 'array' });
    return rows[0]?.[0] ?? '';
  } finally {
    await client.end();
  }
}
