// Profiles in users' bodies: some of the keys, with values that the keys' metadata suggests.
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { describeFields, type FieldMetadata } from '../../src/http/options.ts';
import { User } from '../../src/weblate/users/serialize.ts';
import type { Json } from '../transcripts/engine/raw-json.ts';
import { anyValue } from './values.ts';
import { weighted } from './weighted.ts';
import type { World } from './world.ts';

const profileFields = describeFields(User)['profile']?.children ?? {};

/** Values for the keys whose metadata does not tell all that the real system checks. */
const listed = ({ projects: [slug = '', other = slug] }: World): Readonly<Record<string, readonly Json[]>> => ({
  languages: [[], ['cs'], ['cs', 'de'], ['de', 'cs', 'de'], null],
  secondary_languages: [[], ['de'], ['zh_Hans', 'cs']],
  watched: [[], [slug], [slug, other, slug], null],
  codesite: [''],
  fediverse: [''],
  website: ['', 'https://example.com/a?b=c', 'ftp://example.com/'],
  contact: ['', 'https://example.org', 'http://localhost:8080/#x'],
  editor_link: ['', 'https://example.com/{{branch}}/{{filename}}#L{{line}}'],
  special_chars: ['', 'abc', 'ü¿', 'x'.repeat(30), 'x'.repeat(31)],
  linkedin: ['', 'abc', 'a-b_c', 'x'.repeat(51)],
  listing_columns: [[], ['total'], ['comments', 'checks'], 'total', ['nope'], ['total', 1], {}],
  dashboard_view: [1, 5, 7, '5', 2, 'nope'],
  dashboard_component_list: [null],
  public_email: [''],
  commit_email: [''],
});

const slugs = ['', 'abc', 'a-b_c', 'a b', ' a ', 'ü', '{{branch}}', 'x'.repeat(50), 'x'.repeat(51)];

function valuesOf(world: World, key: string, metadata: FieldMetadata): Arbitrary<Json> {
  const { type, choices = [], max_length = 100, min_value = 0, max_value = 9 } = metadata;
  const own = listed(world)[key] ?? (type === 'slug' ? slugs : undefined);
  if (own !== undefined) return fc.constantFrom(...own);
  const lengths = [max_length, max_length + 1].map((length) => 'x'.repeat(length));
  const usual =
    type === 'boolean'
      ? fc.boolean()
      : type === 'integer'
        ? fc.constantFrom<Json>(min_value - 1, min_value, max_value, max_value + 1, '3')
        : choices.length > 0
          ? fc.constantFrom<Json>(...choices.map(({ value }) => value), 'nope')
          : fc.constantFrom<Json>('', 'abc', 'a b', ' a ', 'ü', '{{branch}}', ...lengths);
  return weighted([8, usual], [1, anyValue]);
}

export const profiles = (world: World): Arbitrary<Json> =>
  weighted(
    [
      8,
      fc
        .record(
          Object.fromEntries(
            Object.entries(profileFields).map(([key, metadata]) => [key, valuesOf(world, key, metadata)]),
          ),
          { requiredKeys: [] },
        )
        // Few keys at once: with more, nearly every profile would have a fault.
        .chain((whole) => fc.subarray(Object.entries(whole), { maxLength: 3 }))
        .map((pairs) => Object.fromEntries(pairs) as Json),
    ],
    [1, anyValue],
  );
