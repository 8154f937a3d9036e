// What a request says besides its path and body: the caller, the format, and the query.
import type { TObject, TSchema } from '@sinclair/typebox';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { usernames } from './values.ts';
import { weighted } from './weighted.ts';
import type { World } from './world.ts';

interface Caller {
  readonly as?: string;
  readonly headers?: { readonly Authorization: string };
}

const nobody: Caller = {};
const authorization = (value: string): Caller => ({ headers: { Authorization: value } });
const oddAuthorizations = ({ superuser, callers }: World) => {
  const [one = superuser, other = one] = callers.filter((name) => name !== superuser);
  return [
    '',
    'Token',
    'Token ',
    'Token a b',
    'Token wlu_unknown',
    `Token {token:${one}}x`,
    `token {token:${one}}`,
    `TOKEN {token:${other}}`,
    `Bearer {token:${one}}`,
    `bearer {token:${superuser}}`,
    `Token  {token:${one}}`,
    `Token {token:${one}} `,
    'Basic YWxpY2U6eA==',
    'Negotiate',
    `{token:${one}}`,
    `Token "{token:${one}}"`,
    'Token=x',
  ].map(authorization);
};

/** @param self the user in the path, if it has a token */
export const callersOf = (world: World, self: string | undefined): Arbitrary<Caller> =>
  weighted(
    [6, fc.constant<Caller>({ as: world.superuser })],
    [6, fc.constantFrom(...(self === undefined ? world.callers : [self])).map((as) => ({ as }))],
    [5, fc.constantFrom(...world.callers).map((as) => ({ as }))],
    [2, fc.constant(nobody)],
    [1, fc.constantFrom(...oddAuthorizations(world))],
  );

const mediaTypes = ['application/json', 'text/html', 'text/csv', '*/*', 'application/*', 'text/*'];
const oddMediaTypes = [
  'application/xml',
  'text/plain',
  'application/xhtml+xml',
  'json',
  '/',
  '',
  '*',
  'a/b/c',
  '*/json',
];
const parameters = [
  'q=0.5',
  'q=0',
  'q=1.0',
  'q=x',
  'indent=4',
  'indent=0',
  'indent=99',
  'charset=utf-8',
  'version=1',
  'x',
];
const mediaRange = fc
  .tuple(
    weighted(
      [5, fc.constantFrom(...mediaTypes)],
      [1, fc.constantFrom(...oddMediaTypes)],
      [1, fc.constantFrom(...mediaTypes).map((type) => type.toUpperCase())],
    ),
    fc.array(fc.constantFrom(...parameters), { maxLength: 2 }),
    fc.constantFrom(';', '; ', ' ; '),
  )
  .map(([type, given, separator]) => [type, ...given].join(separator));

export const accepts: Arbitrary<string> = fc
  .tuple(fc.array(mediaRange, { minLength: 1, maxLength: 4 }), fc.constantFrom(',', ', ', ' ,'))
  .map(([ranges, separator]) => ranges.join(separator));

type Pair = string;

export const formats: Arbitrary<Pair> = weighted(
  [4, fc.constantFrom('format=json', 'format=csv', 'format=api')],
  [1, fc.constantFrom('format=', 'format=xml', 'format=JSON', 'format=html')],
);

const pages = [
  '1',
  '2',
  '3',
  'last',
  '0',
  '-1',
  'x',
  '',
  '01',
  '1.0',
  '%201',
  '99999999999999999999',
  '%D9%A1',
  'LAST',
];
const sizes = ['1', '2', '3', '5', '50', '1000', '1001', '0', '-1', 'x', '', '2.5', '%202', '+2', '%D9%A2'];
const ids = ({ userIds: [, one = 1, other = one] }: World) => [
  ...[one, other, `-${one}`, `${one}.0`, `${one}.5`, `0${one}`].map(String),
  '0',
  'x',
  '',
  '99',
  '1e1',
  '2147483648',
  '99999999999999999999',
  '%D9%A6',
];
const booleans = ['true', 'false', 'True', '1', '0', '', 'x', 'yes', 'on', 'unknown', 'null'];
const emails = ({ emails: taken }: World) => [
  ...taken.slice(0, 4),
  ...taken.slice(0, 2).map((email) => email.toUpperCase()),
  'nobody@example.com',
  'x',
  '',
  '@',
  'bob@',
  ' ',
];
const oddKeys = [
  'nope=1',
  'page',
  '&',
  '=',
  'a=%ZZ',
  'a=%FF',
  'ordering=-id',
  'search=al',
  'a[]=1',
  '%70age=2',
  'x=a+b%20c',
];

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

export function queryValuesOf(world: World, key: string): Arbitrary<string> {
  if (key === 'page') return fc.constantFrom(...pages);
  if (key === 'page_size') return fc.constantFrom(...sizes);
  if (key === 'id') return fc.constantFrom(...ids(world));
  if (key === 'email') return fc.constantFrom(...emails(world)).map(encode);
  if (key.startsWith('is_')) return fc.constantFrom(...booleans);
  return fc.oneof(fc.constantFrom('al', 'a', 'ALI', 'j%C3%BC', 'de', '%00', ''), usernames(world).map(encode));
}

/** Pairs of a query: those that the operation declares, and odd ones. */
export function queriesOf(
  schema: TObject | undefined,
  valueOf: (key: string, property: TSchema) => Arbitrary<string>,
): Arbitrary<readonly Pair[]> {
  const declared = Object.entries(schema?.properties ?? {}).map(([key, property]) =>
    valueOf(key, property).map((value) => `${key}=${value}`),
  );
  const odd = fc.constantFrom(...oddKeys);
  const none = fc.constant<readonly Pair[]>([]);
  if (declared.length === 0) return weighted([8, none], [1, odd.map((pair) => [pair])]);
  const pair = weighted([8, fc.oneof(...declared)], [1, odd]);
  return weighted([2, none], [3, fc.array(pair, { minLength: 1, maxLength: 3 })]);
}
