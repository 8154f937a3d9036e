// The configuration as options of the database and of the app: the same for the process, the commands and the tests.
import { type AdminAccess, isLoopback } from '../../access/gate.ts';
import type { Database, DatabaseOptions } from '../../database/database.ts';
import type { CorsOrigins } from '../../http/edge/cors.ts';
import type { LogStream } from '../../http/edge/log.ts';
import type { JournalBounds } from '../../traffic/journal/journal.ts';
import { type Configuration, reachableAt } from './config.ts';

export const databaseOptions = (url: string, configuration: Configuration): DatabaseOptions => ({
  url,
  statementTimeoutMs: configuration.UNDERSTUDY_STATEMENT_TIMEOUT,
  // A client of a locked sandbox gets 503 and may retry, and those of other sandboxes don't wait behind it any longer.
  lockTimeoutMs: 1000,
  connectTimeoutMs: 3000,
  poolSize: configuration.UNDERSTUDY_POOL_SIZE,
});

export interface AppOptions extends ReturnType<typeof appOptions> {
  readonly database: Database;
  /** Where the log goes; standard output if left out. */
  readonly logTo?: LogStream | undefined;
  readonly journalBounds?: JournalBounds;
  /** How long an export waits for its reader to take the next piece. */
  readonly exportTimeoutMs?: number;
}

export const appOptions = (configuration: Configuration) => ({
  anonymous: configuration.UNDERSTUDY_ANONYMOUS,
  pageSize: configuration.UNDERSTUDY_PAGE_SIZE,
  publicUrl: configuration.UNDERSTUDY_PUBLIC_URL?.replace(/\/+$/, ''),
  trustProxy: configuration.UNDERSTUDY_TRUST_PROXY,
  bodyLimitBytes: configuration.UNDERSTUDY_BODY_LIMIT,
  adminBodyLimitBytes: configuration.UNDERSTUDY_ADMIN_BODY_LIMIT,
  maxFields: configuration.UNDERSTUDY_FORM_FIELDS,
  maxRequests: configuration.UNDERSTUDY_MAX_REQUESTS,
  rateLimits: {
    anonymous: configuration.UNDERSTUDY_RATE_LIMIT_ANONYMOUS,
    user: configuration.UNDERSTUDY_RATE_LIMIT_USER,
  },
  corsOrigins: readOrigins(configuration.UNDERSTUDY_CORS_ORIGINS),
  admin: adminOptions(configuration),
  logLevel: configuration.LOG_LEVEL,
});

/** As browsers write them: in lower case, and without the scheme's own port. */
function readOrigins(text: string): CorsOrigins | undefined {
  if (text === '' || text === '*') return text || undefined;
  return text.split(',').map((one) => {
    const origin = URL.parse(one)?.origin;
    // The URL Standard knows no origin of other schemes, such as those of extensions.
    return origin === undefined || origin === 'null' ? one.trim() : origin;
  });
}

export const adminOptions = (configuration: Configuration) => ({
  access: accessOf(configuration),
  maxSandboxes: configuration.UNDERSTUDY_MAX_SANDBOXES,
  journalBytes: configuration.UNDERSTUDY_JOURNAL_BYTES,
});

const accessOf = (configuration: Configuration): AdminAccess => ({
  mode: configuration.UNDERSTUDY_ADMIN,
  token: configuration.UNDERSTUDY_ADMIN_TOKEN,
  allowedHosts: [
    ...configuration.UNDERSTUDY_ALLOWED_HOSTS.split(',').map((host) => host.trim()),
    URL.parse(configuration.UNDERSTUDY_PUBLIC_URL ?? '')?.hostname ?? '',
  ],
  // Behind a proxy every client seems to be local.
  isLocal: isLoopback(reachableAt(configuration)) && configuration.UNDERSTUDY_TRUST_PROXY === 0,
});
