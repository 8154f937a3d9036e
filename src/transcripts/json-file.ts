// One JSON file of a folder of transcripts: read, checked, its faults reported with file and path. It is parsed twice: plainly for
// the schemas, and with its numbers as they were written.
import { readFile } from 'node:fs/promises';
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Json, parseRawJson } from './raw-json.ts';

export interface JsonFile {
  readonly file: string;
  readonly plain: unknown;
  readonly raw: Json;
}

export async function readJsonFile(file: string, path: string, faults: string[]): Promise<JsonFile | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    return { file, plain: JSON.parse(text), raw: parseRawJson(text) };
  } catch (error) {
    // The parser's own message quotes the file, which may be a seed with its tokens: only the place is taken from it.
    const place = error instanceof SyntaxError ? /line \d+ column \d+/u.exec(error.message)?.[0] : undefined;
    if (error instanceof SyntaxError) faults.push(`${file}: is not JSON${place === undefined ? '' : ` (${place})`}`);
    else faults.push(`${file}: cannot be read (${codeOf(error)})`);
    return undefined;
  }
}

export function check<T extends TSchema>(
  schema: T,
  value: unknown,
  place: string,
  faults: string[],
): value is Static<T> {
  const found = [...Value.Errors(schema, value)];
  // A missing key is reported as missing and as of the wrong type: the first is enough.
  const first = new Map(found.toReversed().map((fault) => [fault.path, fault.message]));
  faults.push(...[...first].toReversed().map(([path, message]) => `${place}: ${path || '/'}: ${message}`));
  return found.length === 0;
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
