// Checks answers against a document: each body must match the schema of its operation and status. The
// schemas are closed first: a field that the document lacks is then an error.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import type { OpenApiDocument } from '../../src/openapi/documents.ts';
import type { JsonSchema } from '../../src/openapi/components.ts';

type Reference = OpenApi.ReferenceObject;
type Response = OpenApi.ResponseObject;

export interface CheckedAnswer {
  readonly method: string;
  /** Without the sandbox's prefix; it may have a query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: unknown;
  /** The JSON that was sent; checked if the request succeeded. */
  readonly sent?: unknown;
}

export interface Checker {
  /** Lists what is wrong with the answer. */
  check(answer: CheckedAnswer): string[];
  /** How often each kind of answer was checked, under keys such as `GET /api/users/ 200`. */
  readonly seen: Map<string, number>;
}

export function createChecker(document: OpenApiDocument): Checker {
  const [closed, open] = [compile(close(document.components)), compile(document.components)];
  const paths = Object.entries(document.paths).map(([path, item]) => ({
    path,
    item,
    regex: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  const seen = new Map<string, number>();

  function check({ method, path, status, contentType, body, sent }: CheckedAnswer): string[] {
    const bare = path.split('?', 1)[0] ?? '';
    const known = paths.find(({ regex }) => regex.test(bare));
    const operation: OpenApiDocument['paths'][string][string] | undefined = known?.item[method.toLowerCase()];
    // The document lists neither of these methods.
    if (method === 'HEAD' || method === 'OPTIONS') return [];
    if (known === undefined || operation === undefined)
      return contentType === 'application/json' ? closed({ $ref: '#/components/schemas/Error' }, body) : [];
    const key = `${method} ${known.path} ${status}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    const response = resolveResponse(document, operation.responses[String(status)]);
    if (response === undefined) return [`${key} is not in the document`];
    if (sent !== undefined && status < 300) {
      const schema = operation.requestBody?.content['application/json']?.schema ?? false;
      // JSON turns a transcript's number objects into numbers. Unknown fields pass: the service ignores them.
      const faults = open(schema, JSON.parse(JSON.stringify(sent)));
      if (faults.length > 0) return faults.map((fault) => `${key}, request: ${fault}`);
    }
    if (body === undefined) return [];
    const type = contentType?.split(';', 1)[0] ?? '';
    const media = response.content?.[type];
    // Errors are rendered in every format but described as JSON only.
    if (media === undefined) return status >= 400 && type !== 'application/json' ? [] : [`${key} has no ${type}`];
    return type === 'application/json'
      ? closed(close((media.schema ?? {}) as JsonSchema), body).map((fault) => `${key}: ${fault}`)
      : [];
  }

  return { check, seen };
}

/** Makes a function that lists how a value fails a schema, and compiles each schema once. */
function compile(components: object) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, unicodeRegExp: true });
  (addFormats as unknown as typeof addFormats.default)(ajv);
  ajv.addSchema({ $id: 'document:', components });
  const compiled = new Map<string, ValidateFunction>();
  return (schema: JsonSchema | false, value: unknown): string[] => {
    const rooted = JSON.stringify(schema).replaceAll('"#/components', '"document:#/components');
    const validate = compiled.get(rooted) ?? ajv.compile(JSON.parse(rooted) as JsonSchema);
    compiled.set(rooted, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

/** A response of an operation, with its reference resolved. */
export function resolveResponse(
  { components }: OpenApiDocument,
  response: Response | Reference | undefined,
): Response | undefined {
  if (response === undefined || !('$ref' in response)) return response;
  return components.responses[response.$ref.split('/').at(-1) ?? ''];
}

/** Closes every object schema that lists its properties. */
function close<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map((member: unknown) => close(member)) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]));
  return ('properties' in closed && closed['type'] === 'object' && !('additionalProperties' in closed)
    ? { ...closed, additionalProperties: false }
    : closed) as unknown as T;
}
