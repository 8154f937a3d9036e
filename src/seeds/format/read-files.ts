// Seeds from texts and files. Errors of the texts come first, then semantic errors; each kind all at once.
import { YamlText } from '../yaml/yaml-text.ts';
import { findSchemaErrors } from './check.ts';
import { combineSeeds } from './combine.ts';
import { findContradictions } from './contradictions.ts';
import { normalise } from './normalise.ts';
import { inOrder, type PlacedError, SeedError } from './seed-errors.ts';
import type { SeedDocument } from './seed-schema.ts';
import type { Seed } from './seed-types.ts';

export interface NamedText {
  /** YAML or JSON. */
  readonly text: string;
  /** The name that errors give. */
  readonly file: string;
}

export interface ReadSeeds {
  /** None if a text can't be read or doesn't fit the schema. */
  readonly seeds: readonly Seed[];
  /** Where there are seeds, those of each by itself: what contradicts in the whole depends on the sandbox. */
  readonly errors: readonly PlacedError[];
}

export const parseSeed = (text: string, file: string): ReadSeeds => readSource(new YamlText(text, file));

/** The errors of the text, else those that the schema finds, else what the document means. */
export function readSource(source: YamlText, maxImplied?: number) {
  const { value, errors: ofText } = source.read();
  const document = value as SeedDocument;
  const unreadable = ofText.map((error) => ({ file: source.file, path: '', ...error }));
  const ofForm = unreadable.length > 0 ? unreadable : findSchemaErrors(value, source);
  if (ofForm.length > 0) return { document, seeds: [], errors: ofForm };
  const { seed, errors } = normalise(document, source, maxImplied);
  return { document, seeds: [seed], errors };
}

export function parseSeeds(texts: readonly NamedText[]): ReadSeeds {
  const all = texts.map(({ text, file }) => parseSeed(text, file));
  const unreadable = all.filter(({ seeds }) => seeds.length === 0);
  const reported = unreadable.length > 0 ? unreadable : all;
  return { seeds: reported.flatMap(({ seeds }) => seeds), errors: reported.flatMap(({ errors }) => errors) };
}

/** Every error of seeds that a new sandbox is made from, in the order of the text, and the seeds as one. */
export function checkAlone({ seeds, errors }: ReadSeeds): { seed: Seed; errors: PlacedError[] } {
  const { seed, errors: ofOrder } = combineSeeds(seeds);
  return { seed, errors: inOrder([...errors, ...ofOrder, ...findContradictions(seed)]) };
}

/** Throws SeedError with all errors of a seed that a sandbox is made from. */
export function parseWhole(text: NamedText): Seed {
  const { seed, errors } = checkAlone(parseSeed(text.text, text.file));
  if (errors.length > 0) throw new SeedError(errors);
  return seed;
}
