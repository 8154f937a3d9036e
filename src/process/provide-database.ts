// The PostgreSQL server that the service uses: waits for the one of DATABASE_URL, or starts the embedded one.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { isUnavailable } from '../database/sqlstates.ts';
import { startEmbedded } from '../embedded-postgres/embedded.ts';
import { findDefaultFolder } from '../embedded-postgres/path-rights.ts';

const retryMs = 250;
const connectTimeoutMs = 3000;

export interface ProvidedServer extends AsyncDisposable {
  readonly url: string;
  /** For people: no password. */
  readonly description: string;
}

interface Settings {
  readonly DATABASE_URL?: string;
  readonly UNDERSTUDY_DATA_DIR?: string;
}

/** The data folder of the embedded server; undefined where DATABASE_URL names another server. */
export const embeddedDirOf = ({ DATABASE_URL, UNDERSTUDY_DATA_DIR }: Settings): string | undefined =>
  DATABASE_URL === undefined ? (UNDERSTUDY_DATA_DIR ?? findDefaultFolder()) : undefined;

/** Resolves when the server accepts connections. Throws `signal`'s reason if that comes first. */
export async function provideServer(
  settings: Settings,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<ProvidedServer> {
  const { DATABASE_URL: url = '' } = settings;
  const dataDir = embeddedDirOf(settings);
  if (dataDir !== undefined) {
    const embedded = await startEmbedded({ dataDir, say });
    return {
      url: embedded.url,
      description: `embedded PostgreSQL ${embedded.version} in ${dataDir}`,
      [Symbol.asyncDispose]: () => embedded.stop(),
    };
  }
  const { hostname, port, pathname } = new URL(url);
  const description = `PostgreSQL at ${hostname}:${port || '5432'}${pathname}`;
  await untilAvailable(
    signal,
    (reason) => say(`waiting for ${description}: ${reason}`),
    () => tryToConnect(url),
  );
  return { url, description, [Symbol.asyncDispose]: async () => {} };
}

async function tryToConnect(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    client.end().catch(() => undefined);
  }
}

/**
 * Retries the work while the database is unavailable, and reports each new reason once. A wrong password or a missing database is
 * no such reason, for waiting doesn't help.
 * @throws any other error of the work, and `signal`'s reason
 */
export async function untilAvailable<T>(
  signal: AbortSignal,
  report: (reason: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  let reported = '';
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const reason = reasonOf(error);
      if (reason !== reported) report(reason);
      reported = reason;
    }
    await sleep(retryMs, undefined, { signal });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
