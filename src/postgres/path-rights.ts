// Which account controls a path, which account can enter it, and where the data folder is by default.
import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { type Account, asAccount, getServerAccount, isRoot } from './account.ts';
import { codeOf } from '../base/errors.ts';

const maxLinks = 40;

/**
 * The last account except root that owns a part of the path, or of a link's target on the way. Undefined if root owns
 * them all: then no other account can change where the path leads.
 */
export function findOwner(path: string): number | undefined {
  let owner: number | undefined;
  let folder = '/';
  let links = 0;
  const stepsOf = (text: string): string[] => text.split('/').filter((step) => step !== '');
  for (const steps = stepsOf(resolve(path)); steps.length > 0;) {
    const next = join(folder, steps.shift() ?? '');
    const status = findStatus(next);
    if (status === undefined) return owner;
    if (status.uid !== 0) owner = status.uid;
    if (status.isSymbolicLink() && ++links <= maxLinks) {
      const target = readlinkSync(next);
      steps.unshift(...stepsOf(target));
      if (isAbsolute(target)) folder = '/';
    } else folder = next;
  }
  return owner;
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
