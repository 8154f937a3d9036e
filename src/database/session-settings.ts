// The settings of the service's sessions, and the check that they have them: a pooler between may drop what a client asks for.
import { sql } from 'kysely';
import { codeOf } from './sqlstates.ts';
import { type Handle, prepare } from './prepare.ts';

/** PostgreSQL's settings by name. Durations are milliseconds, as pg_settings shows them. */
export type Settings = Readonly<Record<string, string>>;

/** The message says what to do. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

// A plan that was made while the tables were tiny must not scan a whole table later. The same holds for the plans that check foreign
// keys.
const noScans = { enable_seqscan: 'off', jit: 'off' };
// One plan a connection, not one for each set of values, which would cost seven eighths of the speed. Memoize would cost small statements
// a tenth to set up, for look-ups that hardly ever repeat.
const planOnce = { ...noScans, plan_cache_mode: 'force_generic_plan', enable_memoize: 'off' };
// A server that lost its client notices while a statement waits.
const noticeLoss = { client_connection_check_interval: '100' };
// Our writes take their ids from the counters, so the trigger that raises the counters for plain SQL has nothing to do.
const countsIds = { 'understudy.counts_ids': 'on' };

export function sessionSettings(
  { statementTimeoutMs, lockTimeoutMs }: { statementTimeoutMs: number; lockTimeoutMs: number },
  hasReplica: boolean,
) {
  const inTime = { statement_timeout: String(statementTimeoutMs) };
  // A client that got its answer finds what it wrote on the replica (docs/scale.md).
  const written: Settings = {
    ...inTime,
    lock_timeout: String(lockTimeoutMs),
    ...(hasReplica ? { synchronous_commit: 'remote_apply' } : {}),
  };
  return {
    reads: { ...planOnce, ...inTime },
    writes: { ...planOnce, ...written, ...noticeLoss, ...countsIds },
    pool: { ...noScans, ...written },
  };
}

/** The settings in the form of a connection's startup packet. */
export const startupOptions = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

interface Found {
  readonly name: string;
  readonly setting: string;
  /** Role and database in the words of `alter role`. */
  readonly owner: string;
}

const findSettings = prepare<{ names: readonly string[] }, Found>((db, slot) =>
  db
    .selectFrom(sql<{ name: string; setting: string }>`pg_settings`.as('s'))
    .where(sql<boolean>`s.name = any(${slot('names', 'text[]')})`)
    .select([
      's.name',
      's.setting',
      sql<string>`format('%I in database %I', current_user, current_database())`.as('owner'),
    ]),
);

/** Throws SettingsError where a session lacks its settings; our own setting excepted, whose absence only slows writes. */
export async function checkSettings(ways: readonly { handle: Handle; settings: Settings }[]): Promise<void> {
  const missing = new Map<string, string>();
  let owner = '';
  await Promise.all(
    ways.map(async ({ handle, settings }) => {
      const wanted = Object.entries(settings).filter(([name]) => !name.includes('.'));
      const rows = await read(handle, wanted);
      for (const [name, value] of wanted)
        if (!rows.some((row) => row.name === name && row.setting === value)) missing.set(name, value);
      owner = rows[0]?.owner ?? owner;
    }),
  );
  if (missing.size === 0) return;
  throw new SettingsError(
    [
      'The database dropped settings that the service asks for when it connects; a pooler may stand between. Set them for the role:',
      ...[...missing].map(([name, value]) => `  alter role ${owner} set ${name} = '${value}';`),
      'and let the pooler make new connections (RECONNECT in PgBouncer).',
    ].join('\n'),
  );
}

async function read(handle: Handle, wanted: readonly (readonly [name: string, value: string])[]): Promise<Found[]> {
  try {
    return await findSettings(handle, { names: wanted.map(([name]) => name) });
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    // PgBouncer's error for a setting that it doesn't know.
    if (codeOf(cause) !== '08P01' || !/startup parameter/.test(String(cause))) throw error;
    throw new SettingsError(
      `A pooler refuses the service's settings (${(cause as Error).message}). In pgbouncer.ini set:\n` +
        '  ignore_startup_parameters = options,extra_float_digits\nand set for the role what deploy/pgbouncer/role.sql lists.',
    );
  }
}
