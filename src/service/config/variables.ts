// The environment variables of the service, each with its values, default and description.
import { Type } from '@sinclair/typebox';

// `expects` completes "X must be …"; `description` is for the documentation's table and `serve --help`.
// Errors leave out the value of a `secret`.
type Words = Readonly<Record<'expects' | 'description', string>> & { readonly secret?: true };

const text = (pattern: string, initial: string, words: Words) => Type.String({ pattern, default: initial, ...words });

const optional = (pattern: string, words: Words) => Type.Optional(Type.String({ pattern, ...words }));

const count = (unit: string, minimum: number, maximum: number, initial: number, words: { description: string }) =>
  Type.Integer({ minimum, maximum, default: initial, expects: `${unit} from ${minimum} to ${maximum}`, ...words });

const choice = <const V extends readonly string[]>(values: V, initial: V[number], description: string) => {
  const expects = `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  const words = { expects, description: `${description} Values: ${expects}.` };
  return Type.Unsafe<V[number]>(text(`^(?:${values.join('|')})$`, initial, words));
};

const limit = (description: string) =>
  text('^(?:off|[1-9]\\d{0,8}/(?:second|minute|hour|day))$', 'off', {
    expects: 'off, or a number a second, minute, hour or day, such as 5000/hour',
    description,
  });
const host = '([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])';
const webOrigin = `[A-Za-z][A-Za-z0-9+.-]*://${host}(:\\d{1,5})?`;

export const Environment = Type.Object({
  PORT: count('a port', 0, 65_535, 8000, { description: 'Port to listen on; 0 picks a free one and prints it.' }),
  DATABASE_URL: optional('^postgres(ql)?://', {
    expects: 'a URL that begins with postgres://',
    description: 'PostgreSQL 15 or newer. Default: the embedded one.',
    secret: true,
  }),
  LOG_LEVEL: choice(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
    'The least severe level that is logged.',
  ),
  UNDERSTUDY_HOST: text('.', '127.0.0.1', { expects: 'an address', description: 'Address to listen on.' }),
  UNDERSTUDY_BIND: optional('.', {
    expects: 'an address',
    description:
      'Address that the port is published on, in a container: for access, it counts in place of UNDERSTUDY_HOST.',
  }),
  UNDERSTUDY_DATA_DIR: optional('.', {
    expects: 'a folder',
    description: 'Data of the embedded PostgreSQL. Default: `.understudy`.',
  }),
  UNDERSTUDY_TEMPORARY: Type.Boolean({
    default: false,
    expects: 'true or false',
    description:
      'Whether the data lies in a temporary embedded PostgreSQL, which is removed at the end. Values: true or false.',
  }),
  UNDERSTUDY_SEED: text('.', 'documented', {
    expects: 'the name of a shipped seed, a file or -',
    description: 'What a new database is filled with: a shipped seed, a file, or `-` for standard input.',
  }),
  UNDERSTUDY_ANONYMOUS: choice(['read', 'strict', 'write'], 'read', 'What a request without a token may do.'),
  UNDERSTUDY_PUBLIC_URL: optional('^https?://[A-Za-z0-9._\\[\\]:-]+(/[A-Za-z0-9._~/-]*)?$', {
    expects: 'a URL that begins with http:// or https://',
    description: 'Base of all URLs in responses. Default: taken from the request.',
  }),
  UNDERSTUDY_TRUST_PROXY: count('a number', 0, 10, 0, {
    description: 'Number of proxies in front of the service, whose X-Forwarded-For, -Host and -Proto are trusted.',
  }),
  UNDERSTUDY_ADMIN_BODY_LIMIT: count('a number of bytes', 1024, 1_073_741_824, 1_048_576, {
    description: 'Largest body under `/_understudy/`, such as a seed, in bytes.',
  }),
  UNDERSTUDY_POOL_SIZE: count('a number', 2, 100, 4, {
    description:
      'Connections for resets and deletions of whole sandboxes. Copies of sandboxes have the same number of their own, and so have loads of seeds, but at least four. All other work has up to eleven.',
  }),
  UNDERSTUDY_RATE_LIMIT_ANONYMOUS: limit(
    'Anonymous requests allowed to an address in each sandbox, as `100/day`; `off` for no limit.',
  ),
  UNDERSTUDY_RATE_LIMIT_USER: limit('Requests allowed to a user, as `5000/hour`; `off` for no limit.'),
  UNDERSTUDY_ADMIN: choice(
    ['auto', 'on', 'off'],
    'auto',
    'Whether `/_understudy/` may be used; `auto`: on loopback without a proxy, elsewhere only with UNDERSTUDY_ADMIN_TOKEN.',
  ),
  UNDERSTUDY_ADMIN_TOKEN: optional('^[!-~]{8,200}$', {
    expects: '8 to 200 characters of ASCII without blanks',
    description: 'If set, `/_understudy/` requires it: `Authorization: Bearer …`.',
    secret: true,
  }),
  UNDERSTUDY_ALLOWED_HOSTS: text(`^${host}?(\\s*,\\s*${host})*$`, '', {
    expects: 'host names, with commas between them and without ports',
    description:
      'Hosts under which `/_understudy/` may be used, beside loopback, names without a dot and the host of UNDERSTUDY_PUBLIC_URL.',
  }),
  UNDERSTUDY_CORS_ORIGINS: text(`^(?:\\*|(?:${webOrigin}(?:\\s*,\\s*${webOrigin})*)?)$`, '', {
    expects: '* or origins such as http://localhost:5173, with commas between them and without a path',
    description:
      'Origins whose web pages may use the Weblate API (CORS), with commas between them, or `*` for all. Default: none.',
  }),
  UNDERSTUDY_MAX_SANDBOXES: count('a number', 1, 1_000_000, 2000, { description: 'Largest number of sandboxes.' }),
  UNDERSTUDY_JOURNAL_BYTES: count('a number of bytes', 0, 1_073_741_824, 67_108_864, {
    description: 'Memory for the journals of all sandboxes, in bytes; 0 for no journal.',
  }),
});

/** The default is empty for a variable without one. */
export const variables = Object.entries(Environment.properties).map(([name, schema]) => ({
  name,
  default: String(schema['default'] ?? ''),
  description: String(schema['description']),
}));
