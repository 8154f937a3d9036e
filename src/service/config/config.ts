// Reads and checks the environment, and makes the options of database and app from it.
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type AdminAccess, isLoopback } from '../../access/gate.ts';
import { UserError } from '../../base/failure.ts';
import { didYouMean } from '../../base/nearest.ts';
import type { Database, DatabaseOptions } from '../../database/database.ts';
import type { CorsOrigins } from '../../http/edge/cors.ts';
import type { LogStream } from '../../http/edge/log.ts';
import type { JournalBounds } from '../../traffic/journal/journal.ts';
import { Environment } from './variables.ts';

export type Configuration = Readonly<Static<typeof Environment>>;

/** The address by which clients reach the port. In a container, UNDERSTUDY_HOST is only the address inside. */
export const reachableAt = (values: Configuration) => values.UNDERSTUDY_BIND ?? values.UNDERSTUDY_HOST;

type Given = Readonly<Record<string, string | undefined>>;

/** What the user gave in place of variables, such as `--port` for PORT. Errors name it. */
export type Aliases = Readonly<Record<string, string>>;

const schemas: Readonly<Record<string, TSchema>> = Environment.properties;

/** An empty variable counts as unset: compose files have `${NAME:-}`. Throws UserError with all errors. */
export function readConfiguration(env: Given, aliases: Aliases = {}) {
  const converted = Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => (env[name] ? [[name, convert(schema, env[name])]] : [])),
  );
  const values = Value.Default(Environment, converted) as Configuration;
  const faults = [...listUnknown(env), ...listInvalid(values, env, aliases), ...listContradictions(values, aliases)];
  if (faults.length > 0) throw new UserError(faults.join('\n'));
  return Object.freeze(values);
}

// Value.Convert would read 1e2 as 1, and 0x10 as 16. So for integers it gets only digits.
const convert = (schema: TSchema, text: string) =>
  schema['type'] === 'integer' && !/^\d+$/.test(text) ? text : Value.Convert(schema, text);

// Kubernetes sets these variables in every container if a Service is named understudy.
const ofKubernetes = /^UNDERSTUDY_(?:SERVICE_(?:HOST|PORT)(?:_\w+)?|PORT(?:_\d+_\w+)?)$/;

function listUnknown(env: Given) {
  // UNDERSTUDY_URL tells clients which service to use. A CI system may set it for the service too.
  const known = [...Object.keys(schemas), 'UNDERSTUDY_URL'];
  const otherwise = ' (`weblate-understudy serve --help` lists them all): remove it';
  return Object.keys(env)
    .filter((name) => name.startsWith('UNDERSTUDY_') && !known.includes(name) && !ofKubernetes.test(name))
    .map((name) => `${name} is not a variable of this version${didYouMean(name, known, otherwise)}`);
}

function listInvalid(values: Configuration, given: Given, aliases: Aliases) {
  const names = new Set([...Value.Errors(Environment, values)].map((error) => error.path.split('/')[1] as string));
  return [...names].map((name) => {
    const { expects, secret } = schemas[name] as TSchema & { expects: string; secret?: boolean };
    return `${aliases[name] ?? name} must be ${expects}${secret === true ? '' : `, not "${given[name]}"`}`;
  });
}

function* listContradictions(values: Configuration, aliases: Aliases): Generator<string> {
  const kept = (['DATABASE_URL', 'UNDERSTUDY_DATA_DIR'] as const).filter((name) => values[name] !== undefined);
  if (values.UNDERSTUDY_TEMPORARY && kept.length > 0)
    yield `UNDERSTUDY_TEMPORARY makes a database; it needs ${kept.join(' and ')} to be unset`;
  if (values.UNDERSTUDY_ANONYMOUS !== 'write') return;
  const name = values.UNDERSTUDY_BIND === undefined ? 'UNDERSTUDY_HOST' : 'UNDERSTUDY_BIND';
  if (!isLoopback(reachableAt(values)))
    yield (
      `UNDERSTUDY_ANONYMOUS=write lets anonymous clients change everything; ` +
        `it needs a loopback ${aliases[name] ?? name}, not "${values[name]}"`
    );
  if (values.UNDERSTUDY_CORS_ORIGINS === '*')
    yield 'UNDERSTUDY_CORS_ORIGINS=* lets every web page change everything with UNDERSTUDY_ANONYMOUS=write; list origins instead';
}

/** After this time a statement is cancelled, and its request gets 503. */
export const statementTimeoutMs = 10_000;

export const databaseOptions = (url: string, values: Configuration): DatabaseOptions => ({
  url,
  statementTimeoutMs,
  // After this wait for a lock, a client gets 503 and may retry. Its statement no longer delays others.
  lockTimeoutMs: 1000,
  connectTimeoutMs: 3000,
  poolSize: values.UNDERSTUDY_POOL_SIZE,
});

export interface AppOptions extends ReturnType<typeof appOptions> {
  readonly database: Database;
  /** Default: standard output. */
  readonly logTo?: LogStream | undefined;
  readonly journalBounds?: JournalBounds;
  /** How long exports, and lists of the journal, wait for their readers. */
  readonly exportTimeoutMs?: number;
}

export const appOptions = (values: Configuration) => ({
  anonymous: values.UNDERSTUDY_ANONYMOUS,
  publicUrl: values.UNDERSTUDY_PUBLIC_URL?.replace(/\/+$/, ''),
  trustProxy: values.UNDERSTUDY_TRUST_PROXY,
  adminBodyLimitBytes: values.UNDERSTUDY_ADMIN_BODY_LIMIT,
  /** The most requests in progress. Further requests get 503 at once. */
  maxRequests: 500,
  rateLimits: { anonymous: values.UNDERSTUDY_RATE_LIMIT_ANONYMOUS, user: values.UNDERSTUDY_RATE_LIMIT_USER },
  corsOrigins: readOrigins(values.UNDERSTUDY_CORS_ORIGINS),
  admin: adminOptions(values),
  logLevel: values.LOG_LEVEL,
});

/** Origins as browsers send them: in lower case, and without the default port. */
function readOrigins(text: string): CorsOrigins | undefined {
  if (text === '' || text === '*') return text || undefined;
  return text.split(',').map((one) => {
    const origin = URL.parse(one)?.origin;
    // The URL Standard gives some schemes no origin, such as those of browser extensions.
    return origin === undefined || origin === 'null' ? one.trim() : origin;
  });
}

export const adminOptions = (values: Configuration) => ({
  access: {
    mode: values.UNDERSTUDY_ADMIN,
    token: values.UNDERSTUDY_ADMIN_TOKEN,
    allowedHosts: [
      ...values.UNDERSTUDY_ALLOWED_HOSTS.split(',').map((host) => host.trim()),
      URL.parse(values.UNDERSTUDY_PUBLIC_URL ?? '')?.hostname ?? '',
    ],
    // Behind a proxy, every client seems local.
    isLocal: isLoopback(reachableAt(values)) && values.UNDERSTUDY_TRUST_PROXY === 0,
  } as AdminAccess,
  maxSandboxes: values.UNDERSTUDY_MAX_SANDBOXES,
  journalBytes: values.UNDERSTUDY_JOURNAL_BYTES,
});
