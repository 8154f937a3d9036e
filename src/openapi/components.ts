// Collects the components that a document's operations refer to: TypeBox schemas with an $id, and errors.
import { type TSchema, Type } from '@sinclair/typebox';
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import { type ApiError, apiError, catalogue, type ErrorLine, type ErrorName, validationError } from '../base/errors.ts';
import { STATUS_CODES } from '../base/http-names.ts';
import { textRules, type TextRule } from '../http/body/read-value.ts';
import { nullable } from '../http/operation.ts';
import { optionsOnly } from '../http/options.ts';

type Reference = OpenApi.ReferenceObject;
type Response = OpenApi.ResponseObject;
export type JsonSchema = Record<string, unknown>;

const ErrorBody = Type.Object(
  {
    type: Type.Union(['client_error', 'validation_error', 'server_error'].map((name) => Type.Literal(name))),
    errors: Type.Array(
      Type.Object({
        code: Type.String(),
        detail: Type.String({ description: 'A text for people.' }),
        attr: nullable(Type.String(), { description: 'The field with the fault.' }),
      }),
      { minItems: 1 },
    ),
  },
  { $id: 'Error' },
);

const headersOf: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  503: ['Retry-After'],
};

export function collectComponents() {
  const schemas: Record<string, JsonSchema> = {};
  const responses: Record<string, Response> = {};

  function convert(schema: JsonSchema): JsonSchema {
    const { $id, $ref, ...rest } = schema;
    if (typeof $ref === 'string') return { $ref: `#/components/schemas/${$ref}` };
    if (typeof $id !== 'string') return convertKeywords(rest);
    // Set first, so that a component stands before its parts.
    if (!Object.hasOwn(schemas, $id)) {
      schemas[$id] = {};
      schemas[$id] = convertKeywords(rest);
    }
    return { $ref: `#/components/schemas/${$id}` };
  }

  /** What these keywords become. All others stay as they are. */
  const keywords: Readonly<Record<string, (value: never) => JsonSchema>> = {
    anyOf: convertUnion,
    properties: (properties: Record<string, JsonSchema>) => ({ properties: mapValues(properties, convert) }),
    // Client generators know `additionalProperties` better than a pattern for any name.
    patternProperties: ({ '^(.*)$': ofAnyName, ...ofSomeNames }: Record<string, JsonSchema>) =>
      ofAnyName ? { additionalProperties: convert(ofAnyName) } : { patternProperties: mapValues(ofSomeNames, convert) },
    items: (items: JsonSchema) => ({ items: convert(items) }),
    [textRules]: (rules: readonly TextRule[]) => ({ allOf: rules.map(patternOf) }),
    [optionsOnly]: () => ({}),
    // Media types show examples instead.
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

  /** The schema in the document's form, or a reference if the schema has an $id. */
  const schemaOf = (schema: TSchema): JsonSchema =>
    // JSON drops the symbols and functions in schemas.
    convert(JSON.parse(JSON.stringify(schema)) as JsonSchema);
  const errorSchema = schemaOf(ErrorBody);

  const describe = (status: number, error: ApiError): Response => ({
    description: STATUS_CODES[status] ?? String(status),
    ...(headersOf[status] && { headers: headerReferences(headersOf[status]) }),
    content: { 'application/json': { schema: errorSchema, example: error.toJSON() } },
  });

  /** One answer for each status: all `faults` for 400, and otherwise the first of `names` with the status. */
  function errorsOf(names: readonly ErrorName[], faults: readonly ErrorLine[]) {
    const answers: Record<string, Response | Reference> = {};
    if (faults.length > 0) answers[400] = describe(400, validationError(faults));
    for (const name of names) {
      const { status } = catalogue[name];
      if (answers[status] !== undefined) continue;
      responses[name] ??= describe(status, apiError(name, '…'));
      answers[status] = { $ref: `#/components/responses/${name}` };
    }
    return answers;
  }

  return { schemas, responses, schemaOf, errorsOf };
}

const patternOf = ({ detail, ...pattern }: TextRule): JsonSchema => ({ ...pattern, description: detail });

export const mapValues = <A, B>(values: Readonly<Record<string, A>>, map: (value: A) => B) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));

export const headerReferences = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
