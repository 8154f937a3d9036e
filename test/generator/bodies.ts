// An operation's bodies: with right, wrong, missing and extra fields, as JSON, form, multipart and raw text.
import type { TObject, TSchema } from '@sinclair/typebox';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { isMembers, type Json } from '../transcripts/engine/raw-json.ts';
import type { TranscriptRequest } from '../transcripts/engine/transcript.ts';
import { profiles } from './profiles.ts';
import { anyValue, isOfOneScript, valuesOf } from './values.ts';
import { weighted } from './weighted.ts';
import type { World } from './world.ts';

export type Body = Pick<TranscriptRequest, 'headers' | 'json' | 'form' | 'multipart' | 'raw'>;

export type Fields = Record<string, Json>;

const extraFields = ['id', 'user', 'project', 'component', 'groups', 'url', 'password', 'date_joined', 'nope', ''];
const extras = (world: World): Arbitrary<Fields> =>
  fc.oneof(
    fc.dictionary(fc.constantFrom(...extraFields), anyValue, { maxKeys: 2 }),
    // A user's profile, which PUT and PATCH accept beside the schema's fields.
    profiles(world).map((profile) => ({ profile })),
  );
const noExtras = fc.constant<Fields>({});

/** Leaves out one in `missing` of the properties that the schema requires, and half of the others. */
export function recordOf(
  { properties, required = [] }: Pick<TObject, 'properties' | 'required'>,
  valueOf: (name: string, property: TSchema) => Arbitrary<Json>,
  missing?: number,
): Arbitrary<Fields> {
  const pairs = Object.entries(properties).map(([name, property]) => {
    const value = valueOf(name, property);
    const freq = required.includes(name) ? missing : 2;
    return [name, freq === undefined ? value : fc.option(value, { nil: undefined, freq })] as const;
  });
  return fc.record<Record<string, Json | undefined>>(Object.fromEntries(pairs)).map(withoutUndefined);
}

function fieldsOf(world: World, schema: TObject): Arbitrary<Fields> {
  const fields = (wrong: number, missing: number) =>
    recordOf(
      schema,
      (name, property) => {
        const value = weighted([20 - wrong, valuesOf(world, name, property)], [wrong, anyValue]);
        return name === 'username' || name === 'full_name' ? value.filter(isOfOneScript) : value;
      },
      missing,
    );
  return fc
    .tuple(
      weighted([6, fields(0, 40)], [2, fields(3, 8)], [1, fields(12, 3)]),
      weighted([6, noExtras], [1, extras(world)]),
    )
    .map(([given, more]) => ({ ...given, ...more }));
}

const withoutUndefined = (fields: Readonly<Record<string, Json | undefined>>): Fields =>
  Object.fromEntries(Object.entries(fields).filter((pair): pair is [string, Json] => pair[1] !== undefined));

/** The text of a value in a form or a query. */
export const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
// toWellFormed replaces lone surrogates, which a form can't encode.
const asForm = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      name === 'profile' && isMembers(value)
        ? Object.entries(value).map(([key, inner]) => [`profile.${key}`, asText(inner).toWellFormed()])
        : [[name, asText(value).toWellFormed()]],
    ),
  );
const jsonTypes = ['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;x=1'];
const oddTypes = ['', 'text/plain', 'application/xml', 'json', 'application/vnd.api+json', 'text/csv', '*/*', ';'];
const formType = 'application/x-www-form-urlencoded';
const boundary = 'multipart/form-data; boundary=b';

/** Invalid JSON, JSON other than an object, and a key given twice. */
const oddJson = [
  '',
  ' ',
  'null',
  'true',
  '[]',
  '[{}]',
  '1',
  '"x"',
  '{',
  '{"a":1,}',
  '{"a" 1}',
  "{'a':1}",
  '{"a":01}',
  '{"a":tru}',
  '{"a":"b',
  '{"a":"\n"}',
  '{"a":"\\x"}',
  '{"a":1} x',
  '\uFEFF{}',
  'NaN',
  '{"scope":NaN}',
  '{"scope":10,"scope":20}',
  '[1,2',
];
const oddForms = ['', 'scope', '&&', '=', 'a=%ZZ', 'a=%FF', 'scope=10&scope=20', 'a=b;c=d', 'a[]=1&a[]=2', '+=+'];
const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const oddMultiparts = [
  '',
  'no parts',
  '--b--\r\n',
  part('scope', '10'),
  `${part('scope', '10')}--b`,
  `${part('scope', '10')}${part('scope', '20')}--b--\r\n`,
  '--b\r\n\r\nx\r\n--b--\r\n',
  '--b\r\nContent-Disposition: form-data; name="scope"; filename="a.txt"\r\n\r\n10\r\n--b--\r\n',
];

export const sent = (type: string, raw: string): Body => ({ headers: { 'Content-Type': type }, raw });

/** Bodies as raw text. Most have a Content-Type, which may not fit the text. */
export const rawBodies = (fields: Arbitrary<Fields>): Arbitrary<Body> =>
  weighted(
    [3, fc.constantFrom(...oddJson).map((raw) => sent('application/json', raw))],
    [2, fc.tuple(fc.constantFrom(...jsonTypes), fields).map(([type, json]) => sent(type, JSON.stringify(json)))],
    [2, fc.tuple(fc.constantFrom(...oddTypes), fields).map(([type, json]) => sent(type, JSON.stringify(json)))],
    [1, fields.map((json) => ({ raw: JSON.stringify(json) }))],
    [1, fc.constantFrom(...oddForms).map((raw) => sent(formType, raw))],
    [1, fc.constantFrom(...oddMultiparts).map((raw) => sent(boundary, raw))],
    [
      1,
      fc
        .constantFrom('multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=c')
        .map((type) => sent(type, `${part('scope', '10')}--b--\r\n`)),
    ],
  );

export const noBody: Arbitrary<Body> = fc.constant({});

export function bodiesOf(world: World, schema: TObject): Arbitrary<Body> {
  const fields = fieldsOf(world, schema);
  return weighted(
    [10, fields.map((json) => ({ json }))],
    [3, fields.map((form) => ({ form: asForm(form) }))],
    [2, fields.map((form) => ({ multipart: asForm(form) }))],
    [2, rawBodies(fields)],
    [1, noBody],
  );
}
