// Values of fields: those that a field accepts, those at its limits, and those of another type.
import type { TSchema } from '@sinclair/typebox';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Json } from '../transcripts/engine/raw-json.ts';
import { weighted } from './weighted.ts';
import type { World } from './world.ts';

/** Texts that have broken software before. */
const oddTexts = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '-1',
  '1.0',
  '٣',
  'NaN',
  "'",
  '"',
  '\\',
  '<b>',
  '=1+1',
  'a,b',
  'a;b',
  'a\nb',
  'a\tb',
  ' lead',
  'trail ',
  '\u0000',
  'a\u0000b',
  '\u0007',
  '\u007F',
  '\u00A0',
  '\u200B',
  '\u202E',
  '\uFEFFx',
  '\uFFFD',
  'é',
  'e\u0301',
  'ß',
  'İ',
  'ﬁ',
  'Ω',
  '漢字',
  '\u{1F600}',
  '\u{1F468}\u200D\u{1F469}',
  '__proto__',
  'constructor',
];
const loneSurrogates = ['\uD800', '\uDFFF', '1\uDC00', 'a\uDC00'];

/** Numbers in spellings that a client may send, and that JavaScript would spell otherwise. */
const rawNumbers = ['1.0', '-0', '1e2', '10.0', '1.5', '1e400', '99999999999999999999', '0.1e1', '3.0'].map((text) =>
  JSON.rawJSON(text),
);

const lengths = (longest: number) =>
  fc
    .tuple(fc.constantFrom(longest - 1, longest, longest + 1, 3 * longest), fc.constantFrom('x', 'ü', '\u{1F600}'))
    .map(([length, character]) => character.repeat(length));

/** The number of surrogates, which are no characters; they begin at 0xd800. */
const surrogates = 0x800;
/** A Unicode character. fast-check's unit `binary` first lists all of them, which takes half a second. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ffff - surrogates })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + surrogates));

/** Texts of any script, most of them odd. */
const anyText = weighted(
  [4, fc.constantFrom(...oddTexts)],
  [1, fc.string({ unit: anyCharacter, maxLength: 8 })],
  [1, fc.string({ unit: 'grapheme', maxLength: 8 })],
  [1, fc.string({ maxLength: 12 })],
);

/** False for a text of mixed scripts: the real system rejects such a name if letters look alike. */
export const isOfOneScript = (value: Json): boolean => typeof value !== 'string' || oneScript.test(value);
const oneScript =
  /^(?:[\p{Script=Latin}\p{Script=Common}]*|[\p{Cs}\p{Script=Common}]*|[\p{Script=Greek}\p{Script=Common}]*|[\p{Script=Han}\p{Script=Common}]*)$/u;

/** Values of any JSON type; most are no texts. */
export const anyValue: Arbitrary<Json> = weighted(
  [9, fc.constantFrom<Json>(null, true, false, 0, 1, -1, 2, 10, 1.5, 2 ** 31, 2 ** 53)],
  [3, fc.constantFrom<Json>(...rawNumbers)],
  [6, fc.constantFrom<Json>([], [1], ['a'], [null], [[]], {}, { a: 1 }, { id: 1 }, ['a', 'b'])],
  [9, anyText],
  [3, fc.jsonValue({ maxDepth: 2 }) as Arbitrary<Json>],
  [6, fc.constantFrom<Json>(...loneSurrogates)],
);

const newNames = ['newbie', 'new.bie', 'new+bie@example', 'neü', 'n', 'NEWBIE', 'new_bie-2'];
const oddNames = ['.dot', 'a b', 'a/b', 'a..b', 'dot.', '@', '-', 'a%20b', 'x'.repeat(150), 'x'.repeat(151), 'ÀÉ'];
/** Weblate renames a deleted user to `deleted-` and the user's id. */
const deletedNames = ({ userIds, nextIds }: World) =>
  [...userIds.slice(1, 4), nextIds.users].map((id) => `deleted-${id}`);

/** Names of users that exist, that may come to exist, and that can't. */
export const usernames = (world: World): Arbitrary<string> =>
  weighted(
    [6, fc.constantFrom(...newNames)],
    [3, fc.constantFrom(...world.usernames)],
    [1, fc.constantFrom(...world.usernames).map((name) => name.toUpperCase())],
    [1, fc.constantFrom(...deletedNames(world), 'admins', 'weblate', 'me')],
    [2, fc.constantFrom(...oddNames)],
    [1, fc.constantFrom(...oddTexts)],
    [1, lengths(150)],
  );

const addresses = ['new@example.com', 'other@example.org', 'New.Address+x@Example.COM', 'a@b.co', 'ü@example.com'];
const takenAddresses = ({ emails }: World) => [...emails, ...emails.slice(0, 3).map((email) => email.toUpperCase())];
const oddAddresses = [
  'nobody',
  '@',
  'a@',
  '@b',
  'a@b',
  'a@b.c',
  'a@localhost',
  'a b@example.com',
  'a@example..com',
  'a@-example.com',
  'a@[127.0.0.1]',
  'a@exämple.com',
  'a@xn--exmple-cua.com',
  '"a b"@example.com',
  '.a@example.com',
  'a.@example.com',
  'a..b@example.com',
  'a!b@example.com',
  'a/b@example.com',
  '|a@example.com',
  'a@example.com ',
  ' a@example.com',
  'a@example.com\n',
  'a@example.c0m',
  "o'hara@example.com",
  'a@example.com, b@example.com',
  'A <a@example.com>',
  `${'x'.repeat(64)}@example.com`,
  `${'x'.repeat(65)}@example.com`,
  `x@${'y'.repeat(63)}.com`,
  `x@${'y'.repeat(64)}.com`,
];
const emails = (world: World): Arbitrary<string> =>
  weighted(
    [5, fc.constantFrom(...addresses)],
    [2, fc.constantFrom(...takenAddresses(world))],
    [3, fc.constantFrom(...oddAddresses)],
    [1, anyText],
    [1, fc.emailAddress()],
    [1, fc.constantFrom(189, 190, 191).map((length) => `${'x'.repeat(length - 12)}@example.com`)],
  );

const fullNames: Arbitrary<string> = weighted(
  [5, fc.constantFrom('New Person', 'Zoë', 'O’Hara', "O'Hara", 'A. B. C-D', '漢 字')],
  [2, fc.constantFrom('.', '...', '<', 'a<b', '<b>', '"x"', 'a"b', "'", ';:', 'a@b', 'http://a.b')],
  [2, anyText],
  [1, lengths(150)],
);

const moments: Arbitrary<string | null> = fc.constantFrom(
  null,
  '2030-01-02T03:04:05Z',
  '2030-01-02T03:04:05.678901Z',
  '2030-01-02T03:04:05+02:00',
  '2030-01-02T03:04',
  '2030-01-02 03:04:05',
  '2030-01-02',
  '2020-01-02T03:04:05Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2030-02-30T00:00:00Z',
  '2030-01-02T25:00:00Z',
  '2030-1-2',
  '20300102T030405Z',
  '2030-01-02T03:04:05,5Z',
  '2030-01-02T03:04:05-0330',
  '2030-01-02T03:04:05+25:00',
  '2030-W01-1',
  'tomorrow',
  '1893456000',
  '',
  ' 2030-01-02T03:04:05Z ',
);

const constantsOf = (schema: TSchema): (string | number)[] =>
  ((schema['anyOf'] ?? []) as TSchema[]).flatMap((member) =>
    'const' in member ? [member['const'] as string | number] : [],
  );

function innerOf(schema: TSchema): TSchema {
  const members = ((schema['anyOf'] ?? []) as TSchema[]).filter(({ type }) => type !== 'null');
  return members.length === 1 ? (members[0] as TSchema) : schema;
}

/** The ids and codes that fields of bodies may have, by field. */
export const thingsOf = ({ seed, userIds, groups }: World): Readonly<Record<string, readonly Json[]>> => ({
  role_id: [1, 1, 2, 6, 9, 15, 16, 18],
  language_code: ['cs', 'cs', 'de', 'pt_BR', 'zh_Hans', 'CS', 'ca@valencia'],
  project_id: [...seed.projects.map(({ id }) => id), 999],
  component_id: [...seed.components.map(({ id }) => id), 999],
  component_list_id: [1, 2],
  user_id: [...userIds, 999],
  group_id: groups,
});
const oddThings: readonly Json[] = [0, 99, -1, 2 ** 31, 2 ** 63, 'x', '2', ' 3 ', '٣', '2.0', 2.5, 'cs '];
const oddLinks: readonly Json[] = [
  '{base_url}/api/projects/nope/',
  '{base_url}/api/users/alice/',
  'http://other.example/api/projects/demo/?x=1',
  '/api/projects/',
  'demo',
  '',
  null,
  5,
  [1],
];
const oddWorkspaces: readonly Json[] = [null, null, null, '', 5, 'x', true, '00000000-0000-4000-8000-000000000000'];

/** Values of the field's own type; most are valid. */
export function valuesOf(world: World, name: string, schema: TSchema): Arbitrary<Json> {
  const constants = constantsOf(schema);
  if (constants.length > 0)
    return weighted(
      [8, fc.constantFrom(...constants)],
      [1, fc.constantFrom(...constants.map(String))],
      [1, fc.constantFrom<Json>(...constants.map((value) => `${value} `), 15, 'Nope', -10)],
    );
  if (name === 'username') return usernames(world);
  if (name === 'email') return weighted([12, emails(world)], [1, fc.constant(null)]);
  if (name === 'full_name') return fullNames;
  const things = thingsOf(world)[name];
  if (things !== undefined) return weighted([8, fc.constantFrom(...things)], [1, fc.constantFrom(...oddThings)]);
  if (name === 'defining_project')
    return weighted(
      [6, fc.constantFrom(...world.projects.map((slug) => `{base_url}/api/projects/${slug}/`))],
      [2, fc.constantFrom<Json>(...oddLinks, ...world.projects.map((slug) => `/api/projects/${slug}/`))],
    );
  if (name === 'defining_workspace') return fc.constantFrom<Json>(...oddWorkspaces);
  const { type, format } = innerOf(schema);
  if (format === 'date-time') return moments;
  if (type === 'boolean')
    return weighted(
      [5, fc.boolean()],
      [1, fc.constantFrom<Json>('true', 'false', 'on', 'off', 'yes', 'No', 'nO', '1', '0', 1, 0, 't')],
    );
  return anyText;
}
