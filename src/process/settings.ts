// What the configuration means to the database and to the app: said once, for the process, the commands and the tests.
import type { AdminSettings } from '../own-api.ts';
import type { AppOptions } from '../app.ts';
import { type Configuration, isLoopback } from './config.ts';
import type { DatabaseOptions } from '../database/database.ts';

const connectTimeoutMs = 3000;
// Clients of a sandbox that is locked are told to come again, and those of others don't wait behind them any longer.
const lockTimeoutMs = 1000;

export const databaseSettings = (url: string, configuration: Configuration): DatabaseOptions => ({
  url,
  readUrl: configuration.UNDERSTUDY_READ_DATABASE_URL,
  preparedStatements: configuration.UNDERSTUDY_PREPARED_STATEMENTS,
  statementTimeoutMs: configuration.UNDERSTUDY_STATEMENT_TIMEOUT,
  lockTimeoutMs,
  connectTimeoutMs,
  poolSize: configuration.UNDERSTUDY_POOL_SIZE,
});

export const appSettings = (configuration: Configuration): Omit<AppOptions, 'database' | 'samples'> => ({
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
  admin: adminSettings(configuration),
  logLevel: configuration.LOG_LEVEL,
});

/** The part of the options that concerns `/_understudy/`. */
export const adminSettings = (configuration: Configuration): AdminSettings => ({
  access: {
    mode: configuration.UNDERSTUDY_ADMIN,
    token: configuration.UNDERSTUDY_ADMIN_TOKEN,
    allowedHosts: configuration.UNDERSTUDY_ALLOWED_HOSTS.split(',').map((host) => host.trim()),
    // Behind a proxy the address that is listened on says nothing of who asks.
    isLocal: isLoopback(configuration.UNDERSTUDY_HOST) && configuration.UNDERSTUDY_TRUST_PROXY === 0,
  },
  maxSandboxes: configuration.UNDERSTUDY_MAX_SANDBOXES,
  journalSize: configuration.UNDERSTUDY_JOURNAL_SIZE,
});
