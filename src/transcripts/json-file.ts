// One JSON file of a folder of transcripts: read with its numbers as they were written, checked, its faults reported with file and path.
import { readFile } from 'node:fs/promises';
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parseRawJson } from './raw-json.ts';

/** Adds to `faults` what keeps the file from being read, or from having the schema's form. */
export async function readJsonFile<T extends TSchema>(
  schema: T,
  file: string,
  path: string,
  faults: string[],
): Promise<Static<T> | undefined> {
  try {
    const value = parseRawJson(await readFile(path, 'utf8'));
    const found = [...Value.Errors(schema, value)];
    // A missing key is reported as missing and as of the wrong type: the first is enough.
    const first = new Map(found.toReversed().map((fault) => [fault.path, fault.message]));
    faults.push(...[...first].toReversed().map(([inside, message]) => `${file}: ${inside || '/'}: ${message}`));
    return found.length === 0 ? value : undefined;
  } catch (error) {
    // The parser's own message quotes the file, which may be a seed with its tokens: only the place is taken from it.
    const place = error instanceof SyntaxError ? /line \d+ column \d+/u.exec(error.message)?.[0] : undefined;
    if (error instanceof SyntaxError) faults.push(`${file}: is not JSON${place === undefined ? '' : ` (${place})`}`);
    else faults.push(`${file}: cannot be read (${codeOf(error)})`);
    return undefined;
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
