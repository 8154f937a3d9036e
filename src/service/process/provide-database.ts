// The PostgreSQL server of the service: that of DATABASE_URL, or the embedded one.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PassingError, reasonOf } from '../../base/failure.ts';
import { schemaChecksums } from '../../database/migrator.ts';
import { isUnavailable } from '../../database/sqlstates.ts';
import { findRunning, launchEmbedded } from '../../postgres/embedded.ts';
import { packedCluster, seedingCode } from '../../base/files.ts';
import type { Configuration } from '../config/config.ts';
import { databaseOf, embeddedDirOf } from './service-file.ts';

/** `description` is for people, and has no password. `ready` and `lost` matter only for an embedded server. */
export type ProvidedServer = Awaited<ReturnType<typeof provideServer>>;

/** @param isForCommand if true, uses a running service's server, and leaves a new cluster empty */
export async function provideServer(settings: Configuration, note: (line: string) => void, isForCommand = false) {
  const { DATABASE_URL, UNDERSTUDY_TEMPORARY: isTemporary } = settings;
  const dataDir = embeddedDirOf(settings);
  const url = DATABASE_URL ?? (isForCommand && dataDir !== undefined ? findRunning(dataDir) : undefined);
  if (url !== undefined) {
    const description =
      dataDir === undefined ? `PostgreSQL at ${databaseOf(settings)}` : `embedded PostgreSQL in ${dataDir}`;
    const ready = Promise.resolve('kept' as const);
    const { signal: lost } = new AbortController();
    return { url, description, dataDir, ready, lost, [Symbol.asyncDispose]: async () => {} };
  }
  const packed = isForCommand ? undefined : { file: packedCluster, key: describeContents() };
  const server = await launchEmbedded({ dataDir, note, packed });
  const { version } = server;
  const description = isTemporary ? `temporary PostgreSQL ${version}` : `embedded PostgreSQL ${version} in ${dataDir}`;
  return { ...server, description, dataDir, [Symbol.asyncDispose]: server.stop };
}

const retryMs = 250;

/** How long to wait for a database while a person or a program waits for the outcome. */
export const shortPatienceMs = 10_000;

/**
 * Retries the work while the server is unavailable, and notes each new reason. Throws other errors at once,
 * such as for a wrong password or a missing database. Throws PassingError after `patienceMs`.
 */
export async function untilAvailable<T>(
  { description, ready }: Pick<ProvidedServer, 'description' | 'ready'>,
  waiting: { readonly signal: AbortSignal; readonly note: (line: string) => void; readonly patienceMs?: number },
  work: (origin: Awaited<ProvidedServer['ready']>) => Promise<T>,
) {
  const { signal, note, patienceMs = Infinity } = waiting;
  const origin = await ready;
  const beganMs = performance.now();
  let noted = '';
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work(origin);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const reason = reasonOf(error);
      if (performance.now() - beganMs > patienceMs)
        throw new PassingError(`${description} did not answer within ${patienceMs / 1000} seconds: ${reason}`);
      if (reason !== noted) note(`waiting for ${description}: ${reason}`);
      noted = reason;
    }
    await sleep(retryMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * A checksum of what makes the cluster that ships, except its seed: a start with another seed loads
 * that one.
 */
export const describeContents = (code = seedingCode()) =>
  hash('sha256', [...schemaChecksums(), ...code.map((file) => readFileSync(file, 'utf8'))].join());
