// Answers against a document: each body against the schema of its operation and status, closed, so that a field which the document
// doesn't know is a fault.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import type { OperationObject } from '../../src/openapi/describe-operation.ts';
import type { OpenApiDocument } from '../../src/openapi/document.ts';
import type { JsonSchema } from '../../src/openapi/schemas.ts';

type Reference = OpenApi.ReferenceObject;
type Response = OpenApi.ResponseObject;

export interface CheckedAnswer {
  readonly method: string;
  /** Without the sandbox's prefix; the query may stand behind it. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: unknown;
  /** The JSON that was sent; checked where it was accepted. */
  readonly sent?: unknown;
}

export interface Checker {
  /** What is wrong with the answer; empty where nothing is. */
  check(answer: CheckedAnswer): string[];
  /** Answers that the document has, as `GET /api/users/ 200`, and how often each was checked. */
  readonly seen: Map<string, number>;
}

export function createChecker(document: OpenApiDocument): Checker {
  const ajv = new Ajv2020({ strict: false, allErrors: true, unicodeRegExp: true });
  (addFormats as unknown as typeof addFormats.default)(ajv);
  ajv.addSchema({ $id: 'document:', components: close(document.components) });
  const paths = Object.entries(document.paths).map(([path, item]) => ({
    path,
    item,
    regex: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  const seen = new Map<string, number>();

  function check({ method, path, status, contentType, body, sent }: CheckedAnswer): string[] {
    const bare = path.split('?', 1)[0] ?? '';
    const known = paths.find(({ regex }) => regex.test(bare));
    const operation: OperationObject | undefined = known?.item[method.toLowerCase()];
    if (method === 'HEAD' && body === undefined && operation === undefined) return [];
    if (known === undefined || operation === undefined)
      return validate('#/components/schemas/Error', body, contentType);
    const key = `${method} ${known.path} ${status}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    const response = resolveResponse(document, operation.responses[String(status)]);
    if (response === undefined) return [`${key} is not in the document`];
    if (sent !== undefined && status < 300) {
      const schema = operation.requestBody?.content['application/json']?.schema ?? false;
      const faults = validate(schema, sent, 'application/json');
      if (faults.length > 0) return faults.map((fault) => `${key}, request: ${fault}`);
    }
    if (method === 'HEAD' || body === undefined) return [];
    const type = contentType?.split(';', 1)[0] ?? '';
    const media = response.content?.[type];
    // Errors are rendered in any form, and described as JSON.
    if (media === undefined) return status >= 400 && type !== 'application/json' ? [] : [`${key} has no ${type}`];
    return type === 'application/json'
      ? validate((media.schema ?? {}) as JsonSchema, body, type).map((fault) => `${key}: ${fault}`)
      : [];
  }

  function validate(schema: JsonSchema | string | false, body: unknown, contentType: string | undefined): string[] {
    if (contentType !== 'application/json') return [];
    const whole = typeof schema === 'string' ? { $ref: schema } : close(schema);
    const rooted = JSON.parse(
      JSON.stringify(whole).replaceAll('"#/components', '"document:#/components'),
    ) as JsonSchema;
    if (ajv.validate(rooted, body)) return [];
    return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  return { check, seen };
}

/** A response of an operation, or the component that it refers to. */
export function resolveResponse(
  { components }: OpenApiDocument,
  response: Response | Reference | undefined,
): Response | undefined {
  if (response === undefined || !('$ref' in response)) return response;
  return components.responses[response.$ref.split('/').at(-1) ?? ''];
}

/** The same with every object closed that lists its properties. */
function close<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map((member: unknown) => close(member)) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]));
  return ('properties' in closed && closed['type'] === 'object' && !('additionalProperties' in closed)
    ? { ...closed, additionalProperties: false }
    : closed) as unknown as T;
}
