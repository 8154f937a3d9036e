// What `start` takes, and what the service's process gets of it: arguments, environment and standard input.
import { resolve } from 'node:path';
import type { Seed } from '../client/wire-types.ts';

export interface StartOptions {
  /**
   * What the service starts with: the name of a seed that ships, a path, or the seed itself as an object or as text
   * of more than one line. `documented` if left out.
   */
  readonly seed?: string | Seed | undefined;
  /** The port to listen on; a free one if left out. */
  readonly port?: number | undefined;
  /** The address to listen on; `127.0.0.1` if left out. */
  readonly host?: string | undefined;
  /** A PostgreSQL to use, 15 or newer. Without it and without `dataDir` the data is temporary: it ends with the service. */
  readonly databaseUrl?: string | undefined;
  /** A folder that keeps the data of an embedded PostgreSQL between runs. */
  readonly dataDir?: string | undefined;
  /** What a request without a token may do; `read` if left out. */
  readonly anonymous?: 'read' | 'strict' | 'write' | undefined;
  /** If set, the service's control API requires it. The client that `start` returns has it. */
  readonly adminToken?: string | undefined;
  /** Origins of pages that may use the Weblate API, or `*`. */
  readonly corsOrigins?: string | readonly string[] | undefined;
  /** How long the service may take to listen; a minute if left out. */
  readonly startTimeoutMs?: number | undefined;
  /** Further variables by their names, which `npx weblate-understudy serve --help` lists. Nothing else of the environment is read. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Where the service's log goes: nowhere if left out, to this process's output, or to a function, line by line. */
  readonly log?: 'silent' | 'inherit' | ((line: string) => void) | undefined;
  /** Abandons the start. */
  readonly signal?: AbortSignal | undefined;
}

/** The variables that the options stand for. @internal */
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

// What the service needs of the environment to find programs and folders.
const inherited = 'PATH HOME USER LOGNAME TMPDIR XDG_CACHE_HOME NODE_COMPILE_CACHE NODE_EXTRA_CA_CERTS'.split(' ');

/** Paths of options stay the same files wherever the service runs. @internal */
export const resolvePaths = ({ seed, dataDir, ...others }: StartOptions, folder = '.') => ({
  ...others,
  seed: typeof seed === 'string' && !/\n|^[a-z0-9-]+$/.test(seed) ? resolve(folder, seed) : seed,
  dataDir: dataDir === undefined ? undefined : resolve(folder, dataDir),
});

/** The environment of the service's process, and its standard input: the seed, if it is no name. @internal */
export function describeLaunch(given: StartOptions) {
  const { seed, log, env = {}, ...options } = resolvePaths(given);
  const text = typeof seed === 'object' ? JSON.stringify(seed) : seed;
  const isInline = typeof seed === 'object' || seed?.includes('\n') === true;
  const kept = options.databaseUrl ?? options.dataDir ?? env['DATABASE_URL'] ?? env['UNDERSTUDY_DATA_DIR'];
  const set = { ...options, port: options.port ?? 0, seed: isInline ? '-' : text };
  // fork() leaves out those that are undefined.
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

/** Of the options that are given and stand for variables. */
const namesOf = (options: Pick<StartOptions, keyof typeof variables>) =>
  (Object.keys(variables) as (keyof typeof variables)[]).filter((name) => options[name] !== undefined);

/** @internal */
export const optionNames: readonly string[] = [
  ...Object.keys(variables),
  ...(['startTimeoutMs', 'env', 'log', 'signal'] satisfies (keyof StartOptions)[]),
];

/** The service's message, with the names of the options that were given for those of their variables. @internal */
export function inTermsOfOptions(message: string, options: StartOptions): string {
  return namesOf(options)
    .reduce((text, name) => text.replaceAll(new RegExp(`\\b${variables[name]}\\b`, 'g'), name), message)
    .replace(/Try another one: .*/, 'Leave `port` out for a free one.');
}
