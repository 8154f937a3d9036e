// The OpenAPI 3.1 documents of both APIs, from the declared operations and the schemas that check requests.
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import type { AnonymousAccess } from '../access/permissions.ts';
import type { ErrorName } from '../base/errors.ts';
import { STATUS_CODES } from '../base/http-names.ts';
import { mirrors, version } from '../base/version.ts';
import type { Services } from '../http/call.ts';
import type { Access, AnswerSchema, Method, Operation, Resource } from '../http/operation.ts';
import { collectComponents, headerReferences, type JsonSchema, mapValues } from './components.ts';

type Components = Required<Pick<OpenApi.ComponentsObject, 'parameters' | 'headers' | 'securitySchemes'>>;

interface DocumentOptions extends Components {
  readonly title: string;
  readonly description: string;
  readonly resources: readonly Resource<never>[];
  readonly bodyTypes: readonly string[];
  readonly otherRenderings: Readonly<Record<string, TSchema>>;
  readonly commonErrors: readonly ErrorName[];
  readonly bodyErrors: readonly ErrorName[];
  readonly answerHeaders: readonly string[];
  /** Whether requests without a token are allowed. */
  readonly isOpen: (method: Method) => boolean;
}

const anywhere: readonly ErrorName[] = ['invalid_host', 'throttled', 'server_error', 'service_unavailable'];
const refusals: readonly ErrorName[] = ['not_authenticated', 'permission_denied'];
const accessErrors: Readonly<Partial<Record<Access, readonly ErrorName[]>>> = {
  'sign in': ['not_authenticated'],
  'read subscriptions': ['permission_denied'],
  'write subscriptions': refusals,
  'create user': refusals,
  'change user': refusals,
  'manage user': refusals,
};

// A parameter of digits only is an integer in the document, and a text in the service.
const asNumber = (schema: JsonSchema) => (schema['pattern'] === '^[0-9]+$' ? { type: 'integer', minimum: 0 } : schema);

const exampleIn = ({ examples }: TSchema) => (examples === undefined ? {} : { example: (examples as unknown[])[0] });

export type OpenApiDocument = ReturnType<typeof buildDocument>;

function buildDocument(options: DocumentOptions) {
  const { title, description: about, resources, parameters, headers, securitySchemes } = options;
  const { schemaOf, errorsOf, ...components } = collectComponents();
  const mediaOf = (schema: TSchema) => ({ schema: schemaOf(schema), ...exampleIn(schema) });
  const commonParameters = Object.keys(parameters).map((name) => ({ $ref: `#/components/parameters/${name}` }));
  const security = Object.keys(securitySchemes).map((scheme) => ({ [scheme]: [] as string[] }));

  function parametersOf(schema: TObject | undefined, place: 'path' | 'query') {
    const { properties = {}, required = [] } = schema ?? {};
    return Object.entries(properties).map(([name, property]) => {
      const { description, ...rest } = schemaOf(property);
      return {
        name,
        in: place,
        required: required.includes(name),
        ...(typeof description === 'string' && { description }),
        schema: asNumber(rest),
        ...exampleIn(property),
      };
    });
  }

  function answerOf(status: string, answer: AnswerSchema) {
    const described = { description: STATUS_CODES[status] ?? status, headers: headerReferences(options.answerHeaders) };
    if (answer === null) return described;
    const byType =
      'content' in answer
        ? (answer.content as Readonly<Record<string, TSchema>>)
        : { 'application/json': answer, ...options.otherRenderings };
    return { ...described, content: mapValues(byType, mediaOf) };
  }

  const describe = (operation: Operation<never>, tag: string) => {
    const { method, id, summary, description, access, body, errors = [], example } = operation;
    const query = parametersOf(operation.querystring, 'query');
    // The most specific errors come first.
    const names: ErrorName[] = [
      ...errors.filter((error) => typeof error === 'string'),
      ...(query.some(({ name }) => name === 'page') ? (['invalid_page'] as const) : []),
      ...(body === undefined ? [] : options.bodyErrors),
      ...(accessErrors[access] ?? []),
      ...options.commonErrors,
      ...anywhere,
    ];
    const lines = errors.filter((error) => typeof error !== 'string');
    const sent = body && { schema: schemaOf(body), ...(example !== undefined && { example }) };
    return {
      operationId: id,
      tags: [tag],
      summary,
      ...(description !== undefined && { description }),
      parameters: [...parametersOf(operation.params, 'path'), ...query, ...commonParameters],
      ...(sent && {
        requestBody: { required: true, content: Object.fromEntries(options.bodyTypes.map((type) => [type, sent])) },
      }),
      responses: {
        // Open operations, such as health, return no error of the catalogue.
        ...(access !== 'open' && errorsOf(names, lines)),
        ...Object.fromEntries(
          Object.entries(operation.response).map(([status, answer]) => [status, answerOf(status, answer)]),
        ),
      },
      security: [...(options.isOpen(method) ? [{}] : []), ...security],
    } satisfies OpenApi.OperationObject;
  };

  const paths: Record<string, Record<string, ReturnType<typeof describe>>> = {};
  for (const { tag, operations } of resources)
    for (const operation of operations) {
      const path = operation.url.replaceAll(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, tag) };
    }
  return {
    openapi: '3.1.0',
    info: { title, version, description: about, license: { name: 'MIT', identifier: 'MIT' } },
    // Relative to the document (…/schema/) and its page (…/docs/), so that it fits every prefix.
    servers: [{ url: '../..' }],
    tags: resources.map((resource) => ({ name: resource.tag, description: resource.description })),
    paths,
    components: { ...components, parameters, headers, securitySchemes },
  } satisfies OpenApi.Document;
}

const text = { type: 'string' } as const;
const integer = { type: 'integer', minimum: 0 } as const;
const controlHeaders = {
  'X-Understudy': { description: 'The version of the service, and what it mirrors.', schema: text },
  'Retry-After': { description: 'Seconds to wait.', schema: integer },
  'X-RateLimit-Limit': { description: 'Requests allowed in the window.', schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests left in the window.', schema: integer },
  'X-RateLimit-Reset': { description: 'Seconds until the oldest request leaves the window.', schema: integer },
} as const;
const headers = {
  Allow: { description: 'The methods that the path allows.', schema: text },
  Vary: { description: '`Accept`, and `Origin` if it is sent and UNDERSTUDY_CORS_ORIGINS is set.', schema: text },
  ...controlHeaders,
  'WWW-Authenticate': { description: 'Always `Token`.', schema: { ...text, enum: ['Token'] } },
};

export const describeWeblate = (resources: readonly Resource<Services>[], anonymous: AnonymousAccess) =>
  buildDocument({
    title: 'Understudy: the users API',
    description: `The users interface of ${mirrors}, served by Understudy, which is not affiliated with it.

All errors have the same body: a \`type\`, and in \`errors\` one entry for each problem. The document shows one
error for each status, but all validation errors. A method that a path lacks returns 405, or 401 for a write
without a token. Every path also allows OPTIONS, which describes it, and HEAD if it allows GET.

Each sandbox has the same paths under \`/sandboxes/<name>\`. \`X-Understudy-Sandbox\` also chooses a sandbox.`,
    resources,
    bodyTypes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    otherRenderings: { 'text/csv': Type.String(), 'text/html': Type.String() },
    commonErrors: ['invalid_token', 'not_found', 'not_acceptable'],
    bodyErrors: ['json_invalid', 'body_too_large', 'unsupported_media_type'],
    answerHeaders: ['Allow', 'Vary', 'X-Understudy'],
    isOpen: (method) => anonymous === 'write' || method === 'GET',
    parameters: {
      Sandbox: {
        name: 'X-Understudy-Sandbox',
        in: 'header',
        required: false,
        description: 'The sandbox, if the path names none. Left out: the one that the token names, or `default`.',
        schema: text,
      },
    },
    headers,
    securitySchemes: {
      Token: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: '`Token`, a space and the token: `Token wlu_…`.',
      },
      Bearer: { type: 'http', scheme: 'bearer', description: 'The same tokens.' },
    },
  });

export const describeControl = (resources: readonly Resource<never>[]) =>
  buildDocument({
    title: 'Understudy: the control API',
    description: `What Understudy adds to the mirrored API: sandboxes, planned faults, the journal, health and metrics.

By default, the API is open only on loopback; UNDERSTUDY_ADMIN and UNDERSTUDY_ADMIN_TOKEN change this. The Host must be
loopback, a name without a dot or a host in UNDERSTUDY_ALLOWED_HOSTS. Bodies must have the type of JSON or YAML.`,
    resources,
    bodyTypes: ['application/json', 'application/yaml'],
    otherRenderings: {},
    commonErrors: ['admin_closed'],
    bodyErrors: ['json_invalid', 'upload_too_large', 'unsupported_admin_type'],
    answerHeaders: ['X-Understudy'],
    isOpen: () => true,
    parameters: {},
    headers: controlHeaders,
    securitySchemes: {
      AdminToken: { type: 'http', scheme: 'bearer', description: 'The value of UNDERSTUDY_ADMIN_TOKEN.' },
    },
  });
