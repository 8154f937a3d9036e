// A whole document from declared operations: OpenAPI 3.1, of the same schemas that check the requests.
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import { version } from '../base/version.ts';
import type { Resource } from '../http/operation.ts';
import { type Customs, createDescriber, type OperationObject } from './describe-operation.ts';
import { collectErrors } from './error-responses.ts';
import { collectSchemas } from './schemas.ts';

interface DocumentOptions extends Customs {
  readonly title: string;
  readonly description: string;
  readonly resources: readonly Resource<never>[];
  readonly headers: Readonly<Record<string, OpenApi.HeaderObject>>;
}

export type OpenApiDocument = ReturnType<typeof buildDocument>;

export function buildDocument(options: DocumentOptions) {
  const { title, description, resources, parameters, headers, securitySchemes } = options;
  const schemas = collectSchemas();
  const errors = collectErrors(schemas);
  const describe = createDescriber(options, schemas, errors);
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const { tag, operations } of resources)
    for (const operation of operations) {
      const path = operation.url.replaceAll(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, tag) };
    }
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    // Relative to …/api/schema/ and its page, so that it is right below a sandbox's and a proxy's prefix too.
    servers: [{ url: '../..' }],
    tags: resources.map((resource) => ({ name: resource.tag, description: resource.description })),
    paths,
    components: {
      schemas: schemas.components,
      parameters,
      headers,
      responses: errors.components,
      securitySchemes,
    },
  } satisfies OpenApi.Document;
}
