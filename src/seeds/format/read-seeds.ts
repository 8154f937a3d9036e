// Reads seeds.
// Checks text, then schema, then meaning. Reports all errors of the first check that fails.
import { isDeepStrictEqual } from 'node:util';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { findErrors, type Path } from '../../base/check-value.ts';
import { type NamedText, openYaml, type YamlText } from '../yaml/yaml-text.ts';
import { combineSeeds, findContradictions } from './combine.ts';
import { normalise } from './normalise.ts';
import { errorAt, inOrder, type PlacedError, SeedError } from './seed-errors.ts';
import { type SeedDocument, seedSchema } from './seed-schema.ts';
import type { Seed } from './seed-types.ts';

export interface ReadSeeds {
  /** Empty if a text is unreadable, breaks the schema, or stands for too much. */
  readonly seeds: readonly Seed[];
  /** If there are seeds, only errors within entries: contradictions of entries depend on the sandbox too. */
  readonly errors: readonly PlacedError[];
}

export function parseSeed(text: NamedText, maxImplied = Infinity): ReadSeeds & { readonly isTooMuch?: boolean } {
  const source = openYaml(text);
  const { value, errors: ofText } = source.read();
  const unreadable = ofText.map((error) => ({ file: source.file, path: '', ...error }));
  const ofForm = unreadable.length > 0 ? unreadable : findSchemaErrors(value, source);
  if (ofForm.length > 0) return { seeds: [], errors: ofForm };
  const meant = normalise(value as SeedDocument, source, maxImplied);
  if (meant !== undefined) return { seeds: [meant.seed], errors: meant.errors };
  const message = `stands for over ${maxImplied} subscriptions and memberships; \`weblate-understudy seed\` loads it`;
  return { seeds: [], errors: [errorAt({ source, path: [] }, message)], isTooMuch: true };
}

const compiled = TypeCompiler.Compile(seedSchema);

/** Without errors, the document is a SeedDocument. */
function findSchemaErrors(document: unknown, source: YamlText) {
  // An empty document is likelier an accident than a wish to empty a sandbox.
  if (isDeepStrictEqual(document ?? {}, {}))
    return [errorAt({ source, path: [] }, 'holds nothing; `users: []` is a seed without users')];
  if (!compiled.Check(document))
    return findErrors(seedSchema, document).errors.map(({ path, code, describe }) =>
      errorAt({ source, path }, describe, [], code === 'unknown' ? 'key' : 'value'),
    );
  return findBroken(document, []).map((path) =>
    errorAt({ source, path }, "holds a NUL or half a character, which the database can't store"),
  );
}

function findBroken(value: unknown, path: Path): Path[] {
  const isBroken = (text: string) => text.includes('\0') || !text.isWellFormed();
  if (typeof value === 'string') return isBroken(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const deeper = [...path, Array.isArray(value) ? Number(key) : key];
    return isBroken(key) ? [deeper] : findBroken(inner, deeper);
  });
}

/** Combines seeds without a sandbox. Returns all errors in the texts' order. */
export function checkAlone({ seeds, errors }: ReadSeeds) {
  const { seed, errors: ofOrder } = combineSeeds(seeds);
  return { seed, errors: inOrder([...errors, ...ofOrder, ...findContradictions(seed)]) };
}

/** Throws SeedError with all errors. */
export function combineWhole(read: ReadSeeds) {
  const { seed, errors } = checkAlone(read);
  if (errors.length > 0) throw new SeedError(errors);
  return seed;
}

export const parseWhole = (text: NamedText) => combineWhole(parseSeed(text));
