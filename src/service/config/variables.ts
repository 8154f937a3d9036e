// The environment variables of the service, each with its values, its default and its line in the documentation.
import { Type } from '@sinclair/typebox';

// `expects` completes "X must be …"; `description` is for the documentation's table and `serve --help`.

const text = (pattern: string, expects: string, initial: string, description: string) =>
  Type.String({ pattern, expects, description, default: initial });

const optional = (pattern: string, expects: string, description: string, secret = false) =>
  Type.Optional(Type.String({ pattern, expects, description, secret }));

const count = (minimum: number, maximum: number, initial: number, description: string, unit = 'a number') =>
  Type.Integer({ minimum, maximum, default: initial, expects: `${unit} from ${minimum} to ${maximum}`, description });

const choice = <const V extends readonly string[]>(values: V, initial: V[number], description: string) => {
  const expects = `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  const withValues = `${description} Values: ${expects}.`;
  return Type.Unsafe<V[number]>(text(`^(?:${values.join('|')})$`, expects, initial, withValues));
};

const limit = (description: string) =>
  text(
    '^(?:off|[1-9]\\d{0,8}/(?:second|minute|hour|day))$',
    'off, or a number a second, minute, hour or day, such as 5000/hour',
    'off',
    description,
  );
const host = '([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])';
const webOrigin = `[A-Za-z][A-Za-z0-9+.-]*://${host}(:\\d{1,5})?`;

export const Environment = Type.Object({
  PORT: count(0, 65_535, 8000, 'Port to listen on; 0 picks a free one and prints it.', 'a port'),
  DATABASE_URL: optional(
    '^postgres(ql)?://',
    'a URL that begins with postgres://',
    'PostgreSQL 15 or newer. Default: the embedded one.',
    true,
  ),
  LOG_LEVEL: choice(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
    'The least severe level that is logged.',
  ),
  UNDERSTUDY_HOST: text('.', 'an address', '127.0.0.1', 'Address to listen on.'),
  UNDERSTUDY_BIND: optional(
    '.',
    'an address',
    'Address that the port is published on, in a container: for access, it counts in place of UNDERSTUDY_HOST.',
  ),
  UNDERSTUDY_DATA_DIR: optional('.', 'a folder', 'Data of the embedded PostgreSQL. Default: `.understudy`.'),
  UNDERSTUDY_TEMPORARY: Type.Boolean({
    default: false,
    expects: 'true or false',
    description:
      'Whether the data lies in a temporary embedded PostgreSQL, which is removed at the end. Values: true or false.',
  }),
  UNDERSTUDY_SEED: text(
    '.',
    'the name of a shipped seed, a file or -',
    'documented',
    'What a new database is filled with: a shipped seed, a file, or `-` for standard input.',
  ),
  UNDERSTUDY_ANONYMOUS: choice(['read', 'strict', 'write'], 'read', 'What a request without a token may do.'),
  UNDERSTUDY_PUBLIC_URL: optional(
    '^https?://[A-Za-z0-9._\\[\\]:-]+(/[A-Za-z0-9._~/-]*)?$',
    'a URL that begins with http:// or https://',
    'Base of all URLs in responses. Default: taken from the request.',
  ),
  UNDERSTUDY_TRUST_PROXY: count(
    0,
    10,
    0,
    'Number of proxies in front of the service, whose X-Forwarded-For, -Host and -Proto are trusted.',
  ),
  UNDERSTUDY_ADMIN_BODY_LIMIT: count(
    1024,
    1_073_741_824,
    1_048_576,
    'Largest body under `/_understudy/`, such as a seed, in bytes.',
    'a number of bytes',
  ),
  UNDERSTUDY_POOL_SIZE: count(
    2,
    100,
    4,
    'Connections for resets and deletions of whole sandboxes, one for a sandbox. As many are for copies, and as many, but at least four, for loads of seeds; seven more are shared.',
  ),
  UNDERSTUDY_RATE_LIMIT_ANONYMOUS: limit(
    'Anonymous requests allowed to an address in each sandbox, as `100/day`; `off` for no limit.',
  ),
  UNDERSTUDY_RATE_LIMIT_USER: limit('Requests allowed to a user, as `5000/hour`; `off` for no limit.'),
  UNDERSTUDY_ADMIN: choice(
    ['auto', 'on', 'off'],
    'auto',
    'Whether `/_understudy/` may be used; `auto`: on loopback without a proxy, elsewhere only with UNDERSTUDY_ADMIN_TOKEN.',
  ),
  UNDERSTUDY_ADMIN_TOKEN: optional(
    '^[!-~]{8,200}$',
    '8 to 200 characters of ASCII without blanks',
    'If set, `/_understudy/` requires it: `Authorization: Bearer …`.',
    true,
  ),
  UNDERSTUDY_ALLOWED_HOSTS: text(
    `^${host}?(\\s*,\\s*${host})*$`,
    'host names, with commas between them and without ports',
    '',
    'Hosts under which `/_understudy/` may be used, beside loopback, names without a dot and that of UNDERSTUDY_PUBLIC_URL.',
  ),
  UNDERSTUDY_CORS_ORIGINS: text(
    `^(?:\\*|(?:${webOrigin}(?:\\s*,\\s*${webOrigin})*)?)$`,
    '* or origins such as http://localhost:5173, with commas between them and without a path',
    '',
    'Origins whose web pages may use the Weblate API (CORS), with commas between them, or `*` for all. Default: none.',
  ),
  UNDERSTUDY_MAX_SANDBOXES: count(1, 1_000_000, 2000, 'Most sandboxes at the same time.'),
  UNDERSTUDY_JOURNAL_BYTES: count(
    0,
    1_073_741_824,
    67_108_864,
    'Memory for the journals of all sandboxes, in bytes; 0 for no journal.',
    'a number of bytes',
  ),
});

/** Without a default, that is empty. */
export const variables = Object.entries(Environment.properties).map(([name, schema]) => ({
  name,
  default: String(schema['default'] ?? ''),
  description: String(schema['description']),
}));
