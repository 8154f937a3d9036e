// A whole document from tables of routes: OpenAPI 3.1, of the same schemas that check the requests.
import { catalogue, type ErrorName } from '../errors.ts';
import { collectErrors, ErrorBody, exampleOf } from './error-responses.ts';
import { type Customs, describeOperation, type Documented, documentPath } from './describe-operation.ts';
import { collectSchemas } from './schemas.ts';
import type { Header, OpenApiDocument, Parameter, PathItem, Tag } from './types.ts';

export interface DocumentOptions {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly tags: readonly Tag[];
  readonly operations: readonly Documented[];
  readonly customs: Customs;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly headers: Readonly<Record<string, Header>>;
  readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export function buildDocument(options: DocumentOptions): OpenApiDocument {
  const schemas = collectSchemas();
  const errors = collectErrors(schemas.of(ErrorBody));
  const paths: Record<string, PathItem> = {};
  for (const documented of options.operations) {
    const path = documentPath(documented.path);
    const described = describeOperation(documented, schemas, errors, options.customs);
    paths[path] = { ...paths[path], [documented.method.toLowerCase()]: described };
  }
  const names = namesIn([...Object.values(paths), errors.components]);
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      description: options.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: options.tags,
    paths,
    components: {
      schemas: schemas.components,
      examples: Object.fromEntries(names.map((name) => [name, exampleOf(name)])),
      parameters: options.parameters,
      headers: options.headers,
      responses: errors.components,
      securitySchemes: options.securitySchemes,
    },
  };
}

// The errors that are referred to, in the catalogue's order.
function namesIn(parts: readonly object[]): ErrorName[] {
  const text = JSON.stringify(parts);
  return (Object.keys(catalogue) as ErrorName[]).filter((name) => text.includes(`"#/components/examples/${name}"`));
}

/** The document for whom it is served to: `base` is what stands before every path, empty or `/sandboxes/ci`. */
export const servedUnder = (document: OpenApiDocument, base: string): OpenApiDocument => ({
  ...document,
  servers: [{ url: base === '' ? '/' : base }],
});
