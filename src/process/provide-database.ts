// The PostgreSQL server that the service uses: the one of DATABASE_URL, waited for, or the embedded one, started.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { findDefaultFolder } from '../embedded-postgres/default-folder.ts';
import { startEmbedded } from '../embedded-postgres/embedded.ts';
import { isUnavailable } from '../database/sqlstates.ts';

export interface ProvidedServer extends AsyncDisposable {
  readonly url: string;
  /** For people: no password. */
  readonly description: string;
}

interface Settings {
  readonly DATABASE_URL?: string;
  readonly UNDERSTUDY_DATA_DIR?: string;
}

/** Where the embedded server's data lie. */
export const dataDirOf = (settings: Settings): string => settings.UNDERSTUDY_DATA_DIR ?? findDefaultFolder();

/** The same where that server is used, and undefined where DATABASE_URL names another one. */
export const embeddedDirOf = (settings: Settings): string | undefined =>
  settings.DATABASE_URL === undefined ? dataDirOf(settings) : undefined;

/** Resolves when the server answers; ends with `signal`'s reason if that comes first. */
export async function provideServer(
  settings: Settings,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<ProvidedServer> {
  const url = settings.DATABASE_URL;
  if (url === undefined) {
    const dataDir = dataDirOf(settings);
    const embedded = await startEmbedded({ dataDir, say });
    return {
      url: embedded.url,
      description: `embedded PostgreSQL ${embedded.version} in ${dataDir}`,
      [Symbol.asyncDispose]: () => embedded.stop(),
    };
  }
  const description = describe(url);
  await waitUntilItAnswers(url, signal, (reason) => say(`waiting for ${description}: ${reason}`));
  return { url, description, [Symbol.asyncDispose]: async () => {} };
}

function describe(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `PostgreSQL at ${hostname}:${port || '5432'}${pathname}`;
}

// A wrong password or a missing database won't mend itself: only what can is waited for.
async function waitUntilItAnswers(url: string, signal: AbortSignal, wait: (reason: string) => void): Promise<void> {
  await untilAvailable(signal, wait, async () => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } finally {
      client.end().catch(() => undefined);
    }
  });
}

/**
 * Does the work again and again for as long as the database is not available; each new reason is told once.
 * @throws what else the work throws, and `signal`'s reason
 */
export async function untilAvailable<T>(
  signal: AbortSignal,
  wait: (reason: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  let told = '';
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const reason = reasonOf(error);
      if (reason !== told) wait(reason);
      told = reason;
    }
    await sleep(250, undefined, { signal });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
