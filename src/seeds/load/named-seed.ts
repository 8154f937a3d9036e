// Reads seeds by name: shipped seeds, files, or standard input.
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { describedSeeds } from '../../base/files.ts';
import { combineWhole, parseSeed, parseWhole } from '../format/read-seeds.ts';
import type { Seed } from '../format/seed-types.ts';
import type { NamedText } from '../yaml/yaml-text.ts';
import { type SeedRows, toSeedRows } from './load-rows.ts';
import { fromStdin, isPath, listShippedSeeds, readNamedText, seedFile } from './seed-name.ts';

export interface NamedSeed {
  /** A shipped seed's name, a path, or `seed` for standard input. */
  readonly name: string;
  /** The name in commands that messages advise: `FILE` for standard input. */
  readonly file: string;
  readonly digest: string;
  /** Users with their first token, which is public only if the seed ships. */
  readonly samples: readonly { readonly username: string; readonly token: string }[];
  readonly getRows: () => SeedRows;
}

/** Facts about shipped seeds by their texts' checksums: parsing would take 30 ms of a start. */
export type Described = Readonly<Record<string, Pick<NamedSeed, 'digest' | 'samples'>>>;

export const checksum = (text: string) => hash('sha256', text);

/** Throws SeedError. */
export function parseNamed(name: string, text: NamedText): NamedSeed {
  const all = existsSync(describedSeeds) ? (JSON.parse(readFileSync(describedSeeds, 'utf8')) as Described) : {};
  const known = all[checksum(text.text)];
  const content = known ? { ...known, getRows: () => toSeedRows(parseWhole(text)) } : describe(parseWhole(text));
  return name === fromStdin
    ? { ...content, name: 'seed', file: 'FILE' }
    : { ...content, name, file: isPath(name) ? seedFile(name) : name };
}

function describe(seed: Seed) {
  const rows = toSeedRows(seed);
  const samples = seed.users.flatMap(({ username, tokens: [first] }) =>
    first?.text === undefined ? [] : [{ username, token: first.text }],
  );
  return { digest: rows.digest, samples, getRows: () => rows };
}

/**
 * Reads seeds and their texts, in order. Throws SeedError, or UserError for a name without a seed.
 * @param isWhole false for a merge, whose files may name things of the sandbox
 */
export async function readNamedSeeds(names: readonly string[], isWhole: boolean) {
  const named = await Array.fromAsync(names, readNamedText);
  const all = named.map((text) => parseSeed(text));
  // If texts can't be read, only their errors are reported: other seeds may refer to things in these texts.
  const unreadable = all.filter(({ seeds }) => seeds.length === 0);
  const reported = unreadable.length > 0 ? unreadable : all;
  const read = { seeds: reported.flatMap(({ seeds }) => seeds), errors: reported.flatMap(({ errors }) => errors) };
  if (isWhole || unreadable.length > 0) combineWhole(read);
  return { ...read, texts: named.map(({ text }) => text) };
}

export const readNamedSeed = async (name: string) => parseNamed(name, await readNamedText(name));

/** The users whose tokens are public: those of shipped seeds. */
export async function readPublicSamples() {
  const seeds = await Promise.all((await listShippedSeeds()).map(readNamedSeed));
  return seeds.flatMap(({ samples }) => samples);
}
