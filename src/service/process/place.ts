// Where the data is, as the configuration says it: in a data folder, or in the database of DATABASE_URL.
import { Client } from 'pg';
import { findDefaultFolder } from '../../postgres/account.ts';
import type { Configuration } from '../config/config.ts';

/** The settings that name it. */
export type Place = Partial<Pick<Configuration, 'DATABASE_URL' | 'UNDERSTUDY_DATA_DIR' | 'UNDERSTUDY_TEMPORARY'>>;

/** The data folder of the embedded server; undefined for a temporary one, and where DATABASE_URL names another server. */
export const embeddedDirOf = (place: Place): string | undefined =>
  place.DATABASE_URL === undefined && !place.UNDERSTUDY_TEMPORARY
    ? (place.UNDERSTUDY_DATA_DIR ?? findDefaultFolder())
    : undefined;

/**
 * `db.example.com:5432/understudy`, or a socket's folder in place of the host: what of DATABASE_URL and PostgreSQL's
 * own variables tells one database from another. `localhost` and `127.0.0.1` are two, because they can be.
 */
export function databaseOf({ DATABASE_URL }: Place): string | undefined {
  if (DATABASE_URL === undefined) return undefined;
  const { host, port, database } = new Client({ connectionString: DATABASE_URL });
  return `${host.startsWith('/') ? host : host.toLowerCase()}:${port}/${database}`;
}
