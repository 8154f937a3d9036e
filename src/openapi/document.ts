// A whole document from declared operations: OpenAPI 3.1, of the same schemas that check the requests.
import type { TSchema } from '@sinclair/typebox';
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import { AnyQuery, type Operation, type Resource } from '../api/operation.ts';
import { catalogue, type ErrorName } from '../errors.ts';
import { version } from '../version.ts';
import { type Customs, describeOperation, type Described, type OperationObject } from './describe-operation.ts';
import { collectErrors, ErrorBody, exampleOf } from './error-responses.ts';
import { collectSchemas } from './schemas.ts';

export interface DocumentOptions {
  readonly title: string;
  readonly description: string;
  readonly resources: readonly Resource<never>[];
  readonly customs: Customs;
  /** The answer to OPTIONS, where the document describes OPTIONS and HEAD too. */
  readonly metadata?: TSchema;
  readonly parameters: Readonly<Record<string, OpenApi.ParameterObject>>;
  readonly headers: Readonly<Record<string, OpenApi.HeaderObject>>;
  readonly securitySchemes: Readonly<Record<string, OpenApi.SecuritySchemeObject>>;
}

export type OpenApiDocument = ReturnType<typeof buildDocument>;

export function buildDocument(options: DocumentOptions) {
  const { title, description, resources, customs, parameters, headers, securitySchemes } = options;
  const schemas = collectSchemas();
  const errors = collectErrors(schemas.of(ErrorBody));
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const { tag, operations } of resources)
    for (const operation of operations.flatMap(withHead).concat(optionsOf(operations))) {
      const path = operation.url.replaceAll(/:(\w+)/g, '{$1}');
      const described = describeOperation(operation, tag, schemas, errors, customs);
      paths[path] = { ...paths[path], [operation.method.toLowerCase()]: described };
    }
  const names = namesIn([...Object.values(paths), errors.components]);
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: resources.map((resource) => ({ name: resource.tag, description: resource.description })),
    paths,
    components: {
      schemas: schemas.components,
      examples: Object.fromEntries(names.map((name) => [name, exampleOf(name)])),
      parameters,
      headers,
      responses: errors.components,
      securitySchemes,
    },
  } satisfies OpenApi.Document;

  function withHead(operation: Described): Described[] {
    if (options.metadata === undefined || operation.method !== 'GET') return [operation];
    const { id, summary, ...config } = operation.config;
    return [
      operation,
      {
        ...operation,
        method: 'HEAD',
        config: { ...config, id: `${id}_head`, summary: `${summary}: the headers alone` },
      },
    ];
  }

  // Each path's OPTIONS, named by the path's first operation.
  function optionsOf(operations: readonly Operation<never>[]): Described[] {
    const { metadata } = options;
    if (metadata === undefined) return [];
    return [...Map.groupBy(operations, ({ url }) => url)].flatMap(([url, [first]]) =>
      first === undefined
        ? []
        : [
            {
              method: 'OPTIONS',
              url,
              schema: { ...first.schema, querystring: AnyQuery, response: { 200: metadata } },
              config: { id: `${first.config.id}_options`, summary: 'Describe the path', access: 'any' },
            },
          ],
    );
  }
}

// The errors that are referred to, in the catalogue's order.
function namesIn(parts: readonly object[]): ErrorName[] {
  const text = JSON.stringify(parts);
  return (Object.keys(catalogue) as ErrorName[]).filter((name) => text.includes(`"#/components/examples/${name}"`));
}

/** The document as it is served under `base`: what stands before every path, empty or `/sandboxes/ci`. */
export const servedUnder = (document: OpenApiDocument, base: string): OpenApiDocument => ({
  ...document,
  servers: [{ url: base === '' ? '/' : base }],
});
