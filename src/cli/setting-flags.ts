// Flags that stand for variables. A flag wins over its variable.
import { UserError } from '../base/failure.ts';
import { readConfiguration } from '../service/config/config.ts';
import type { CommandIo } from './command.ts';
import { UsageError, valued } from './usage.ts';

export const databaseFlags = {
  'database-url': valued('URL', 'PostgreSQL 15 or newer (default: DATABASE_URL, or the embedded one)'),
  'data-dir': valued('DIR', 'data of the embedded PostgreSQL (default: UNDERSTUDY_DATA_DIR, or .understudy)'),
} as const;

const variables = {
  port: 'PORT',
  host: 'UNDERSTUDY_HOST',
  seed: 'UNDERSTUDY_SEED',
  'database-url': 'DATABASE_URL',
  'data-dir': 'UNDERSTUDY_DATA_DIR',
  temporary: 'UNDERSTUDY_TEMPORARY',
} as const;

type Flag = keyof typeof variables;
export type SettingFlags = { readonly [F in Flag]?: string | boolean | undefined };

const locations: readonly Flag[] = ['database-url', 'data-dir', 'temporary'];

/** Throws UserError for wrong values: it names their flags or variables. */
export function readSettings(flags: SettingFlags, env: CommandIo['env']) {
  const named = (Object.keys(variables) as Flag[]).filter((flag) => flags[flag]);
  const [location, other] = named.filter((flag) => locations.includes(flag));
  if (other !== undefined) throw new UsageError(`--${location} and --${other} exclude each other`);
  // A flag of `locations` overrides the variables of all `locations`.
  const replaced = location === undefined ? [] : locations.map((flag) => variables[flag]);
  const merged = {
    ...env,
    ...Object.fromEntries(replaced.map((name) => [name, undefined])),
    ...Object.fromEntries(named.map((flag) => [variables[flag], String(flags[flag])])),
  };
  const aliases = Object.fromEntries(named.map((flag) => [variables[flag], `--${flag}`]));
  return { configuration: readConfiguration(merged, aliases), aliases };
}

/** Returns the settings. Throws UserError if they ask for a database that ends with its service. */
export function readPlace(flags: SettingFlags, env: CommandIo['env']) {
  const { configuration } = readSettings(flags, env);
  if (configuration.UNDERSTUDY_TEMPORARY)
    throw new UserError(
      'UNDERSTUDY_TEMPORARY is set, and only a service can have a temporary database.\n' +
        'Name that service by --url URL (if the command has it), or a database by --data-dir or --database-url.',
    );
  return configuration;
}
