// The account that PostgreSQL runs as, and the paths that it can use. PostgreSQL refuses to run as
// root. So root starts it as another account, and uses that account's rights for the data folder
// (docs/decisions/0011).
import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { listParts } from '../base/cache-folder.ts';
import { attempt, codeOf, UserError } from '../base/failure.ts';

export type Account = Readonly<ReturnType<typeof listAccounts>[number]>;

export const isRoot = process.getuid?.() === 0;

// Above the usual ids of people and daemons, and below the ids that systemd and Debian reserve.
const ownId = 55_432;

function listAccounts() {
  return (attempt(() => readFileSync('/etc/passwd', 'utf8')) ?? '')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name, uid, gid }) => name !== '' && uid > 0 && gid >= 0);
}

const findAccount = (uid: number) => listAccounts().find((account) => account.uid === uid);

/** `alice (uid 1000)`, or `uid 1000` if the account has no name. */
export function accountName(uid: number) {
  const name = uid === 0 ? 'root' : findAccount(uid)?.name;
  return name === undefined ? `uid ${uid}` : `${name} (uid ${uid})`;
}

/** The account of a server that root starts: the folder's owner, or for root's folder an unused account. */
export function getServerAccount(owner = 0) {
  const uid = owner === 0 ? ownId : owner;
  return findAccount(uid) ?? { name: `uid ${uid}`, uid, gid: uid };
}

/** An account for initdb, which /etc/passwd must list: the given one, or else `nobody`, or else any. */
export function findListed(account: Account) {
  const accounts = listAccounts();
  if (accounts.some(({ uid }) => uid === account.uid)) return account;
  return accounts.find(({ name }) => name === 'nobody') ?? accounts[0] ?? account;
}

let hasGroups = true;

/** Does synchronous work with the rights of the account; without an account, with our own. */
export function asAccount<T>(account: Account | undefined, work: () => T) {
  if (account === undefined) return work();
  const { getgid, setgroups, setegid, seteuid } = process as Required<NodeJS.Process>;
  const group = getgid();
  try {
    // Once, and never undone: root needs no other group, and each of these calls interrupts all
    // threads.
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
 * The owner of the last segment that isn't root's, in the path and in the targets of its links. Undefined if
 * root owns all: then no other account can change where the path leads. Missing segments are ignored.
 */
export const findOwner = (path: string) => listParts(path).findLast(({ uid }) => uid !== 0)?.uid;

/** The first segment of the path that exists and that the account can't enter. */
export function findBarrier(path: string, account: Account) {
  const parts: string[] = [];
  for (let part = path; parts.at(-1) !== part; part = dirname(part)) parts.push(part);
  return asAccount(account, () => parts.toReversed().find((part) => !canEnter(part)));
}

function canEnter(path: string) {
  try {
    // With the dot, the kernel checks the right to enter, not only that the folder exists.
    statSync(`${path}/.`);
    return true;
  } catch (error) {
    return codeOf(error) !== 'EACCES';
  }
}

/** `.understudy` in the working directory; below /var/lib if root's server can't use this directory. */
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
