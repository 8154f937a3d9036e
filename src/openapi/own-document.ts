// The document of our own API, what stands under /_understudy/.
import type { Resource } from '../http/operation.ts';
import { buildDocument, type OpenApiDocument } from './document.ts';

const description = `What Understudy adds to the API that it mirrors: sandboxes, faults on purpose, the journal, health and metrics.

Open on loopback; elsewhere UNDERSTUDY_ADMIN and UNDERSTUDY_ADMIN_TOKEN decide. The Host must be loopback, a name without a dot or one
that UNDERSTUDY_ALLOWED_HOSTS lists, and bodies must be JSON or YAML by their type.`;

export const describeOwn = (resources: readonly Resource<never>[]): OpenApiDocument =>
  buildDocument({
    title: 'Understudy: its own API',
    description,
    resources,
    customs: {
      bodyTypes: ['application/json', 'application/yaml'],
      otherRenderings: [],
      commonParameters: [],
      commonErrors: ['invalid_host', 'admin_closed', 'server_error', 'service_unavailable'],
      bodyErrors: ['json_invalid', 'upload_too_large', 'unsupported_admin_type'],
      answerHeaders: ['X-Understudy'],
      isOpen: () => true,
      securitySchemes: ['AdminToken'],
    },
    parameters: {},
    headers: {
      'X-Understudy': { description: 'The version that answers, and what it mirrors.', schema: { type: 'string' } },
      'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
    },
    securitySchemes: {
      AdminToken: { type: 'http', scheme: 'bearer', description: 'The value of UNDERSTUDY_ADMIN_TOKEN.' },
    },
  });
