// As whom PostgreSQL runs: it refuses to run as root, so root gives it to another account.
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { EmbeddedError } from './embedded-error.ts';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** True where the operating system lets us choose the server's account, and PostgreSQL makes us. */
export const isRoot = process.getuid?.() === 0;

function listAccounts(): Account[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name, uid, gid }) => name !== '' && uid > 0 && gid >= 0);
}

/** `alice (uid 1000)`, or the number alone where it has no name. */
export function accountName(uid: number): string {
  const name = uid === 0 ? 'root' : uid === process.getuid?.() ? userInfo().username : findName(uid);
  return name === undefined ? `uid ${uid}` : `${name} (uid ${uid})`;
}

function findName(uid: number): string | undefined {
  try {
    return listAccounts().find((account) => account.uid === uid)?.name;
  } catch {
    return undefined;
  }
}

/** Whether the account has an entry in the list, on which initdb insists. */
export const hasEntry = (uid: number): boolean => findName(uid) !== undefined;

/**
 * The account that the server gets when we are root: the one that owns the folder already, so that data made by an
 * ordinary user stays that user's; else nobody, or the first that isn't root.
 */
export function getServerAccount(owner: number | undefined): Account {
  const accounts = listAccounts();
  const found =
    owner === undefined || owner === 0
      ? (accounts.find(({ name }) => name === 'nobody') ?? accounts[0])
      : (accounts.find(({ uid }) => uid === owner) ?? { name: `uid ${owner}`, uid: owner, gid: owner });
  if (found) return found;
  throw new EmbeddedError(
    "PostgreSQL doesn't run as root, and /etc/passwd names no other account that it could run as.\n" +
      'Start as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.',
  );
}
