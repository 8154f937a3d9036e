// What a seed says, in 64 characters: the same for the same content, however it is formatted.
import { createHash } from 'node:crypto';
import type { Seed } from './seed.ts';
import { SeedSource } from './source.ts';

/** SHA-256 in hex over what the seed says, the order of its entries included, because ids follow it. */
export function seedDigest(seed: Seed): string {
  const text = JSON.stringify(seed, (_key, value: unknown) => (isPlace(value) ? undefined : sorted(value)));
  return createHash('sha256').update(text).digest('hex');
}

const isPlace = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'source' in value && value.source instanceof SeedSource;

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
