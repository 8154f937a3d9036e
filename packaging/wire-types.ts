// Makes the package's declarations of src/package/client/wire-types.ts. They are written out from the schemas, because the package
// doesn't contain the library of the schemas.
import type { TSchema } from '@sinclair/typebox';
import {
  NewSandbox,
  SandboxDetail,
  SandboxEntry,
  SeedSummary,
  SnapshotEntry,
  TokenEntry,
  UserToken,
} from '../src/sandboxes/sandbox-schemas.ts';
import { Seed } from '../src/sandboxes/sandbox-requests.ts';
import { FaultInForce, FaultRules } from '../src/traffic/fault-rules.ts';
import { JournalEntry } from '../src/traffic/entry.ts';
import { RequestsExpected, RequestsFind, RequestsFound } from '../src/traffic/journal/journal-schemas.ts';
import { ExchangeMatch, RequestMatch } from '../src/traffic/request-match.ts';

const NearMiss = RequestsFound.properties.near_misses.items;
const { users, groups, projects, components, subscriptions } = Seed.properties;

/** The schemas, under the type names that the package exports; a type comes after the types that it uses. */
const types: Readonly<Record<string, TSchema>> = {
  SandboxDescription: SandboxEntry,
  SandboxUser: SandboxDetail.properties.users.items,
  UserWithToken: UserToken,
  TokenEntry,
  Snapshot: SnapshotEntry,
  SandboxWithUsers: SandboxDetail,
  CreatedSandbox: NewSandbox,
  SeedOwnSubscription: users.items.properties.subscriptions.items,
  SeedUser: users.items,
  SeedGroup: groups.items,
  SeedProject: projects.items,
  SeedComponent: components.items,
  SeedSubscription: subscriptions.items,
  Seed,
  SeedChanges: SeedSummary,
  RequestMatch,
  FaultRule: FaultRules.properties.rules.items,
  FaultInForce,
  JournalEntry,
  ExchangeMatch,
  RequestTimes: RequestsFind.properties.times,
  RequestDifference: NearMiss.properties.differs.items,
  NearMiss,
  RequestsFound,
  RequestsExpected,
};
const names = Object.keys(types);

export const wireTypes = (): string => names.map((name) => declare(name, types[name] as TSchema)).join('\n');

function declare(name: string, schema: TSchema): string {
  const comment = commentOf(schema, '');
  const own = membersOf(schema);
  if (own.size === 0) return `${comment}export type ${name} = ${typeOf(schema, false)};\n`;
  const { base, rest } = findBase(name, own);
  const lines = [...rest].map(([, line]) => line);
  return `${comment}export interface ${name} ${base}{\n${lines.join('')}}\n`;
}

// Finds the earlier type that shares the most properties with `own`, if it has fewer other properties than
// shared ones. `rest` has the properties of `own` that aren't shared.
function findBase(name: string, own: ReadonlyMap<string, string>) {
  const all = { base: '', rest: [...own] };
  return names.slice(0, names.indexOf(name)).reduce((best, earlier) => {
    const theirs = membersOf(types[earlier] as TSchema);
    const rest = [...own].filter(([key, line]) => theirs.get(key) !== line);
    const omitted = [...theirs].flatMap(([key, line]) => (own.get(key) === line ? [] : [`'${key}'`]));
    if (rest.length >= best.rest.length || omitted.length >= own.size - rest.length) return best;
    const base = omitted.length === 0 ? earlier : `Omit<${earlier}, ${omitted.join(' | ')}>`;
    return { base: `extends ${base} `, rest };
  }, all);
}

/** Returns the properties' lines, with a comment unless the type has a name: `declare` comments that type. */
const membersOf = (schema: TSchema): ReadonlyMap<string, string> =>
  new Map(
    propertiesOf(schema).map(([key, value]) => [
      key,
      `${nameOf(value) === undefined ? commentOf(value, '  ') : ''}  ${member(schema, key, value)};\n`,
    ]),
  );

const propertiesOf = (schema: TSchema): [string, TSchema][] => Object.entries((schema['properties'] ?? {}) as object);

const member = (schema: TSchema, key: string, value: TSchema): string =>
  `readonly ${key}${(schema['required'] as string[] | undefined)?.includes(key) ? '' : '?'}: ${typeOf(value)}`;

// A schema that was made optional is another object with the same $id.
const nameOf = (schema: TSchema): string | undefined =>
  names.find((name) => types[name] === schema || (schema.$id !== undefined && types[name]?.$id === schema.$id));

function typeOf(schema: TSchema, isNamed = true): string {
  const known = isNamed ? nameOf(schema) : undefined;
  if (known !== undefined) return known;
  const { anyOf, items, patternProperties } = schema as {
    anyOf?: TSchema[];
    items?: TSchema;
    patternProperties?: object;
  };
  if ('const' in schema) return typeof schema['const'] === 'string' ? `'${schema['const']}'` : String(schema['const']);
  if (anyOf !== undefined) return anyOf.map((one) => typeOf(one)).join(' | ');
  if (items !== undefined) return `readonly ${parenthesize(typeOf(items))}[]`;
  if (patternProperties !== undefined)
    return `Readonly<Record<string, ${typeOf(Object.values(patternProperties)[0] as TSchema)}>>`;
  if (schema['type'] === 'object')
    return `{ ${propertiesOf(schema)
      .map(([key, value]) => member(schema, key, value))
      .join('; ')} }`;
  return schema['type'] === 'integer' ? 'number' : ((schema['type'] as string | undefined) ?? 'unknown');
}

const parenthesize = (type: string): string => (type.includes(' | ') && !type.startsWith('{') ? `(${type})` : type);

function commentOf({ description }: TSchema, indent: string): string {
  if (description === undefined) return '';
  const one = `${indent}/** ${description} */\n`;
  if (one.length <= 120) return one;
  const lines = description.match(/.{1,110}(?:\s|$)/g) ?? [];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line.trim()}`), `${indent} */`, ''].join('\n');
}
