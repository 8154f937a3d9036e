// The environment variables of the service, each with its values, its default and its line in the documentation.
import { Type } from '@sinclair/typebox';

interface Words {
  /** For the documentation's table and `serve --help`. */
  readonly description: string;
  /** Completes "X must be …". */
  readonly expects?: string;
}

const text = (pattern: string, words: Required<Words>) => Type.String({ pattern, ...words });

const count = (minimum: number, maximum: number, initial: number, words: Words) =>
  Type.Integer({ minimum, maximum, default: initial, expects: `a number from ${minimum} to ${maximum}`, ...words });

const choice = <const V extends readonly string[]>(values: V, initial: V[number], words: Words) =>
  Type.Unsafe<V[number]>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { default: initial, expects: `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`, ...words },
    ),
  );

const databaseUrl = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      expects: 'a URL that begins with postgres://',
      secret: true,
      description,
    }),
  );

const rateLimit = (example: string, description: string) =>
  Type.String({
    pattern: '^(?:off|[1-9]\\d{0,8}/(?:second|minute|hour|day))$',
    default: 'off',
    expects: `off, or a number a second, minute, hour or day, such as ${example}`,
    description,
  });

export const Environment = Type.Object({
  PORT: count(0, 65_535, 8000, {
    expects: 'a port, 0 to 65535 (0 picks a free one)',
    description: 'Port to listen on; 0 picks a free one and prints it.',
  }),
  DATABASE_URL: databaseUrl('PostgreSQL 15 or newer. Default: the embedded one.'),
  UNDERSTUDY_READ_DATABASE_URL: databaseUrl(
    'A synchronous streaming replica of DATABASE_URL, which then serves all reads.',
  ),
  LOG_LEVEL: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info', {
    description: 'The least severe level that is logged.',
  }),
  UNDERSTUDY_HOST: Type.String({
    minLength: 1,
    default: '127.0.0.1',
    expects: 'an address',
    description: 'Address to listen on.',
  }),
  UNDERSTUDY_DATA_DIR: Type.Optional(
    Type.String({
      minLength: 1,
      expects: 'a folder',
      description: 'Where the embedded PostgreSQL keeps its data. Default: `.understudy`.',
    }),
  ),
  UNDERSTUDY_SEED: Type.String({
    minLength: 1,
    default: 'documented',
    expects: 'the name of a shipped seed or a file',
    description: 'What a new database is filled with: a shipped seed or a file.',
  }),
  UNDERSTUDY_ANONYMOUS: choice(['read', 'strict', 'write'], 'read', {
    description: 'What a request without a token may do.',
  }),
  UNDERSTUDY_PUBLIC_URL: Type.Optional(
    text('^https?://[A-Za-z0-9._\\[\\]:-]+(/[A-Za-z0-9._~/-]*)?$', {
      expects: 'a URL that begins with http:// or https://',
      description: 'Base of all URLs in responses. Default: taken from the request.',
    }),
  ),
  UNDERSTUDY_TRUST_PROXY: Type.Integer({
    minimum: 0,
    maximum: 10,
    default: 0,
    // Once a boolean.
    form: /^(?:\d+|true|false)$/,
    expects: 'a number of proxies from 0 to 10, true or false',
    description:
      'Number of proxies in front of the service, whose X-Forwarded-For, -Host and -Proto are trusted; `true` is 1.',
  }),
  UNDERSTUDY_PAGE_SIZE: count(1, 1000, 50, { description: 'Entries on a page if the request names no size.' }),
  UNDERSTUDY_BODY_LIMIT: count(1024, 1_073_741_824, 65_536, {
    expects: 'a number of bytes from 1024 to 1073741824',
    description: 'Largest body of a request to the mirrored API, in bytes.',
  }),
  UNDERSTUDY_ADMIN_BODY_LIMIT: count(1024, 1_073_741_824, 1_048_576, {
    expects: 'a number of bytes from 1024 to 1073741824',
    description: 'Largest body of a request under `/_understudy/`, such as a seed, in bytes.',
  }),
  UNDERSTUDY_FORM_FIELDS: count(1, 100_000, 1000, { description: 'Most fields of a form.' }),
  UNDERSTUDY_POOL_SIZE: count(2, 100, 4, {
    description: 'Connections for transactions, beside six shared ones; one sandbox takes half of them at most.',
  }),
  UNDERSTUDY_RATE_LIMIT_ANONYMOUS: rateLimit(
    '100/day',
    'Anonymous requests allowed to an address, as `100/day`; `off` for no limit.',
  ),
  UNDERSTUDY_RATE_LIMIT_USER: rateLimit('5000/hour', 'Requests allowed to a user, as `5000/hour`; `off` for no limit.'),
  UNDERSTUDY_ADMIN: choice(['auto', 'on', 'off'], 'auto', {
    description:
      'Whether `/_understudy/` may be used; `auto`: on loopback without a proxy, elsewhere only with UNDERSTUDY_ADMIN_TOKEN.',
  }),
  UNDERSTUDY_ADMIN_TOKEN: Type.Optional(
    Type.String({
      pattern: '^[!-~]{8,200}$',
      expects: '8 to 200 characters of ASCII without blanks',
      secret: true,
      description: 'If set, `/_understudy/` requires it: `Authorization: Bearer …`.',
    }),
  ),
  UNDERSTUDY_ALLOWED_HOSTS: Type.String({
    pattern: '^([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])?(\\s*,\\s*([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\]))*$',
    default: '',
    expects: 'host names, with commas between them and without ports',
    description: 'Hosts under which `/_understudy/` may be used, beside loopback and names without a dot.',
  }),
  UNDERSTUDY_MAX_SANDBOXES: count(1, 1_000_000, 2000, { description: 'Most sandboxes at the same time.' }),
  UNDERSTUDY_JOURNAL_SIZE: count(0, 10_000, 200, {
    description: 'Requests that the journal of a sandbox keeps; 0 for no journal.',
  }),
  UNDERSTUDY_STATEMENT_TIMEOUT: count(100, 600_000, 10_000, {
    expects: 'milliseconds from 100 to 600000',
    description: 'Milliseconds after which a statement is cancelled and its request gets 503.',
  }),
  UNDERSTUDY_MAX_REQUESTS: count(1, 100_000, 500, {
    description: 'Requests in progress at the same time; further ones get 503 at once.',
  }),
  UNDERSTUDY_PREPARED_STATEMENTS: Type.Boolean({
    default: true,
    expects: 'true or false',
    description: 'Set false for PgBouncer before 1.21.',
  }),
});

interface Variable {
  readonly name: string;
  /** Empty where there is none. */
  readonly default: string;
  readonly description: string;
}

export const variables: readonly Variable[] = Object.entries(Environment.properties).map(([name, schema]) => ({
  name,
  default: schema['default'] === undefined ? '' : String(schema['default']),
  description: String(schema['description']),
}));
