// Seeds that come over HTTP: checked like any other, and bounded in what they stand for.
import { readText, TooCostly } from '../yaml/thread.ts';
import { type Path, YamlText } from '../yaml/yaml-text.ts';
import { noteDigest, seedDigest } from './digest.ts';
import { normalise } from './normalise.ts';
import { checkAlone, type NamedText, readSource } from './read-files.ts';
import { errorOfFile, firstErrors, SeedError } from './seed-errors.ts';
import type { Seed } from './seed-types.ts';

export interface SeedText extends NamedText {
  /** The seed's place in the text, where it is a part of it. */
  readonly at?: Path;
}

// To load what a seed stands for takes time for each row.
const maxImplied = (text: string): number => Math.max(50_000, Math.floor(text.length / 20));

const sourceOf = ({ text, file, at }: SeedText): YamlText => new YamlText(text, file, at);

/** Reads a seed that a sandbox is made from. Throws SeedError. */
export async function readSeedText(text: SeedText): Promise<Seed> {
  const checked = await readText('checkSeed', checkSeed, text, text.text.length).catch((error: unknown) => {
    if (!(error instanceof TooCostly)) throw error;
    throw new SeedError([errorOfFile(text.file, error.message)]);
  });
  if ('errors' in checked) throw new SeedError(checked.errors, checked.more);
  const { seed } = normalise(checked.document, sourceOf(text));
  noteDigest(seed, checked.digest);
  return seed;
}

/** A valid seed, or its errors. */
export function checkSeed(text: SeedText) {
  const { document, ...read } = readSource(sourceOf(text), maxImplied(text.text));
  const { seed, errors } = checkAlone(read);
  return errors.length > 0 ? firstErrors(errors) : { document, digest: seedDigest(seed) };
}
