// The migrations in their order. A database keeps their names and checksums: see src/database/migrator.ts.
import { hash } from 'node:crypto';
import * as tables from './0001-tables.ts';
import * as plainSql from './0002-plain-sql.ts';
import * as sandboxes from './0003-sandboxes.ts';
import * as lookups from './0004-lookups.ts';

// The migrations under the names of their files, without the extension. The names are written here, because a
// bundle has no folder of migrations to list.
export const migrations: Readonly<Record<string, { readonly statements: readonly string[] }>> = {
  '0001-tables': tables,
  '0002-plain-sql': plainSql,
  '0003-sandboxes': sandboxes,
  '0004-lookups': lookups,
};

export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
  /** The checksum of the SQL, without regard to white space. */
  readonly checksum: string;
}

/** Returns the migrations in the order in which they run. */
export function listMigrations(): Migration[] {
  return Object.entries(migrations)
    .map(([name, { statements }]) => ({ name, statements, checksum: checksumOf(statements) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export const checksumOf = (statements: readonly string[]): string =>
  hash('sha256', JSON.stringify(statements.map((statement) => statement.replaceAll(/\s+/g, ' ').trim())));
