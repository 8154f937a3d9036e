// Lists the fields of a document's request bodies that no request has sent.
import type { OpenApiDocument } from '../../src/openapi/documents.ts';
import type { JsonSchema } from '../../src/openapi/components.ts';

interface Sent {
  readonly method: string;
  /** Without a query. */
  readonly path: string;
  readonly json: unknown;
}

/** Names each as `FaultRules rules.headers`. A field is sent if any operation with this body got it. */
export function listUnsent(document: OpenApiDocument, sent: readonly Sent[]): string[] {
  const bodies: Record<string, unknown[]> = {};
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, { requestBody }] of Object.entries(item)) {
      const { schema = {} } = requestBody?.content['application/json'] ?? {};
      if (typeof schema['$ref'] !== 'string') continue;
      const regex = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      const ofOperation = sent.filter((of) => of.method === method.toUpperCase() && regex.test(of.path));
      (bodies[schema['$ref']] ??= []).push(...ofOperation.map(({ json }) => json));
    }
  return Object.entries(bodies).flatMap(([$ref, values]) =>
    listMissing(document, { $ref }, values).map((field) => `${$ref.split('/').at(-1)} ${field}`),
  );
}

function listMissing(document: OpenApiDocument, schema: JsonSchema, values: readonly unknown[]): string[] {
  const { $ref, properties = {}, items, anyOf = [] } = schema as SchemaParts;
  if ($ref !== undefined) {
    const component = document.components.schemas[$ref.split('/').at(-1) ?? ''];
    return component === undefined ? [$ref] : listMissing(document, component, values);
  }
  return [
    ...Object.entries(properties).flatMap(([name, property]) => {
      const sent = values.flatMap((value) => {
        const of = (value as Record<string, unknown> | null)?.[name];
        return of === undefined ? [] : [of];
      });
      if (sent.length === 0) return [name];
      return listMissing(document, property, sent).map((field) => `${name}.${field}`);
    }),
    ...anyOf.flatMap((member) => listMissing(document, member, values)),
    ...(items === undefined ? [] : listMissing(document, items, values.flat())),
  ];
}

interface SchemaParts {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}
