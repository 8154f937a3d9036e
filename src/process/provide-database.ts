// The PostgreSQL server that the service uses: the one of DATABASE_URL, or the embedded one.
import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../database/sqlstates.ts';
import { startEmbedded } from '../embedded-postgres/embedded.ts';
import { findDefaultFolder } from '../embedded-postgres/path-rights.ts';
import type { Configuration } from './config.ts';

const retryMs = 250;

export interface ProvidedServer extends AsyncDisposable {
  readonly url: string;
  /** For people: no password. */
  readonly description: string;
}

type Settings = Pick<Configuration, 'DATABASE_URL' | 'UNDERSTUDY_DATA_DIR'>;

/** The data folder of the embedded server; undefined where DATABASE_URL names another server. */
export const embeddedDirOf = ({ DATABASE_URL, UNDERSTUDY_DATA_DIR }: Settings): string | undefined =>
  DATABASE_URL === undefined ? (UNDERSTUDY_DATA_DIR ?? findDefaultFolder()) : undefined;

/** Starts the embedded server where it is the one to use. Another one may still be unavailable. */
export async function provideServer(settings: Settings, say: (line: string) => void): Promise<ProvidedServer> {
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
  return { url, description, [Symbol.asyncDispose]: async () => {} };
}

/**
 * Retries the work while the database is unavailable, and reports each new reason once. A wrong password or a missing
 * database is no such reason, for waiting doesn't help.
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
    await sleep(retryMs, undefined, { signal }).catch(() => undefined);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
