// Where the data lie if nobody says where.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { hasEntry, isRoot } from './account.ts';
import { findOwner } from './rights.ts';

/**
 * `.understudy` in the working directory. But PostgreSQL doesn't run as root, and whom root starts it as can't get into a
 * directory that is root's alone (/root, or one by mktemp), nor make one in what is root's below another user's: then a folder of
 * that directory's own under /var/lib.
 */
export function findDefaultFolder(): string {
  const here = process.cwd();
  if (!isRoot || (!hasClosedPart(here) && isForServer(here))) return '.understudy';
  const mark = createHash('sha256').update(here).digest('hex').slice(0, 8);
  return `/var/lib/understudy/${basename(here)}-${mark}`;
}

/** Whether the account that a folder below would belong to may make it there. */
function isForServer(path: string): boolean {
  const owner = findOwner(path);
  return owner === undefined || (owner === statSync(path).uid && hasEntry(owner));
}

function hasClosedPart(path: string): boolean {
  const isClosed = (statSync(path).mode & 0o001) === 0;
  return isClosed || (resolve(path) !== dirname(path) && hasClosedPart(dirname(path)));
}
