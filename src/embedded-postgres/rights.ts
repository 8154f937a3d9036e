// With whose rights files are touched. Root touches none by its own where another account could have planted a link on the way.
import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Account } from './account.ts';
import { EmbeddedError, systemCode } from './embedded-error.ts';

const maxLinks = 40;

/**
 * The owner of a path as far as root is concerned: the last account but root that owns a part of it, or of what a link on the way
 * leads to. Undefined where root owns them all, so that nobody else can change where the path leads.
 */
export function findOwner(path: string): number | undefined {
  let owner: number | undefined;
  let reached = '/';
  let links = 0;
  const stepsOf = (text: string): string[] => text.split('/').filter((step) => step !== '');
  for (const steps = stepsOf(resolve(path)); steps.length > 0;) {
    const next = join(reached, steps.shift() ?? '');
    const found = statLink(next);
    if (found === undefined) return owner;
    if (found.uid !== 0) owner = found.uid;
    if (found.isSymbolicLink() && ++links <= maxLinks) {
      const target = readlinkSync(next);
      steps.unshift(...stepsOf(target));
      if (isAbsolute(target)) reached = '/';
    } else reached = next;
  }
  return owner;
}

function statLink(path: string) {
  try {
    return lstatSync(path);
  } catch (error) {
    // Nothing is there, or a file stands in the way.
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

/**
 * Does synchronous work with an account's rights: where its owner has put links into a folder, they lead no further than the owner
 * itself could go. Without an account it is done with our own.
 */
export function asAccount<T>(account: Account | undefined, work: () => T): T {
  if (account === undefined) return work();
  const { getgid, getgroups, setgroups, setegid, seteuid } = process;
  if (!getgid || !getgroups || !setgroups || !setegid || !seteuid) throw new Error('only POSIX has accounts');
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

/** The first part of a path that an account can't enter, as far as the path is there. */
export function findBarrier(path: string, account: Account): string | undefined {
  const parts: string[] = [];
  for (let part = path; parts.at(-1) !== part; part = dirname(part)) parts.push(part);
  return asAccount(account, () => parts.toReversed().find((part) => !canEnter(part)));
}

function canEnter(path: string): boolean {
  try {
    // The dot makes the kernel ask for the right to enter, not only to see that the folder is there.
    statSync(`${path}/.`);
    return true;
  } catch (error) {
    return systemCode(error) !== 'EACCES';
  }
}
