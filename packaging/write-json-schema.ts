// Makes the JSON Schema of seeds, for editors and other programs. Run as a program, this file writes seeds/seed.schema.json
// again.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { shippedSeeds } from '../src/base/files.ts';
import { seedSchema } from '../src/seeds/format/seed-schema.ts';

// The address at which a mirror of npm serves the package's file. An editor can load the schema from it without the package.
const $id = `https://unpkg.com/${manifest.name}/seeds/seed.schema.json`;

export function seedJsonSchema(): string {
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  const schema = { $schema, $id, title: 'Understudy seed', ...seedSchema };
  return `${JSON.stringify(schema, null, 1)}\n`;
}

if (process.argv[1] === import.meta.filename) await writeFile(join(shippedSeeds, 'seed.schema.json'), seedJsonSchema());
