// One declared operation as the document has it.
import { STATUS_CODES } from '../base/http-names.ts';
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import type { Access, AnswerSchema, Method, Operation } from '../http/operation.ts';
import type { ErrorName } from '../base/errors.ts';
import { type ErrorCollection, headerReferences } from './error-responses.ts';
import { type JsonSchema, mapValues, type SchemaCollection } from './schemas.ts';

/** What all operations of a document have in common. */
export interface Customs {
  readonly bodyTypes: readonly string[];
  /** Renderings beside JSON. */
  readonly otherRenderings: readonly string[];
  readonly commonParameters: readonly OpenApi.ReferenceObject[];
  readonly commonErrors: readonly ErrorName[];
  readonly bodyErrors: readonly ErrorName[];
  readonly answerHeaders: readonly string[];
  /** Whether a request without a token gets anywhere. */
  readonly isOpen: (method: Method) => boolean;
  readonly securitySchemes: readonly string[];
}

const signedInWithRights: readonly ErrorName[] = ['not_authenticated', 'permission_denied'];
const accessErrors: Readonly<Record<Access, readonly ErrorName[]>> = {
  open: [],
  admin: [],
  any: [],
  'sign in': ['not_authenticated'],
  'read subscriptions': ['permission_denied'],
  'write subscriptions': signedInWithRights,
  'read user': [],
  'create user': signedInWithRights,
  'change user': signedInWithRights,
  'manage user': signedInWithRights,
};

export type OperationObject = ReturnType<typeof describeOperation>;

export function describeOperation(
  { method, url, schema, config }: Operation<never>,
  tag: string,
  schemas: SchemaCollection,
  errorAnswers: ErrorCollection,
  customs: Customs,
) {
  const { id, summary, description, access, body, errors = [], example } = config;
  const query = parametersOf('query', schema.querystring, schemas);
  // The most particular first.
  const names: ErrorName[] = [
    ...errors.filter((error) => typeof error === 'string'),
    ...(query.some(({ name }) => name === 'page') ? (['invalid_page'] as const) : []),
    ...(body === undefined ? [] : customs.bodyErrors),
    ...accessErrors[access],
    ...customs.commonErrors,
  ];
  const lines = errors.filter((error) => typeof error !== 'string');
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: [...parametersOf('path', schema.params, schemas, url), ...query, ...customs.commonParameters],
    ...(body === undefined ? {} : { requestBody: requestBody(body, example, schemas, customs) }),
    responses: {
      // An open operation answers no error of the catalogue: health has words of its own.
      ...(access === 'open' ? {} : errorAnswers.of(names, lines)),
      ...Object.fromEntries(
        Object.entries(schema.response).map(([status, answer]) => [status, answerOf(status, answer, schemas, customs)]),
      ),
    },
    security: [
      ...(customs.isOpen(method) ? [{}] : []),
      ...customs.securitySchemes.map((scheme) => ({ [scheme]: [] as string[] })),
    ],
  } satisfies OpenApi.OperationObject;
}

function parametersOf(
  place: 'path' | 'query',
  schema: TObject | undefined,
  schemas: SchemaCollection,
  url?: string,
): OpenApi.ParameterObject[] {
  const { properties = {}, required = [] } = schema ?? {};
  return Object.entries(properties)
    .filter(([name]) => url === undefined || url.includes(`:${name}`))
    .map(([name, property]) => {
      const { description, ...rest } = schemas.of(property);
      return {
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        ...(typeof description === 'string' ? { description } : {}),
        schema: asNumber(rest),
        ...exampleIn(property),
      };
    });
}

// In a path everything is text; what takes digits alone is a number to clients.
const asNumber = (schema: JsonSchema): JsonSchema =>
  schema['pattern'] === '^[0-9]+$' ? { type: 'integer', minimum: 0 } : schema;

function requestBody(body: TObject, example: unknown, schemas: SchemaCollection, { bodyTypes }: Customs) {
  const media = { schema: schemas.of(body), ...(example === undefined ? {} : { example }) };
  return { required: true, content: Object.fromEntries(bodyTypes.map((type) => [type, media])) };
}

function answerOf(
  status: string,
  answer: AnswerSchema,
  schemas: SchemaCollection,
  { otherRenderings, answerHeaders }: Customs,
): OpenApi.ResponseObject {
  const described = { description: STATUS_CODES[status] ?? status, headers: headerReferences(answerHeaders) };
  if (answer === null) return described;
  const byType =
    'content' in answer
      ? (answer.content as Readonly<Record<string, TSchema>>)
      : { 'application/json': answer, ...Object.fromEntries(otherRenderings.map((type) => [type, text])) };
  return { ...described, content: mapValues(byType, (schema) => mediaOf(schema, schemas)) };
}

const text = Type.String();

const mediaOf = (schema: TSchema, schemas: SchemaCollection): OpenApi.MediaTypeObject => ({
  schema: schemas.of(schema),
  ...exampleIn(schema),
});

const exampleIn = ({ examples }: TSchema) => (examples === undefined ? {} : { example: (examples as unknown[])[0] });
