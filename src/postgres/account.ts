// The account that PostgreSQL runs as, and which paths it can use. PostgreSQL refuses to run as root, so root starts it
// as another account, and touches the data folder with that account's rights only (docs/decisions/0011).
import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { listParts } from '../base/cache-folder.ts';
import { attempt, codeOf, UserError } from '../base/failure.ts';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export const isRoot = process.getuid?.() === 0;

// Below the ids that systemd and Debian assign, and above those of people and other daemons.
const ownId = 55_432;

function listAccounts() {
  return (attempt(() => readFileSync('/etc/passwd', 'utf8')) ?? '')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name, uid, gid }) => name !== '' && uid > 0 && gid >= 0);
}

const findAccount = (uid: number) => listAccounts().find((account) => account.uid === uid);

/** `alice (uid 1000)`, or the number alone if the account has no name. */
export function accountName(uid: number) {
  const name = uid === 0 ? 'root' : findAccount(uid)?.name;
  return name === undefined ? `uid ${uid}` : `${name} (uid ${uid})`;
}

/** For root's server: the folder's owner, or else an account that no other program has. */
export function getServerAccount(owner = 0): Account {
  const uid = owner === 0 ? ownId : owner;
  return findAccount(uid) ?? { name: `uid ${uid}`, uid, gid: uid };
}

/** For initdb: the account itself if /etc/passwd lists it, or else a listed one, `nobody` if possible. */
export function findListed(account: Account) {
  const accounts = listAccounts();
  if (accounts.some(({ uid }) => uid === account.uid)) return account;
  return accounts.find(({ name }) => name === 'nobody') ?? accounts[0] ?? account;
}

let hasGroups = true;

/** Does synchronous work with the account's rights, or with our own. */
export function asAccount<T>(account: Account | undefined, work: () => T) {
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
    throw new UserError(
      `PostgreSQL doesn't run as root, and root may not act as ${account.name} here.\n` +
        'Start as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.',
      { cause: error },
    );
  } finally {
    if (process.geteuid?.() !== 0) seteuid(0);
    if (process.getegid?.() !== group) setegid(group);
  }
}

/**
 * The last account except root that owns a segment of the path, or of a link's target on the way. Undefined if root
 * owns them all: then no other account can change where the path leads. A segment that is still missing has no owner.
 */
export const findOwner = (path: string) => listParts(path).findLast(({ uid }) => uid !== 0)?.uid;

/** The first segment of the path that the account can't enter. Segments that don't exist yet count as enterable. */
export function findBarrier(path: string, account: Account) {
  const parts: string[] = [];
  for (let part = path; parts.at(-1) !== part; part = dirname(part)) parts.push(part);
  return asAccount(account, () => parts.toReversed().find((part) => !canEnter(part)));
}

function canEnter(path: string) {
  try {
    // The dot makes the kernel check the right to enter, not only that the folder exists.
    statSync(`${path}/.`);
    return true;
  } catch (error) {
    return codeOf(error) !== 'EACCES';
  }
}

/** `.understudy` in the working directory; for root one below /var/lib if the server's account can't make one here. */
export function findDefaultFolder() {
  const here = process.cwd();
  if (!isRoot || isUsable(here)) return '.understudy';
  const mark = hash('sha256', here).slice(0, 8);
  return `/var/lib/understudy/${basename(here)}-${mark}`;
}

function isUsable(path: string) {
  const owner = findOwner(path);
  if (findBarrier(path, getServerAccount(owner)) !== undefined) return false;
  return owner === undefined || owner === statSync(path).uid;
}
