// The two documents: of the Weblate API, and of the control API under /_understudy/.
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import type { AnonymousAccess } from '../access/permissions.ts';
import { mirrors } from '../base/version.ts';
import type { Services } from '../http/call.ts';
import type { Resource } from '../http/operation.ts';
import { buildDocument } from './document.ts';

const text = { type: 'string' } as const;
const integer = { type: 'integer', minimum: 0 } as const;
const controlHeaders = {
  'X-Understudy': { description: 'The version that answers, and what it mirrors.', schema: text },
  'Retry-After': { description: 'Seconds to wait.', schema: integer },
  'X-RateLimit-Limit': { description: 'Requests that the window holds.', schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests that are left.', schema: integer },
  'X-RateLimit-Reset': { description: 'Seconds until one more is allowed.', schema: integer },
} as const;
const headers: Readonly<Record<string, OpenApi.HeaderObject>> = {
  Allow: { description: 'The methods that the path allows.', schema: text },
  Vary: { description: '`Accept`, and `Origin` where UNDERSTUDY_CORS_ORIGINS is set.', schema: text },
  ...controlHeaders,
  'WWW-Authenticate': { description: 'Always `Token`.', schema: { ...text, enum: ['Token'] } },
};

export const describeWeblate = (resources: readonly Resource<Services>[], anonymous: AnonymousAccess) =>
  buildDocument({
    title: 'Understudy: the users API',
    description: `The users interface of ${mirrors}, served by Understudy, which is not affiliated with it.

Every error has the same body: a \`type\`, and one entry in \`errors\` for each fault. The document shows one error for each status. A method
that a path lacks returns 405, or 401 where it would write and the request has no token. Every path also allows OPTIONS, which describes
it, and HEAD if it allows GET.

The same paths stand under \`/sandboxes/<name>\`, and \`X-Understudy-Sandbox\` chooses a sandbox as well.`,
    resources,
    bodyTypes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    otherRenderings: ['text/csv', 'text/html'],
    commonErrors: ['invalid_token', 'not_found', 'not_acceptable'],
    bodyErrors: ['json_invalid', 'body_too_large', 'unsupported_media_type'],
    answerHeaders: ['Allow', 'Vary', 'X-Understudy'],
    isOpen: (method) => anonymous === 'write' || method === 'GET',
    parameters: {
      Sandbox: {
        name: 'X-Understudy-Sandbox',
        in: 'header',
        required: false,
        description: 'The sandbox that the request is for, where the path names none. `default` if left out.',
        schema: text,
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

export const describeControl = (resources: readonly Resource<never>[]) =>
  buildDocument({
    title: 'Understudy: the control API',
    description: `What Understudy adds to the API that it mirrors: sandboxes, faults on purpose, the journal, health and metrics.

Open on loopback; elsewhere UNDERSTUDY_ADMIN and UNDERSTUDY_ADMIN_TOKEN decide. The Host must be loopback, a name without a dot or one
that UNDERSTUDY_ALLOWED_HOSTS lists, and bodies must be JSON or YAML by their type.`,
    resources,
    bodyTypes: ['application/json', 'application/yaml'],
    otherRenderings: [],
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
