// The account that PostgreSQL runs as. It refuses to run as root, so root starts it as another account, and touches the
// files of the data folder with that account's rights only (docs/decisions/0011).
import { readFileSync } from 'node:fs';
import { attempt, EmbeddedError } from './embedded-error.ts';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export const isRoot = process.getuid?.() === 0;

// Below the ids that systemd and Debian assign, and above those of people and other daemons.
const ownId = 55_432;

function listAccounts(): Account[] {
  return (attempt(() => readFileSync('/etc/passwd', 'utf8')) ?? '')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name, uid, gid }) => name !== '' && uid > 0 && gid >= 0);
}

const findAccount = (uid: number): Account | undefined => listAccounts().find((account) => account.uid === uid);

/** `alice (uid 1000)`, or the number alone where it has no name. */
export function accountName(uid: number): string {
  const name = uid === 0 ? 'root' : findAccount(uid)?.name;
  return name === undefined ? `uid ${uid}` : `${name} (uid ${uid})`;
}

/**
 * The account for the server if we are root: the owner of the folder, so that the data of an ordinary user stays
 * that user's; else one that no other program runs as, which needs no entry in /etc/passwd.
 */
export function getServerAccount(owner = 0): Account {
  const uid = owner === 0 ? ownId : owner;
  return findAccount(uid) ?? { name: `uid ${uid}`, uid, gid: uid };
}

/** Another account where /etc/passwd doesn't list this one. */
export function findListed(account: Account): Account {
  const accounts = listAccounts();
  if (accounts.some(({ uid }) => uid === account.uid)) return account;
  return accounts.find(({ name }) => name === 'nobody') ?? accounts[0] ?? account;
}

let hasGroups = true;

/** Does synchronous work with the account's rights, or with our own. */
export function asAccount<T>(account: Account | undefined, work: () => T): T {
  if (account === undefined) return work();
  const { getgid, setgroups, setegid, seteuid } = process as Required<NodeJS.Process>;
  const group = getgid();
  try {
    // Once and for good: root needs no other group, and each of these calls interrupts all threads.
    if (hasGroups) setgroups([]);
    hasGroups = false;
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
    if (process.geteuid?.() !== 0) seteuid(0);
    if (process.getegid?.() !== group) setegid(group);
  }
}
