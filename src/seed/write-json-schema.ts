// Writes seeds/seed.schema.json anew, after a change of the format.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seedJsonSchema } from './json-schema.ts';

await writeFile(join(import.meta.dirname, '../../seeds/seed.schema.json'), seedJsonSchema());
