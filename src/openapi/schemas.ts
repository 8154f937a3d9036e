// TypeBox schemas to the document's: a schema with an $id becomes a component, choices become an enum, rules of texts
// their patterns.
import type { TSchema } from '@sinclair/typebox';
import { optionsChildren } from '../http/options.ts';
import { textRules, type TextRule } from '../http/body/read-value.ts';

export type JsonSchema = Record<string, unknown>;

export type SchemaCollection = ReturnType<typeof collectSchemas>;

export function collectSchemas() {
  const components: Record<string, JsonSchema> = {};

  function convert(schema: JsonSchema): JsonSchema {
    const { $id, $ref, ...rest } = schema;
    if (typeof $ref === 'string') return { $ref: `#/components/schemas/${$ref}` };
    if (typeof $id !== 'string') return convertKeywords(rest);
    // Set first: a component may refer to itself.
    if (!Object.hasOwn(components, $id)) {
      components[$id] = {};
      components[$id] = convertKeywords(rest);
    }
    return { $ref: `#/components/schemas/${$id}` };
  }

  /** What becomes of a keyword; the others stay. */
  const keywords: Readonly<Record<string, (value: never) => JsonSchema>> = {
    anyOf: convertUnion,
    properties: (properties: Record<string, JsonSchema>) => ({ properties: mapValues(properties, convert) }),
    // A record of any name is `additionalProperties` to generators of clients, which know it better.
    patternProperties: ({ '^(.*)$': ofAnyName, ...ofSomeNames }: Record<string, JsonSchema>) =>
      ofAnyName ? { additionalProperties: convert(ofAnyName) } : { patternProperties: mapValues(ofSomeNames, convert) },
    items: (items: JsonSchema) => ({ items: convert(items) }),
    [textRules]: (rules: readonly TextRule[]) => ({ allOf: rules.map(patternOf) }),
    // Only OPTIONS uses it.
    [optionsChildren]: () => ({}),
    // Media types show them.
    examples: () => ({}),
  };

  const convertKeywords = (schema: JsonSchema): JsonSchema =>
    Object.assign(
      {},
      ...Object.entries(schema).map(([key, value]) => keywords[key]?.(value as never) ?? { [key]: value }),
    );

  function convertUnion(members: readonly JsonSchema[]): JsonSchema {
    if (!members.every((member) => 'const' in member)) return { anyOf: members.map(convert) };
    const types = [...new Set(members.map(({ type }) => (type === 'number' ? 'integer' : type)))];
    return { type: types.length === 1 ? types[0] : types, enum: members.map((member) => member['const']) };
  }

  return {
    /** The schema for the document: itself, or a reference to the component of its $id. */
    of: (schema: TSchema): JsonSchema =>
      // By way of JSON: TypeBox keeps symbols and functions in its schemas.
      convert(JSON.parse(JSON.stringify(schema)) as JsonSchema),
    components,
  };
}

const patternOf = ({ pattern, detail }: TextRule): JsonSchema => ({
  ...(pattern !== undefined && { pattern }),
  description: detail,
});

export const mapValues = <A, B>(values: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
