// The PostgreSQL server that the service uses: the one of DATABASE_URL, or the embedded one.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { schemaChecksums } from '../../database/migrator.ts';
import { type EmbeddedServer, launchEmbedded } from '../../postgres/embedded.ts';
import { findDefaultFolder } from '../../postgres/account.ts';
import { packedCluster, seedingCode } from '../../base/files.ts';
import type { Configuration } from '../config/config.ts';

export interface ProvidedServer extends AsyncDisposable {
  readonly url: string;
  /** For people: no password. */
  readonly description: string;
  /** Resolves when an embedded server takes connections, with what it started with; another one may still be unavailable. */
  readonly ready: EmbeddedServer['ready'];
}

type Settings = Pick<Configuration, 'DATABASE_URL' | 'UNDERSTUDY_DATA_DIR' | 'UNDERSTUDY_TEMPORARY'>;

/** The data folder of the embedded server; undefined for a temporary one, and where DATABASE_URL names another server. */
export const embeddedDirOf = (settings: Settings): string | undefined =>
  settings.DATABASE_URL === undefined && !settings.UNDERSTUDY_TEMPORARY
    ? (settings.UNDERSTUDY_DATA_DIR ?? findDefaultFolder())
    : undefined;

/** @param isFilled whether a new embedded server gets the cluster that ships */
export async function provideServer(
  settings: Settings,
  note: (line: string) => void,
  isFilled = true,
): Promise<ProvidedServer> {
  const { DATABASE_URL: url = '', UNDERSTUDY_TEMPORARY: isTemporary } = settings;
  const dataDir = embeddedDirOf(settings);
  if (dataDir === undefined && !isTemporary) {
    const { hostname, port, pathname } = new URL(url);
    const description = `PostgreSQL at ${hostname}:${port || '5432'}${pathname}`;
    return { url, description, ready: Promise.resolve('kept'), [Symbol.asyncDispose]: async () => {} };
  }
  const packed = isFilled && { packed: { file: packedCluster, key: describeContents() } };
  const server = await launchEmbedded({ dataDir, note, ...packed });
  const { version } = server;
  return {
    url: server.url,
    description: isTemporary ? `temporary PostgreSQL ${version}` : `embedded PostgreSQL ${version} in ${dataDir}`,
    ready: server.ready,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

/** What the cluster that ships was made from. Its seed is compared when the default sandbox is filled. */
export const describeContents = (code = seedingCode()): string =>
  hash('sha256', [...schemaChecksums(), ...code.map((file) => readFileSync(file, 'utf8'))].join());
