// Which account controls a path, which account can enter it, and where the data folder is by default.
import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { type Account, asAccount, getServerAccount, isRoot } from './account.ts';
import { codeOf } from '../base/errors.ts';

const maxLinks = 40;

/**
 * The last account except root that owns a part of the path, or of a link's target on the way. Undefined if root owns
 * them all: then no other account can change where the path leads. A part that doesn't exist yet has no owner.
 */
export function findOwner(path: string, links = 0): number | undefined {
  const here = resolve(path);
  const parent = dirname(here);
  // First: the kernel rejects a path of too many links, before this code follows them all.
  const status = findStatus(here);
  const owner = status?.uid || (parent === here ? undefined : findOwner(parent, links));
  // Links may lead round in a circle.
  if (status?.isSymbolicLink() !== true || links === maxLinks) return owner;
  return findOwner(resolve(realpathSync(parent), readlinkSync(here)), links + 1) ?? owner;
}

function findStatus(path: string) {
  try {
    return lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** The first part of the path that the account can't enter. Parts that don't exist yet count as enterable. */
export function findBarrier(path: string, account: Account): string | undefined {
  const parts: string[] = [];
  for (let part = path; parts.at(-1) !== part; part = dirname(part)) parts.push(part);
  return asAccount(account, () => parts.toReversed().find((part) => !canEnter(part)));
}

function canEnter(path: string): boolean {
  try {
    // The dot makes the kernel check the right to enter, not only that the folder exists.
    statSync(`${path}/.`);
    return true;
  } catch (error) {
    return codeOf(error) !== 'EACCES';
  }
}

/**
 * `.understudy` in the working directory. For root it is a folder below /var/lib, one for each working directory, if
 * the server's account can't enter the working directory or make a folder in it.
 */
export function findDefaultFolder(): string {
  const here = process.cwd();
  if (!isRoot || isUsable(here)) return '.understudy';
  const mark = createHash('sha256').update(here).digest('hex').slice(0, 8);
  return `/var/lib/understudy/${basename(here)}-${mark}`;
}

function isUsable(path: string): boolean {
  const owner = findOwner(path);
  if (findBarrier(path, getServerAccount(owner)) !== undefined) return false;
  return owner === undefined || owner === statSync(path).uid;
}
