// The lock on a data folder: the kernel's own, by SQLite, so that two starts can't both get it, and no kill leaves
// it behind (docs/decisions/0011).
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type * as Sqlite from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../base/attempt.ts';
import { asAccount } from './account.ts';
import { PassingError } from '../base/errors.ts';
import { type Folder, otherPlaces } from './folder.ts';

const SQLITE_BUSY = 5;
const pollMs = 25;
// A service that has just taken the lock may not have written its name yet, and a killed one may go unnoticed.
const heldMs = 1000;
const endingMs = 30_000;
const slowMs = 2000;

interface Holder {
  readonly service: number;
  readonly ending: boolean;
}

export type Lock = ReturnType<typeof lockOf>;

/** Waits for a predecessor that is ending. Throws UserError if another service keeps the lock. */
export async function takeLock(folder: Folder, note: (line: string) => void): Promise<Lock> {
  using _slow = setTimeout(note, slowMs, 'waiting for the PostgreSQL of the previous service to end');
  for (const beganMs = Date.now(); ; await sleep(pollMs)) {
    const database = tryLock(folder);
    if (database) return lockOf(folder, database);
    const { service = 'unknown', ending } = readHolder(folder);
    if (Date.now() - beganMs > (ending ? endingMs : heldMs))
      throw new PassingError(
        `The data folder ${folder.path} is in use by another service (process ${service}).\nStop that one first. Or: ${otherPlaces}`,
      );
  }
}

/** Closing the database releases the lock. */
export const tryLock = ({ lock, account }: Folder): Sqlite.DatabaseSync | undefined =>
  asAccount(account, () => {
    const database = new (loadSqlite().DatabaseSync)(lock);
    try {
      // Nothing is ever written, so SQLite needs no journal beside it.
      database.exec('pragma journal_mode = memory; begin exclusive');
      return database;
    } catch (error) {
      database.close();
      if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
      throw error;
    }
  });

/** Node 22 and 24 warn that it is experimental; what we use of it has been the same in all of them. */
function loadSqlite(): typeof Sqlite {
  // The original is restored.
  // oxlint-disable-next-line unbound-method
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

function lockOf({ account, holder }: Folder, database: Sqlite.DatabaseSync) {
  const record = (ending: boolean): void => {
    const named: Holder = { service: process.pid, ending };
    asAccount(account, () => writeFileSync(holder, JSON.stringify(named), { mode: 0o644 }));
  };
  async function release(): Promise<void> {
    // A temporary folder may be gone.
    asAccount(account, () => rmSync(holder, { force: true }));
    database.close();
  }
  record(false);
  return { announceEnd: () => record(true), [Symbol.asyncDispose]: release };
}

const readHolder = ({ account, holder }: Folder): Partial<Holder> =>
  attempt(() => JSON.parse(asAccount(account, () => readFileSync(holder, 'utf8'))) as Holder) ?? {};
