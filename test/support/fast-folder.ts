// The folder of the tests' clusters and databases.
import { tmpdir } from 'node:os';
import { hasRoom, memory } from '../../src/postgres/temporary-folder.ts';

const enoughBytes = 4 * 2 ** 30;

/** In memory where there is room: a database is 300 files, and a disk takes ten times as long to create them. */
export const findFastFolder = (): string => (hasRoom(memory, enoughBytes) ? memory : tmpdir());
