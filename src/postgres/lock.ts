// The lock on a data folder, by SQLite: the kernel releases it even after a kill (docs/decisions/0011).
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { asAccount } from './account.ts';
import { attempt, PassingError } from '../base/failure.ts';
import { type Folder, otherPlaces } from './folder.ts';
import { isRunning } from './server/postmaster.ts';

const SQLITE_BUSY = 5;
const pollMs = 25;
// A killed service loses its lock within this time.
const heldMs = 1000;
const waitMs = 30_000;
const slowMs = 2000;

/**
 * Waits while another process starts or ends in the folder, at most 30 seconds.
 * @throws PassingError if a service runs, or the wait takes longer
 */
export async function takeLock(folder: Folder, note: (line: string) => void) {
  using _slow = setTimeout(note, slowMs, `waiting: another process is starting or ending in ${folder.path}`);
  for (const beganMs = Date.now(); ; await sleep(pollMs)) {
    const lock = tryLock(folder);
    if (lock) return lock;
    const service = findService(folder);
    const [patienceMs, holder] =
      service === undefined ? [waitMs, 'another process'] : [heldMs, `another service (process ${service})`];
    if (Date.now() - beganMs > patienceMs)
      throw new PassingError(
        `The data folder ${folder.path} is in use by ${holder}.\nStop that one first. Or: ${otherPlaces}`,
      );
  }
}

/** `service.json` names a service that listens (service/process/service-file.ts). */
function findService({ account, service }: Folder) {
  const named = attempt(() => JSON.parse(asAccount(account, () => readFileSync(service, 'utf8'))) as { pid: number });
  return named !== undefined && isRunning(named.pid) ? named.pid : undefined;
}

/** Closing the database releases the lock. */
export const tryLock = ({ lock, account }: Folder) =>
  asAccount(account, () => {
    const database = new (loadSqlite().DatabaseSync)(lock);
    try {
      // Nothing is written, so no journal is needed.
      database.exec('pragma journal_mode = memory; begin exclusive');
      return database;
    } catch (error) {
      database.close();
      if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
      throw error;
    }
  });

/** Node 22 and 24 warn that SQLite is experimental. */
function loadSqlite() {
  // `emitWarning` is put back below.
  // oxlint-disable-next-line unbound-method
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
