// The errors that an operation may return, as the document shows them: one for each status.
import { Type } from '@sinclair/typebox';
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import { type ApiError, apiError, catalogue, type ErrorLine, type ErrorName, validationError } from '../base/errors.ts';
import { STATUS_CODES } from '../base/http-names.ts';
import { nullable } from '../http/operation.ts';
import type { SchemaCollection } from './schemas.ts';

type Reference = OpenApi.ReferenceObject;
type Response = OpenApi.ResponseObject;

const ErrorBody = Type.Object(
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

const headersOf: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  503: ['Retry-After'],
};

export function collectErrors(schemas: SchemaCollection) {
  const schema = schemas.of(ErrorBody);
  /** Responses that operations refer to, each by the name of its error. */
  const components: Record<string, Response> = {};

  const describe = (status: number, error: ApiError): Response => ({
    description: STATUS_CODES[status] ?? String(status),
    ...(headersOf[status] && { headers: headerReferences(headersOf[status]) }),
    content: { 'application/json': { schema, example: error.toJSON() } },
  });

  /**
   * Error answers by status, one for each: its example is the first of the names that has the status.
   * @param faults examples of what may be wrong with a body
   */
  function of(names: readonly ErrorName[], faults: readonly ErrorLine[]): Record<string, Response | Reference> {
    const answers: Record<number, Response | Reference> = {};
    if (faults.length > 0) answers[400] = describe(400, validationError(faults));
    for (const name of names) {
      const { status } = catalogue[name];
      if (answers[status] !== undefined) continue;
      components[name] ??= describe(status, apiError(name, '…'));
      answers[status] = { $ref: `#/components/responses/${name}` };
    }
    return answers;
  }

  return { components, of };
}

export const headerReferences = (names: readonly string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
