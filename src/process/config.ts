// The configuration: one schema of the environment, one frozen object. All faults are told at once, each with its variable.
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { findNearest } from '../nearest.ts';

/** The message has a line for each fault. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

// `expects` ends the sentence "X must be …"; the README's table comes from `description`.
const Environment = Type.Object({
  PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 8000,
    expects: 'a port, 0 to 65535 (0 picks a free one)',
    description: 'Port to listen on; 0 picks a free one and prints it.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      expects: 'a URL that begins with postgres://',
      description: 'PostgreSQL 15 or newer. Left out: the embedded one.',
      secret: true,
    }),
  ),
  UNDERSTUDY_READ_DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      expects: 'a URL that begins with postgres://',
      description: 'A synchronous streaming replica of DATABASE_URL, which then serves what only reads.',
      secret: true,
    }),
  ),
  LOG_LEVEL: Type.Union(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => Type.Literal(level)),
    {
      default: 'info',
      expects: 'fatal, error, warn, info, debug, trace or silent',
      description: 'How much is logged.',
    },
  ),
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
      description: 'Where the embedded PostgreSQL keeps its data: .understudy if left out.',
    }),
  ),
  UNDERSTUDY_SEED: Type.String({
    minLength: 1,
    default: 'documented',
    expects: 'the name of a shipped seed or a file',
    description: 'What a new database is filled with: a shipped seed or a file.',
  }),
  UNDERSTUDY_ANONYMOUS: Type.Union([Type.Literal('read'), Type.Literal('strict'), Type.Literal('write')], {
    default: 'read',
    expects: 'read, strict or write',
    description: 'What a request without a token may do.',
  }),
  UNDERSTUDY_PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[A-Za-z0-9._\\[\\]:-]+(/[A-Za-z0-9._~/-]*)?$',
      expects: 'a URL that begins with http:// or https://',
      description: 'Base of all URLs in answers. Left out: what the request says.',
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
  UNDERSTUDY_PAGE_SIZE: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 50,
    expects: 'a number from 1 to 1000',
    description: 'Entries a page where the request names no size.',
  }),
  UNDERSTUDY_BODY_LIMIT: Type.Integer({
    minimum: 1024,
    maximum: 1_073_741_824,
    default: 65_536,
    expects: 'a number of bytes from 1024 to 1073741824',
    description: 'Largest body of a request to the mirrored API, in bytes.',
  }),
  UNDERSTUDY_ADMIN_BODY_LIMIT: Type.Integer({
    minimum: 1024,
    maximum: 1_073_741_824,
    default: 1_048_576,
    expects: 'a number of bytes from 1024 to 1073741824',
    description: 'Largest body of a request under `/_understudy/`, such as a seed, in bytes.',
  }),
  UNDERSTUDY_FORM_FIELDS: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 1000,
    expects: 'a number from 1 to 100000',
    description: 'Most fields of a form.',
  }),
  UNDERSTUDY_POOL_SIZE: Type.Integer({
    minimum: 2,
    maximum: 100,
    default: 4,
    expects: 'a number from 2 to 100',
    description: 'Connections for transactions, beside six shared ones; one sandbox takes half of them at most.',
  }),
  UNDERSTUDY_RATE_LIMIT_ANONYMOUS: Type.String({
    pattern: '^(?:off|[1-9]\\d{0,8}/(?:second|minute|hour|day))$',
    default: 'off',
    expects: 'off, or a number a second, minute, hour or day, such as 100/day',
    description: 'Requests that an address without a token may make, as `100/day`; `off` for no limit.',
  }),
  UNDERSTUDY_RATE_LIMIT_USER: Type.String({
    pattern: '^(?:off|[1-9]\\d{0,8}/(?:second|minute|hour|day))$',
    default: 'off',
    expects: 'off, or a number a second, minute, hour or day, such as 5000/hour',
    description: 'Requests that a user may make, as `5000/hour`; `off` for no limit.',
  }),
  UNDERSTUDY_ADMIN: Type.Union([Type.Literal('auto'), Type.Literal('on'), Type.Literal('off')], {
    default: 'auto',
    expects: 'auto, on or off',
    description:
      'Whether `/_understudy/` may be used; `auto`: on loopback and not through a proxy, else with UNDERSTUDY_ADMIN_TOKEN.',
  }),
  UNDERSTUDY_ADMIN_TOKEN: Type.Optional(
    Type.String({
      pattern: '^[!-~]{8,200}$',
      expects: '8 to 200 characters of ASCII without blanks',
      description: 'Where it is set, `/_understudy/` asks for it: `Authorization: Bearer …`.',
      secret: true,
    }),
  ),
  UNDERSTUDY_ALLOWED_HOSTS: Type.String({
    pattern: '^([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])?(\\s*,\\s*([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\]))*$',
    default: '',
    expects: 'host names, with commas between them and without ports',
    description: 'Hosts beside loopback and names without a dot under which `/_understudy/` may be used.',
  }),
  UNDERSTUDY_MAX_SANDBOXES: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 2000,
    expects: 'a number from 1 to 1000000',
    description: 'How many sandboxes there may be.',
  }),
  UNDERSTUDY_JOURNAL_SIZE: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: 200,
    expects: 'a number from 0 to 10000',
    description: 'Requests that the journal of a sandbox keeps; 0 for no journal.',
  }),
  UNDERSTUDY_STATEMENT_TIMEOUT: Type.Integer({
    minimum: 100,
    maximum: 600_000,
    default: 10_000,
    expects: 'milliseconds from 100 to 600000',
    description: 'After this many milliseconds a statement is given up and answered 503.',
  }),
  UNDERSTUDY_MAX_REQUESTS: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 500,
    expects: 'a number from 1 to 100000',
    description: 'Requests that are answered at the same time; further ones get 503 at once.',
  }),
  UNDERSTUDY_PREPARED_STATEMENTS: Type.Boolean({
    default: true,
    expects: 'true or false',
    description: 'Set false for PgBouncer before 1.21.',
  }),
});

export type Configuration = Readonly<Static<typeof Environment>>;

interface Variable {
  readonly name: string;
  /** Empty where there is none. */
  readonly default: string;
  readonly description: string;
}

/** Every variable, for the README's table and `--help`. */
export const variables: readonly Variable[] = Object.entries(Environment.properties).map(([name, schema]) => ({
  name,
  default: schema['default'] === undefined ? '' : String(schema['default']),
  description: String(schema['description']),
}));

/**
 * Reads the environment. Empty counts as left out, as in a compose file's `${NAME:-}`.
 * @throws ConfigurationError with every fault
 */
export function readConfiguration(env: Readonly<Record<string, string | undefined>>): Configuration {
  const given = Object.fromEntries(
    Object.keys(Environment.properties).flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  );
  // Convert writes into what it is given.
  const converted = { ...Object(Value.Convert(Environment, { ...given })), ...oddNumbers(given) };
  const values = Value.Default(Environment, converted) as Configuration;
  const faults = [...unknownNames(env), ...invalidValues(values, given), ...contradictions(values)];
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
  return Object.freeze(values);
}

// Kubernetes tells every container of a Service that is named understudy.
const ofKubernetes = /^UNDERSTUDY_(?:SERVICE_(?:HOST|PORT)(?:_\w+)?|PORT(?:_\d+_\w+)?)$/;

// Convert would take the 1 of 1e2, 1.5 or 0x10 for the number: what isn't digits alone stays a text, and so a fault.
function oddNumbers(given: Readonly<Record<string, string>>): Record<string, string> {
  const isOdd = ([name, text]: [string, string]) => {
    const { type, form = /^\d+$/ } = (Environment.properties as Record<string, TSchema>)[name] as TSchema & {
      form?: RegExp;
    };
    return type === 'integer' && !form.test(text);
  };
  return Object.fromEntries(Object.entries(given).filter(isOdd));
}

function unknownNames(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.keys(Environment.properties);
  return Object.keys(env)
    .filter((name) => name.startsWith('UNDERSTUDY_') && !known.includes(name) && !ofKubernetes.test(name))
    .map((name) => {
      const nearest = findNearest(name, known);
      return `${name} is not a setting${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
    });
}

function invalidValues(values: unknown, given: Record<string, string>): string[] {
  const names = new Set([...Value.Errors(Environment, values)].map((error) => error.path.split('/')[1] as string));
  return [...names].map((name) => {
    const schema = (Environment.properties as Record<string, TSchema>)[name];
    const shown = schema?.['secret'] === true ? '' : `, not "${given[name]}"`;
    return `${name} must be ${schema?.['expects']}${shown}`;
  });
}

/** Whether only this machine reaches the address. */
export const isLoopback = (host: string): boolean => loopback.test(host);

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

function contradictions(values: Configuration): string[] {
  const replicaOfNothing = values.UNDERSTUDY_READ_DATABASE_URL !== undefined && values.DATABASE_URL === undefined;
  if (replicaOfNothing) return ['UNDERSTUDY_READ_DATABASE_URL is a replica of DATABASE_URL, which is not set'];
  return values.UNDERSTUDY_ANONYMOUS === 'write' && !loopback.test(values.UNDERSTUDY_HOST)
    ? [
        `UNDERSTUDY_ANONYMOUS=write lets everybody change everything; it needs a loopback UNDERSTUDY_HOST, not "${values.UNDERSTUDY_HOST}"`,
      ]
    : [];
}
