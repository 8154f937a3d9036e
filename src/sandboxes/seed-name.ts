// Checks the name of the seed that a service starts with, before anything starts.
import { open } from 'node:fs/promises';
import { findNearest } from '../nearest.ts';
import { seedFile } from '../load/default-sandbox.ts';
import { listShippedSeeds } from './templates.ts';

/** Why no seed of this name can be read, with the nearest name; undefined if one can. */
export async function findSeedNameFault(name: string): Promise<string | undefined> {
  const file = seedFile(name);
  const fault = await tryToRead(file);
  if (fault === undefined) return undefined;
  // Names with a dot or a slash are paths.
  if (/[./\\]/.test(name)) return fault === 'ENOENT' ? `there is no file ${file}` : `${file} can't be read (${fault})`;
  const shipped = await listShippedSeeds();
  const nearest = findNearest(name, shipped);
  const advice =
    nearest === undefined
      ? `those that ship: ${shipped.join(', ')}; a file is named by its path, such as ./${name}.yaml`
      : `did you mean "${nearest}"?`;
  return `no seed "${name}"; ${advice}`;
}

/** The system's error code if it can't be read. */
async function tryToRead(file: string): Promise<string | undefined> {
  try {
    await using handle = await open(file);
    return (await handle.stat()).isDirectory() ? 'EISDIR' : undefined;
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
}
