// The errors that an operation may return, as the document shows them: one for each status.
import { STATUS_CODES } from '../base/http-names.ts';
import { Type } from '@sinclair/typebox';
import { type ApiError, apiError, catalogue, type ErrorLine, type ErrorName, validationError } from '../base/errors.ts';
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import { nullable } from '../http/operation.ts';
import type { JsonSchema } from './schemas.ts';

type Reference = OpenApi.ReferenceObject;
type Response = OpenApi.ResponseObject;

/** The body of every error. */
export const ErrorBody = Type.Object(
  {
    type: Type.Union([Type.Literal('client_error'), Type.Literal('validation_error'), Type.Literal('server_error')]),
    errors: Type.Array(
      Type.Object({
        code: Type.String(),
        detail: Type.String({ description: 'For people.' }),
        attr: nullable(Type.String(), { description: 'The field that is to blame.' }),
      }),
      { minItems: 1 },
    ),
  },
  { $id: 'Error' },
);

/** Any request may get these. */
export const commonErrors: readonly ErrorName[] = [
  'invalid_host',
  'invalid_token',
  'not_found',
  'not_acceptable',
  'throttled',
  'server_error',
  'service_unavailable',
];

const headersOf: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  503: ['Retry-After'],
};

export interface ErrorCollection {
  /**
   * Error answers by status, one for each: its example is the first of the names that has the status.
   * @param faults examples of what may be wrong with a body
   */
  of(names: readonly ErrorName[], faults: readonly ErrorLine[]): Record<string, Response | Reference>;
  /** Responses that operations refer to, each by the name of its error. */
  readonly components: Record<string, Response>;
}

/** @param schema the document's schema of an error */
export function collectErrors(schema: JsonSchema): ErrorCollection {
  const components: Record<string, Response> = {};

  function shared(name: ErrorName): Reference {
    components[name] ??= errorResponse(catalogue[name].status, apiError(name, '…'), schema);
    return { $ref: `#/components/responses/${name}` };
  }

  return {
    components,
    of(names, faults) {
      const answers: Record<number, Response | Reference> = {};
      if (faults.length > 0) answers[400] = errorResponse(400, validationError(faults), schema);
      for (const name of names) answers[catalogue[name].status] ??= shared(name);
      return answers;
    },
  };
}

function errorResponse(status: number, error: ApiError, schema: JsonSchema): Response {
  const headers = headersOf[status];
  return {
    description: STATUS_CODES[status] ?? String(status),
    ...(headers === undefined ? {} : { headers: headerReferences(headers) }),
    content: { 'application/json': { schema, example: error.toJSON() } },
  };
}

export const headerReferences = (names: readonly string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
