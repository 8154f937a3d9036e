// Where the data lie if nobody says where.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { isRoot } from './account.ts';

/**
 * `.understudy` in the working directory. But PostgreSQL doesn't run as root, and whom root starts it as can't get into a
 * directory that is root's alone (/root, or one by mktemp): then a folder of that directory's own under /var/lib.
 */
export function findDefaultFolder(): string {
  const here = process.cwd();
  if (!isRoot || !hasClosedPart(here)) return '.understudy';
  const mark = createHash('sha256').update(here).digest('hex').slice(0, 8);
  return `/var/lib/understudy/${basename(here)}-${mark}`;
}

function hasClosedPart(path: string): boolean {
  const isClosed = (statSync(path).mode & 0o001) === 0;
  return isClosed || (resolve(path) !== dirname(path) && hasClosedPart(dirname(path)));
}
