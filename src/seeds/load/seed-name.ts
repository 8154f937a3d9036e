// Finds a seed's text by name, and explains wrong names.
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { codeOf, UserError } from '../../base/failure.ts';
import { shippedSeeds } from '../../base/files.ts';
import { findNearest } from '../../base/nearest.ts';
import type { NamedText } from '../yaml/yaml-text.ts';

/** A plain name, such as `documented`, stands for a shipped seed. Any other name is a path. */
export const isPath = (name: string) => !/^[a-z0-9-]+$/.test(name);

export const seedFile = (name: string) => (isPath(name) ? resolve(name) : join(shippedSeeds, `${name}.yaml`));

export const fromStdin = '-';

export async function listShippedSeeds() {
  const files = await readdir(shippedSeeds);
  return files.flatMap((file) => (file.endsWith('.yaml') ? basename(file, '.yaml') : [])).toSorted();
}

/** Throws UserError. */
export async function readNamedText(name: string): Promise<NamedText> {
  if (name === fromStdin) return { text: await text(process.stdin), file: 'seed' };
  const file = seedFile(name);
  try {
    return { text: await readFile(file, 'utf8'), file: isPath(name) ? name : file };
  } catch (error) {
    throw new UserError(await explain(name, file, codeOf(error)), { cause: error });
  }
}

async function explain(name: string, file: string, code: string) {
  if (/[./\\]/.test(name)) {
    if (code === 'ENOENT') return `there is no file ${file}`;
    return code === 'EISDIR' ? `${file} is a folder; name a file in it` : `${file} can't be read (${code})`;
  }
  const shipped = await listShippedSeeds();
  const nearest = findNearest(name, shipped);
  if (nearest !== undefined) return `no seed "${name}"; did you mean "${nearest}"?`;
  const advice = `shipped seeds: ${shipped.join(', ')}; name a file by its path, such as ./${name}.yaml`;
  return `no seed "${name}"; ${advice}`;
}
