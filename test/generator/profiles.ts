// Profiles in bodies of users: some of the keys, with values as their metadata says, and others.
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { profileFields } from '../../src/resources/users/profile.ts';
import type { Json } from '../transcripts/engine/raw-json.ts';
import { anyValue } from './values.ts';

type Metadata = (typeof profileFields)[keyof typeof profileFields]['metadata'];

const listed: Readonly<Record<string, readonly Json[]>> = {
  languages: [[], ['cs'], ['cs', 'de'], ['de', 'cs', 'de'], ['nope'], 'cs', [1]],
  secondary_languages: [[], ['de'], ['zh_Hans', 'cs'], ['']],
  watched: [[], ['demo'], ['secret'], ['demo', 'secret'], ['nope'], [2], 'demo'],
  // Which pages count as profiles is one of the listed differences.
  codesite: ['', 'nope', 'https://'],
  fediverse: ['', 'nope', 'https://'],
  dashboard_component_list: [null, 'nope', 1],
  public_email: ['', 'alice@example.com', 'bob@example.com', 'x'],
  commit_email: ['', 'alice@example.com', 'admin@example.com'],
};

function valuesOf(
  key: string,
  { type, choices = [], child, max_length = 100, min_value = 0, max_value = 9 }: Metadata,
) {
  const own = listed[key];
  if (own !== undefined) return fc.constantFrom(...own);
  const names = [...choices, ...(child?.choices ?? [])].map(({ value }) => value);
  if (type === 'list') return fc.subarray(names, { maxLength: 4 });
  if (names.length > 0) return fc.constantFrom<Json>(...names, 'nope');
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.constantFrom<Json>(min_value - 1, min_value, max_value, max_value + 1, '3');
  if (type === 'url') return fc.constantFrom<Json>('', 'nope', 'https://', 'ftp://example.com/');
  const lengths = [max_length, max_length + 1].map((length) => 'x'.repeat(length));
  return fc.constantFrom<Json>('', 'abc', 'a-b_c', 'a b', ' a ', 'ü', '{{branch}}', ...lengths);
}

export const profiles: Arbitrary<Json> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record(
        Object.fromEntries(
          Object.entries(profileFields).map(([key, { metadata }]) => [
            key,
            fc.oneof({ weight: 8, arbitrary: valuesOf(key, metadata) }, { weight: 1, arbitrary: anyValue }),
          ]),
        ),
        { requiredKeys: [] },
      )
      // Few at once, or nearly every profile has a fault.
      .chain((whole) => fc.subarray(Object.entries(whole), { maxLength: 3 }))
      .map((pairs) => Object.fromEntries(pairs) as Json),
  },
  { weight: 1, arbitrary: anyValue },
);
