// The account that PostgreSQL runs as. It refuses to run as root, so root starts it as another account, and touches the
// files of the data folder with that account's rights only (docs/decisions/0011).
import { existsSync, readFileSync } from 'node:fs';
import { EmbeddedError } from './embedded-error.ts';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export const isRoot = process.getuid?.() === 0;

function listAccounts(): Account[] {
  const file = '/etc/passwd';
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name, uid, gid }) => name !== '' && uid > 0 && gid >= 0);
}

const findName = (uid: number): string | undefined => listAccounts().find((account) => account.uid === uid)?.name;

/** `alice (uid 1000)`, or the number alone where it has no name. */
export function accountName(uid: number): string {
  const name = uid === 0 ? 'root' : findName(uid);
  return name === undefined ? `uid ${uid}` : `${name} (uid ${uid})`;
}

/** Whether /etc/passwd lists the account, which initdb insists on. */
export const isListed = (uid: number): boolean => findName(uid) !== undefined;

/**
 * The account for the server where we are root: the owner of the folder, so that the data of an ordinary user stays
 * that user's; else `understudy`, if there is one; else `nobody`, or the first account that isn't root.
 */
export function getServerAccount(owner: number | undefined, accounts = listAccounts()): Account {
  const findNamed = (wanted: string) => accounts.find(({ name }) => name === wanted);
  const found =
    owner === undefined || owner === 0
      ? (findNamed('understudy') ?? findNamed('nobody') ?? accounts[0])
      : (accounts.find(({ uid }) => uid === owner) ?? { name: `uid ${owner}`, uid: owner, gid: owner });
  if (found) return found;
  throw new EmbeddedError(
    "PostgreSQL doesn't run as root, and /etc/passwd names no other account that it could run as.\n" +
      'Start as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.',
  );
}

/** Does synchronous work with the account's rights, or with our own where none is given. */
export function asAccount<T>(account: Account | undefined, work: () => T): T {
  if (account === undefined) return work();
  const { getgid, getgroups, setgroups, setegid, seteuid } = process as Required<NodeJS.Process>;
  const [group, groups] = [getgid(), getgroups()];
  let hasBegun = false;
  try {
    setgroups([]);
    hasBegun = true;
    setegid(account.gid);
    seteuid(account.uid);
    return work();
  } catch (error) {
    if (process.geteuid?.() === account.uid) throw error;
    throw new EmbeddedError(
      `PostgreSQL doesn't run as root, and root may not act as ${account.name} here.\n` +
        'Start as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.',
      { cause: error },
    );
  } finally {
    if (hasBegun) {
      seteuid(0);
      setegid(group);
      setgroups(groups);
    }
  }
}
