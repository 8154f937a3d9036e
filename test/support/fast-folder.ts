// The folder of the tests' clusters and databases.
import { tmpdir } from 'node:os';
import { hasRoom, memory } from '../../src/postgres/temporary-folder.ts';

const enoughBytes = 4 * 2 ** 30;

/** In memory if there is room: a database has 300 files, and a disk creates them ten times as slowly. */
export const findFastFolder = (): string => (hasRoom(memory, enoughBytes) ? memory : tmpdir());
