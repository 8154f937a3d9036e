// The environment variables of the service.
import { Type } from '@sinclair/typebox';

// `expects` completes "X must be …".
// `description` is for `serve --help` and docs/reference/configuration.md.
// Errors don't show the value of a `secret`.
type Words = Readonly<Record<'expects' | 'description', string>> & { readonly secret?: true };

const text = (pattern: string, initial: string, words: Words) => Type.String({ pattern, default: initial, ...words });

const optional = (pattern: string, words: Words) => Type.Optional(Type.String({ pattern, ...words }));

const count = (minimum: number, maximum: number, initial: number, description: string, what = 'a number') =>
  Type.Integer({ minimum, maximum, default: initial, description, expects: `${what} from ${minimum} to ${maximum}` });

const choice = <const V extends readonly string[]>(values: V, initial: V[number], description: string) => {
  const expects = `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  const words = { expects, description: `${description} Values: ${expects}.` };
  return Type.Unsafe<V[number]>(text(`^(?:${values.join('|')})$`, initial, words));
};

const limit = (description: string) =>
  text('^(?:off|[1-9]\\d{0,8}/(?:second|minute|hour|day))$', 'off', {
    expects: 'off, or a number per second, minute, hour or day, such as 5000/hour',
    description,
  });

const gibibyte = 2 ** 30;
const host = '([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])';
const webOrigin = `[A-Za-z][A-Za-z0-9+.-]*://${host}(:\\d{1,5})?`;

export const Environment = Type.Object({
  PORT: count(0, 65_535, 8000, 'Port to listen on; 0 picks a free one and prints it.', 'a port'),
  DATABASE_URL: optional('^postgres(ql)?://', {
    expects: 'a URL that begins with postgres://',
    description: 'PostgreSQL 15 or newer. Default: the embedded one.',
    secret: true,
  }),
  LOG_LEVEL: choice(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
    'Least severe level logged.',
  ),
  UNDERSTUDY_HOST: text('.', '127.0.0.1', { expects: 'an address', description: 'Address to listen on.' }),
  UNDERSTUDY_BIND: optional('.', {
    expects: 'an address',
    description: 'In a container, the address of the published port: decides who may use `/_understudy/`.',
  }),
  UNDERSTUDY_DATA_DIR: optional('.', {
    expects: 'a folder',
    description: 'Data of the embedded PostgreSQL. Default: `.understudy`.',
  }),
  UNDERSTUDY_TEMPORARY: Type.Boolean({
    default: false,
    expects: 'true or false',
    description: 'Whether to use an embedded PostgreSQL that is removed at the end. Values: true or false.',
  }),
  UNDERSTUDY_SEED: text('.', 'documented', {
    expects: 'the name of a shipped seed, a file or -',
    description: 'Content of a new database: a shipped seed, a file, or `-` for standard input.',
  }),
  UNDERSTUDY_ANONYMOUS: choice(['read', 'strict', 'write'], 'read', 'What a request without a token may do.'),
  UNDERSTUDY_PUBLIC_URL: optional('^https?://[A-Za-z0-9._\\[\\]:-]+(/[A-Za-z0-9._~/-]*)?$', {
    expects: 'a URL that begins with http:// or https://',
    description: 'Base of all URLs in responses. Default: taken from the request.',
  }),
  UNDERSTUDY_TRUST_PROXY: count(0, 10, 0, 'Number of proxies whose X-Forwarded-For, -Host and -Proto are trusted.'),
  UNDERSTUDY_ADMIN_BODY_LIMIT: count(1024, gibibyte, 1_048_576, 'Largest body under `/_understudy/`, in bytes.'),
  UNDERSTUDY_POOL_SIZE: count(2, 100, 4, 'Connections for each of resets, copies and loads; loads get at least 4.'),
  UNDERSTUDY_RATE_LIMIT_ANONYMOUS: limit('Anonymous requests per address and sandbox, such as `100/day`, or `off`.'),
  UNDERSTUDY_RATE_LIMIT_USER: limit('Requests per user, such as `5000/hour`, or `off`.'),
  UNDERSTUDY_ADMIN: choice(
    ['auto', 'on', 'off'],
    'auto',
    'Access to `/_understudy/`; `auto`: only on loopback without a proxy, or with UNDERSTUDY_ADMIN_TOKEN.',
  ),
  UNDERSTUDY_ADMIN_TOKEN: optional('^[!-~]{8,200}$', {
    expects: '8 to 200 characters of ASCII without blanks',
    description: 'If set, `/_understudy/` requires it: `Authorization: Bearer …`.',
    secret: true,
  }),
  UNDERSTUDY_ALLOWED_HOSTS: text(`^${host}?(\\s*,\\s*${host})*$`, '', {
    expects: 'host names, with commas between them and without ports',
    description: 'More hosts for `/_understudy/`. Loopback, names without a dot and UNDERSTUDY_PUBLIC_URL always pass.',
  }),
  UNDERSTUDY_CORS_ORIGINS: text(`^(?:\\*|(?:${webOrigin}(?:\\s*,\\s*${webOrigin})*)?)$`, '', {
    expects: '* or origins such as http://localhost:5173, with commas between them and without a path',
    description: 'Origins whose pages may use the Weblate API (CORS), with commas between, or `*`. Default: none.',
  }),
  UNDERSTUDY_MAX_SANDBOXES: count(1, 1_000_000, 2000, 'Most sandboxes at the same time.'),
  UNDERSTUDY_JOURNAL_BYTES: count(0, gibibyte, 67_108_864, 'Memory for all journals, in bytes; 0 for no journal.'),
});

/** For a variable without a default, `default` is empty. */
export const variables = Object.entries(Environment.properties).map(([name, schema]) => ({
  name,
  default: String(schema['default'] ?? ''),
  description: String(schema['description']),
}));
