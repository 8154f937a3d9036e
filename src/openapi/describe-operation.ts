// One operation of a table of routes as the document has it.
import { STATUS_CODES } from 'node:http';
import type { TObject, TSchema } from '@sinclair/typebox';
import type { ErrorName } from '../errors.ts';
import type { Operation } from '../api/operation.ts';
import { type ErrorCollection, headerReferences } from './error-responses.ts';
import type { SchemaCollection } from './schemas.ts';
import type { JsonSchema, MediaType, OperationObject, Parameter, Reference, Response } from './types.ts';

/** A line of a table with what is said of it. */
export interface Documented {
  readonly method: string;
  /** As the router has it: `/api/users/:username/`. */
  readonly path: string;
  readonly params?: TSchema | undefined;
  readonly querystring?: TSchema | undefined;
  readonly tag: string;
  readonly operation: Operation;
  readonly bodyExample?: unknown;
}

/** What all operations of a document have in common. */
export interface Customs {
  readonly bodyTypes: readonly string[];
  /** Renderings beside JSON. */
  readonly otherAnswers: readonly string[];
  readonly commonParameters: readonly Reference[];
  readonly commonErrors: readonly ErrorName[];
  readonly writeErrors: readonly ErrorName[];
  readonly bodyErrors: readonly ErrorName[];
  readonly answerHeaders: readonly string[];
  /** Whether a request without a token gets anywhere. */
  readonly isOpen: (method: string) => boolean;
  readonly securitySchemes: readonly string[];
}

export const documentPath = (pattern: string): string => pattern.replaceAll(/:(\w+)/g, '{$1}');

const isWrite = (method: string) => !['GET', 'HEAD', 'OPTIONS'].includes(method);

export function describeOperation(
  { method, path, params, querystring, tag, operation, bodyExample }: Documented,
  schemas: SchemaCollection,
  errorAnswers: ErrorCollection,
  customs: Customs,
): OperationObject {
  const { id, summary, description, body, errors = [], faults = [] } = operation;
  const query = parametersOf('query', querystring, schemas);
  const names: ErrorName[] = [
    ...customs.commonErrors,
    ...(isWrite(method) ? customs.writeErrors : []),
    ...(body === undefined ? [] : customs.bodyErrors),
    ...(query.some(({ name }) => name === 'page') ? (['invalid_page'] as const) : []),
    ...errors,
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: [...parametersOf('path', params, schemas, path), ...query, ...customs.commonParameters],
    ...(body === undefined ? {} : { requestBody: requestBody(body, bodyExample, schemas, customs) }),
    responses: {
      ...(operation.isRefused === true
        ? {}
        : { [operation.status ?? 200]: successOf(operation, method, schemas, customs) }),
      ...otherAnswersOf(operation, schemas),
      ...(operation.isPlain === true ? {} : errorAnswers.of(names, faults)),
    },
    security: [
      ...(customs.isOpen(method) ? [{}] : []),
      ...customs.securitySchemes.map((scheme) => ({ [scheme]: [] as string[] })),
    ],
  };
}

function parametersOf(
  place: 'path' | 'query',
  schema: TSchema | undefined,
  schemas: SchemaCollection,
  path?: string,
): Parameter[] {
  if (schema === undefined) return [];
  const { properties, required = [] } = schema as TObject;
  return Object.entries(properties)
    .filter(([name]) => path === undefined || path.includes(`:${name}`))
    .map(([name, property]) => {
      const { description, ...rest } = schemas.of(property);
      return {
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        ...(typeof description === 'string' ? { description } : {}),
        schema: asNumber(rest),
      };
    });
}

// In a path everything is text; what takes digits alone is a number to clients.
const asNumber = (schema: JsonSchema): JsonSchema =>
  schema['pattern'] === '^[0-9]+$' ? { type: 'integer', minimum: 0 } : schema;

function requestBody(body: TObject, example: unknown, schemas: SchemaCollection, { bodyTypes }: Customs) {
  const media: MediaType = { schema: schemas.of(body), ...(example === undefined ? {} : { example }) };
  return { required: true, content: Object.fromEntries(bodyTypes.map((type) => [type, media])) };
}

function successOf(
  { status = 200, answer, example, alsoAs = [], headers = [] }: Operation,
  method: string,
  schemas: SchemaCollection,
  { otherAnswers, answerHeaders }: Customs,
): Response {
  const described = {
    description: STATUS_CODES[status] ?? String(status),
    headers: headerReferences([...answerHeaders, ...headers]),
  };
  if (method === 'HEAD' || (answer === null && alsoAs.length === 0)) return described;
  const json = answer === null ? {} : { 'application/json': jsonOf(answer, example, schemas) };
  const others = [...otherAnswers, ...alsoAs].map((type) => [type, { schema: { type: 'string' } }] as const);
  return { ...described, content: { ...json, ...Object.fromEntries(others) } };
}

const otherAnswersOf = ({ others = {} }: Operation, schemas: SchemaCollection): Record<string, Response> =>
  Object.fromEntries(
    Object.entries(others).map(([status, answer]) => [
      status,
      {
        description: STATUS_CODES[status] ?? status,
        content: { 'application/json': jsonOf(answer, undefined, schemas) },
      },
    ]),
  );

const jsonOf = (answer: TSchema, example: unknown, schemas: SchemaCollection): MediaType => ({
  schema: schemas.of(answer),
  ...(example === undefined ? {} : { example }),
});
