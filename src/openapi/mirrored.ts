// The document of the mirrored API, from the resources' tables of routes.
import { type TSchema, Type } from '@sinclair/typebox';
import type { AnonymousAccess } from '../access/permissions.ts';
import type { Operation } from '../api/operation.ts';
import type { Resource, Route } from '../api/route.ts';
import { AnyQuery } from '../api/schema.ts';
import { mirrors, version } from '../version.ts';
import { buildDocument } from './document.ts';
import { bodyErrors, commonErrors } from './error-responses.ts';
import type { Documented } from './describe-operation.ts';
import type { OpenApiDocument } from './types.ts';

const description = `The users interface of ${mirrors}, played by Understudy, which is not affiliated with it.

Every error has the same body: a \`type\`, and one entry in \`errors\` for each fault. A method that a path lacks is answered 405, and
401 first where it would write and no token was sent. HEAD and OPTIONS are allowed on every path that allows GET.

The same paths stand under \`/sandboxes/<name>\`, and \`X-Understudy-Sandbox\` chooses a sandbox as well.`;

const text = Type.String();

/** A field as OPTIONS describes it. */
const Field = Type.Recursive(
  (Self) =>
    Type.Object({
      type: text,
      required: Type.Boolean(),
      read_only: Type.Boolean(),
      label: Type.Optional(text),
      help_text: Type.Optional(text),
      max_length: Type.Optional(Type.Integer()),
      min_value: Type.Optional(Type.Integer()),
      max_value: Type.Optional(Type.Integer()),
      choices: Type.Optional(
        Type.Array(Type.Object({ value: Type.Union([text, Type.Integer()]), display_name: text })),
      ),
      child: Type.Optional(Self),
      children: Type.Optional(Type.Record(text, Self)),
    }),
  { $id: 'Field' },
);

/** What an OPTIONS request is answered with. */
const Metadata = Type.Object(
  {
    name: text,
    description: text,
    renders: Type.Array(text),
    parses: Type.Array(text),
    actions: Type.Optional(
      Type.Record(text, Type.Record(text, Field), {
        description: 'For PUT and POST, the fields of a body. Told to those who are signed in.',
      }),
    ),
  },
  { $id: 'Metadata' },
);

export function describeMirrored(resources: readonly Resource[], anonymous: AnonymousAccess): OpenApiDocument {
  const documented = resources.flatMap((resource) => describeResource(resource));
  return buildDocument({
    title: 'Understudy: the users API',
    version,
    description,
    tags: resources.flatMap(({ document: of }) =>
      of === undefined ? [] : [{ name: of.tag, description: of.description }],
    ),
    operations: documented,
    customs: {
      bodyTypes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
      otherAnswers: ['text/csv', 'text/html'],
      commonParameters: [{ $ref: '#/components/parameters/Sandbox' }],
      commonErrors,
      writeErrors: ['not_authenticated'],
      bodyErrors,
      answerHeaders: ['Allow', 'Vary', 'X-Understudy'],
      isOpen: (method) => anonymous === 'write' || ['GET', 'HEAD', 'OPTIONS'].includes(method),
      securitySchemes: ['Token', 'Bearer'],
    },
    parameters: {
      Sandbox: {
        name: 'X-Understudy-Sandbox',
        in: 'header',
        required: false,
        description: 'The sandbox that the request is for, where the path names none. `default` if left out.',
        schema: { type: 'string' },
      },
    },
    headers,
    securitySchemes: {
      Token: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: 'The word `Token`, a space and the token: `Token wlu_…`.',
      },
      Bearer: { type: 'http', scheme: 'bearer', description: 'The same tokens.' },
    },
  });
}

function describeResource(resource: Resource): Documented[] {
  const { document, routes, paths } = resource;
  if (document === undefined) return [];
  const main = routes.flatMap(({ method, path, schema }): Documented[] => {
    const operation = document.operations[`${method} ${path}`];
    if (operation === undefined) return [];
    const of = { path, params: schema.params, querystring: querystringOf(schema.querystring), tag: document.tag };
    const documented = { ...of, method, operation, bodyExample: paths[path]?.examples?.[method] };
    return method === 'GET' ? [documented, { ...of, method: 'HEAD', operation: headOf(operation) }] : [documented];
  });
  return [...main, ...optionsOf(routes, document.tag, main)];
}

const querystringOf = (schema: TSchema | undefined): TSchema => schema ?? AnyQuery;

const headOf = (operation: Operation): Operation => ({
  ...operation,
  id: `${operation.id}_head`,
  summary: `${operation.summary}: the headers alone`,
});

// Each path's OPTIONS, named by the path's first operation.
function optionsOf(routes: readonly Route[], tag: string, main: readonly Documented[]): Documented[] {
  return [...Map.groupBy(routes, ({ path }) => path)].flatMap(([path, [first]]) => {
    const named = main.find((documented) => documented.path === path);
    if (named === undefined) return [];
    const operation: Operation = {
      id: `${named.operation.id}_options`,
      summary: 'What the path takes and gives',
      answer: Metadata,
    };
    return [{ method: 'OPTIONS', path, params: first?.schema.params, querystring: AnyQuery, tag, operation }];
  });
}

const integer = { type: 'integer', minimum: 0 };
const headers = {
  Allow: { description: 'The methods that the path allows.', schema: { type: 'string' } },
  Location: { description: 'The URL of what was created.', schema: { type: 'string', format: 'uri' } },
  Vary: { description: 'Always `Accept`.', schema: { const: 'Accept' } },
  'X-Understudy': { description: 'The version that answers, and what it mirrors.', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'Always `Token`.', schema: { const: 'Token' } },
  'Retry-After': { description: 'Seconds to wait.', schema: integer },
  'X-RateLimit-Limit': { description: 'Requests that the window holds.', schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests that are left.', schema: integer },
  'X-RateLimit-Reset': { description: 'Seconds until one more is allowed.', schema: integer },
};
