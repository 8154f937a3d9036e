// The options of `start`, and what the service's process gets from them: environment and standard input.
import { resolve } from 'node:path';
import type { Seed } from '../client/wire-types.ts';

export interface StartOptions {
  /**
   * The seed of the service: a shipped seed's name, a path, or the seed itself, as an object or as text of
   * several lines. Default: `documented`.
   */
  readonly seed?: string | Seed | undefined;
  /** The port to listen on. Default: a free port. */
  readonly port?: number | undefined;
  /** The address to listen on. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** URL of a PostgreSQL, 15 or newer. With neither this nor `dataDir`, the data ends with the service. */
  readonly databaseUrl?: string | undefined;
  /** A folder that keeps the data of an embedded PostgreSQL between runs. */
  readonly dataDir?: string | undefined;
  /** What a request without a token may do. Default: `read`. */
  readonly anonymous?: 'read' | 'strict' | 'write' | undefined;
  /** If set, the control API requires this token. The client that `start` returns sends it. */
  readonly adminToken?: string | undefined;
  /** Origins of pages that may use the Weblate API, or `*`. */
  readonly corsOrigins?: string | readonly string[] | undefined;
  /** How long the service may take to listen. Default: a minute. */
  readonly startTimeoutMs?: number | undefined;
  /** Further variables by name (`npx weblate-understudy serve --help`). This process's own don't count. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Where the log goes: nowhere (default), to this process's output, or line by line to a function. */
  readonly log?: 'silent' | 'inherit' | ((line: string) => void) | undefined;
  /** Abandons the start. */
  readonly signal?: AbortSignal | undefined;
}

/** The variables that options stand for. @internal */
export const variables = {
  port: 'PORT',
  databaseUrl: 'DATABASE_URL',
  host: 'UNDERSTUDY_HOST',
  dataDir: 'UNDERSTUDY_DATA_DIR',
  seed: 'UNDERSTUDY_SEED',
  anonymous: 'UNDERSTUDY_ANONYMOUS',
  adminToken: 'UNDERSTUDY_ADMIN_TOKEN',
  corsOrigins: 'UNDERSTUDY_CORS_ORIGINS',
} as const satisfies Partial<Record<keyof StartOptions, string>>;

// What the service needs of this process's environment.
const inherited = 'PATH HOME USER LOGNAME TMPDIR XDG_CACHE_HOME NODE_COMPILE_CACHE NODE_EXTRA_CA_CERTS'.split(' ');

/** Makes the options' paths absolute. @internal */
export const resolvePaths = ({ seed, dataDir, ...others }: StartOptions, folder = '.') => ({
  ...others,
  seed: typeof seed === 'string' && !/\n|^[a-z0-9-]+$/.test(seed) ? resolve(folder, seed) : seed,
  dataDir: dataDir === undefined ? undefined : resolve(folder, dataDir),
});

/** The environment of the service's process, and its standard input: a seed's text, or empty. @internal */
export function describeLaunch(given: StartOptions) {
  const { seed, log, env = {}, ...options } = resolvePaths(given);
  const text = typeof seed === 'object' ? JSON.stringify(seed) : seed;
  const isInline = typeof seed === 'object' || seed?.includes('\n') === true;
  const kept = options.databaseUrl ?? options.dataDir ?? env['DATABASE_URL'] ?? env['UNDERSTUDY_DATA_DIR'];
  const set = { ...options, port: options.port ?? 0, seed: isInline ? '-' : text };
  // fork() leaves out undefined variables.
  const variablesOfChild: NodeJS.ProcessEnv = {
    ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
    LOG_LEVEL: typeof log === 'function' || log === 'inherit' ? 'info' : 'silent',
    ...(kept === undefined && { UNDERSTUDY_TEMPORARY: 'true' }),
    ...env,
    // A list of origins becomes `a,b`.
    ...Object.fromEntries(namesOf(set).map((name) => [variables[name], String(set[name])])),
  };
  return { env: variablesOfChild, input: isInline ? text : '' };
}

const namesOf = (options: Pick<StartOptions, keyof typeof variables>) =>
  (Object.keys(variables) as (keyof typeof variables)[]).filter((name) => options[name] !== undefined);

/** @internal */
export const optionNames: readonly string[] = [
  ...Object.keys(variables),
  ...(['startTimeoutMs', 'env', 'log', 'signal'] satisfies (keyof StartOptions)[]),
];

/** The message, with the names of given options instead of their variables. @internal */
export function inTermsOfOptions(message: string, options: StartOptions) {
  return namesOf(options)
    .reduce((text, name) => text.replaceAll(new RegExp(`\\b${variables[name]}\\b`, 'g'), name), message)
    .replace(/Try another one: .*/, 'Leave `port` out for a free one.');
}
