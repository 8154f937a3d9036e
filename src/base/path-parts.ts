import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf } from './errors.ts';

// As many as Linux follows.
const maxLinks = 40;

/** Of each part of the path that exists, and of what links on the way lead to, in the order in which the kernel takes them. */
export function listParts(path: string, links = 0): Stats[] {
  const here = resolve(path);
  const parent = dirname(here);
  // First: the kernel rejects a path of too many links, before this code follows them all.
  const status = findStatus(here);
  const parts = [...(parent === here ? [] : listParts(parent, links)), ...(status ? [status] : [])];
  // Links may lead round in a circle.
  if (status?.isSymbolicLink() !== true || links === maxLinks) return parts;
  return [...parts, ...listParts(resolve(realpathSync(parent), readlinkSync(here)), links + 1)];
}

function findStatus(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw error;
  }
}
