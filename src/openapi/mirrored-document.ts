// The document of the mirrored API.
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import type { AnonymousAccess } from '../access/permissions.ts';
import type { Services } from '../http/call.ts';
import type { Resource } from '../http/operation.ts';
import { mirrors } from '../base/version.ts';
import { buildDocument, type OpenApiDocument } from './document.ts';
import { commonErrors } from './error-responses.ts';

const description = `The users interface of ${mirrors}, served by Understudy, which is not affiliated with it.

Every error has the same body: a \`type\`, and one entry in \`errors\` for each fault. The document shows one error for each status. A method
that a path lacks returns 405, or 401 where it would write and the request has no token. Every path also allows OPTIONS, which describes
it, and HEAD if it allows GET.

The same paths stand under \`/sandboxes/<name>\`, and \`X-Understudy-Sandbox\` chooses a sandbox as well.`;

export const describeMirrored = (
  resources: readonly Resource<Services>[],
  anonymous: AnonymousAccess,
): OpenApiDocument =>
  buildDocument({
    title: 'Understudy: the users API',
    description,
    resources,
    customs: {
      bodyTypes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
      otherRenderings: ['text/csv', 'text/html'],
      commonParameters: [{ $ref: '#/components/parameters/Sandbox' }],
      commonErrors,
      bodyErrors: ['json_invalid', 'body_too_large', 'unsupported_media_type'],
      answerHeaders: ['Allow', 'Vary', 'X-Understudy'],
      isOpen: (method) => anonymous === 'write' || method === 'GET',
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

const integer = { type: 'integer', minimum: 0 } as const;
const headers: Readonly<Record<string, OpenApi.HeaderObject>> = {
  Allow: { description: 'The methods that the path allows.', schema: { type: 'string' } },
  Vary: { description: '`Accept`, and `Origin` where UNDERSTUDY_CORS_ORIGINS is set.', schema: { type: 'string' } },
  'X-Understudy': { description: 'The version that answers, and what it mirrors.', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'Always `Token`.', schema: { type: 'string', enum: ['Token'] } },
  'Retry-After': { description: 'Seconds to wait.', schema: integer },
  'X-RateLimit-Limit': { description: 'Requests that the window holds.', schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests that are left.', schema: integer },
  'X-RateLimit-Reset': { description: 'Seconds until one more is allowed.', schema: integer },
};
