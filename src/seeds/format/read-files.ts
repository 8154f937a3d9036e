// Seeds from texts and files. The faults of texts come first, then those of their meaning; of either all at once.
import { YamlText } from '../yaml/yaml-text.ts';
import { findSchemaFaults } from './check.ts';
import { combineSeeds } from './combine.ts';
import { findContradictions } from './contradictions.ts';
import { normalise } from './normalise.ts';
import { inOrder, SeedError, type SeedFault } from './seed-faults.ts';
import type { SeedDocument } from './seed-schema.ts';
import type { Seed } from './seed-types.ts';

export interface NamedText {
  /** YAML or JSON. */
  readonly text: string;
  /** The name that faults give. */
  readonly file: string;
}

export interface ReadSeeds {
  /** None where a text can't be read or doesn't fit the schema. */
  readonly seeds: readonly Seed[];
  /**
   * Where there are seeds, those of each by itself. What contradicts in the whole is found once it is known what the
   * seeds are added to.
   */
  readonly faults: readonly SeedFault[];
}

export const parseSeed = (text: string, file: string): ReadSeeds => readSource(new YamlText(text, file));

/** The faults of the text, else those that the schema finds, else what the document means. */
export function readSource(source: YamlText, most?: number): ReadSeeds & { readonly document: SeedDocument } {
  const { value, faults: ofText } = source.read();
  const document = value as SeedDocument;
  const unreadable = ofText.map((fault) => ({ file: source.file, path: '', ...fault }));
  const ofForm = unreadable.length > 0 ? unreadable : findSchemaFaults(value, source);
  if (ofForm.length > 0) return { document, seeds: [], faults: ofForm };
  const { seed, faults } = normalise(document, source, most);
  return { document, seeds: [seed], faults };
}

/** The same of several. */
export function parseSeeds(texts: readonly NamedText[]): ReadSeeds {
  const read = texts.map(({ text, file }) => parseSeed(text, file));
  const unread = read.filter(({ seeds }) => seeds.length === 0);
  if (unread.length > 0) return { seeds: [], faults: unread.flatMap(({ faults }) => faults) };
  return { seeds: read.flatMap(({ seeds }) => seeds), faults: read.flatMap(({ faults }) => faults) };
}

/** Every fault of seeds that a new sandbox is made from, in the order of the text, and the seeds as one. */
export function checkAlone({ seeds, faults }: ReadSeeds): { seed: Seed; faults: SeedFault[] } {
  const { seed, faults: ofOrder } = combineSeeds(seeds);
  return { seed, faults: inOrder([...faults, ...ofOrder, ...findContradictions(seed)]) };
}

/** Parses a seed that a sandbox is made from. Throws SeedError with all its faults. */
export function parseWhole(text: NamedText): Seed {
  const { seed, faults } = checkAlone(parseSeeds([text]));
  if (faults.length > 0) throw new SeedError(faults);
  return seed;
}
