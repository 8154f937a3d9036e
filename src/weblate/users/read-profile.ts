// The profile in the body of a change: each key is checked as its metadata in OPTIONS says (transcript users__profile),
// once all other fields are right.
import { type TSchema, Type } from '@sinclair/typebox';
import { checkFields } from '../../http/body/check-fields.ts';
import type { Fields } from '../../http/body/decode.ts';
import { type TextRule, textRules } from '../../http/body/read-value.ts';
import { nullable } from '../../http/operation.ts';
import type { FieldMetadata } from '../../http/options.ts';
import { pythonType } from '../../http/wire/python-text.ts';
import { type ErrorLine, errorLine } from '../../base/errors.ts';
import { linkLists, profileFields, type StoredProfile } from './profile.ts';

const isUrl = (text: string): boolean => /^(?:ht|f)tps?:\/\/\S+$/i.test(text) && URL.canParse(text);
const slug = 'Enter a valid "slug" consisting of letters, numbers, underscores or hyphens.';

const rulesOf: Readonly<Record<string, readonly TextRule[]>> = {
  url: [{ accepts: isUrl, detail: 'Enter a valid URL.' }],
  slug: [{ pattern: '^[-a-zA-Z0-9_]+$', detail: slug }],
};

function schemaOf({ type, child, choices = [], max_length, min_value, max_value }: FieldMetadata): TSchema {
  if (type === 'boolean') return Type.Boolean();
  if (type === 'integer') return { ...Type.Integer(), minimum: min_value, maximum: max_value };
  if (child !== undefined) return { ...Type.Array(schemaOf(child)), maxItems: max_length };
  if (choices.length > 0) return Type.Union(choices.map(({ value }) => Type.Literal(value)));
  // The user's addresses are choices that depend on the user: any text of an address's length is one.
  return Type.String({ minLength: 0, maxLength: max_length ?? 190, [textRules]: rulesOf[type] ?? [] });
}

// OPTIONS calls the lists of links read-only, but they can be written. No language and few projects are known here.
const names = nullable(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 1000 }));

const ProfileFields = Type.Object({
  ...Object.fromEntries(
    Object.entries(profileFields).flatMap(([key, { metadata }]) =>
      metadata.read_only ? [] : [[key, schemaOf(metadata)]],
    ),
  ),
  ...Object.fromEntries(Object.keys(linkLists).map((key) => [key, names])),
});

const nothing = { values: {} as StoredProfile, errors: [] as readonly ErrorLine[] };

/** @param isNew of a new user's profile only the kind is checked, and none of it kept (transcript users__watched) */
export function readProfile(profile: unknown, isNew: boolean): typeof nothing {
  if (profile === undefined || profile === null) return nothing;
  if (pythonType(profile) !== 'dict')
    return { ...nothing, errors: [errorLine('profile', 'invalid', 'Expected an object.')] };
  if (isNew) return nothing;
  const { values, errors } = checkFields(ProfileFields, profile as Fields, true);
  return {
    // Null empties a list.
    values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value ?? []])),
    errors: errors.map((error) => ({ ...error, attr: `profile.${error.attr}` })),
  };
}
