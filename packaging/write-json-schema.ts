// The seed format as a JSON Schema for editors and other programs. Run by itself, this file writes
// seeds/seed.schema.json anew.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shippedSeeds } from '../src/base/files.ts';
import { seedSchema } from '../src/seeds/format/seed-schema.ts';

export function seedJsonSchema(): string {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Understudy seed', ...seedSchema };
  return `${JSON.stringify(schema, null, 1)}\n`;
}

if (process.argv[1] === import.meta.filename) await writeFile(join(shippedSeeds, 'seed.schema.json'), seedJsonSchema());
