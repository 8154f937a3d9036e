// The seed format as a JSON Schema for editors and other programs: seeds/seed.schema.json.
import { seedSchema } from './seed-schema.ts';

/** The published file's text. Written by `node src/seed/write-json-schema.ts`, held by a test. */
export function seedJsonSchema(): string {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Understudy seed', ...seedSchema };
  return `${JSON.stringify(schema, null, 1)}\n`;
}
