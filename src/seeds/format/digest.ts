// A seed's content in 64 characters: the same for the same content, however it is formatted.
import { hash } from 'node:crypto';
import { YamlText } from '../yaml/yaml-text.ts';
import type { Seed } from './seed-types.ts';

/** SHA-256 in hex over the content and the order of entries, which ids follow. */
export function seedDigest(seed: Seed): string {
  return digests.get(seed) ?? noteDigest(seed, hash('sha256', write(seed)));
}

// To compute it takes as long as to read the seed.
const digests = new WeakMap<Seed, string>();

/** For a seed whose digest a thread has computed. */
export function noteDigest(seed: Seed, digest: string): string {
  digests.set(seed, digest);
  return digest;
}

// By hand: JSON.stringify with a function for every value takes three times as long.
function write(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  const members = Object.keys(value)
    .toSorted()
    .flatMap((key) => {
      const member = (value as Record<string, unknown>)[key];
      return member === undefined || isPlace(member) ? [] : `${JSON.stringify(key)}:${write(member)}`;
    });
  return `{${members.join(',')}}`;
}

const isPlace = (value: unknown) =>
  typeof value === 'object' && value !== null && 'source' in value && value.source instanceof YamlText;
