// The names of seeds: which file each stands for, and what is wrong with a name.
import { open, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { shippedSeeds } from '../files.ts';
import { findNearest } from '../nearest.ts';

/** A plain name such as `documented` is that of a seed that ships, everything else is a path. */
export const isPath = (name: string): boolean => !/^[a-z0-9-]+$/.test(name);

export const seedFile = (name: string): string => (isPath(name) ? resolve(name) : join(shippedSeeds, `${name}.yaml`));

/** The name of a seed that is read from standard input. */
export const fromStdin = '-';

/** The names of the seeds that ship. */
export async function listShippedSeeds(): Promise<string[]> {
  const files = await readdir(shippedSeeds);
  return files.flatMap((file) => (file.endsWith('.yaml') ? [file.slice(0, -'.yaml'.length)] : [])).toSorted();
}

/** Why no seed of this name can be read, with the nearest name; undefined if one can. */
export async function findSeedNameFault(name: string): Promise<string | undefined> {
  if (name === fromStdin) return undefined;
  const file = seedFile(name);
  const fault = await tryToRead(file);
  if (fault === undefined) return undefined;
  // Names with a dot or a slash are paths.
  if (/[./\\]/.test(name)) return faults[fault]?.(file) ?? `${file} can't be read (${fault})`;
  const shipped = await listShippedSeeds();
  const nearest = findNearest(name, shipped);
  const advice =
    nearest === undefined
      ? `those that ship: ${shipped.join(', ')}; a file is named by its path, such as ./${name}.yaml`
      : `did you mean "${nearest}"?`;
  return `no seed "${name}"; ${advice}`;
}

const faults: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `there is no file ${file}`,
  EISDIR: (file) => `${file} is a folder; name a file in it`,
};

/** The system's error code if it can't be read. */
async function tryToRead(file: string): Promise<string | undefined> {
  try {
    await using handle = await open(file);
    return (await handle.stat()).isDirectory() ? 'EISDIR' : undefined;
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
}
