// The settings of our sessions, and a check that sessions have them: poolers may drop settings.
import { sql } from 'kysely';
import { codeOf, UserError } from '../base/failure.ts';
import { type Handle, prepare } from './prepare.ts';

/** PostgreSQL's settings by name. Durations are milliseconds, as pg_settings shows them. */
export type Settings = Readonly<Record<string, string>>;

// A plan made for tiny tables must not scan a whole table later, not even to check foreign keys.
// A role's or database's default isolation level must not apply to our sessions.
const noScans = { enable_seqscan: 'off', jit: 'off', default_transaction_isolation: 'read committed' };
// One plan per statement: a plan for each set of values would cost 88 % of the speed. Memoize would
// cost small statements 10 %, for lookups that hardly repeat.
const planOnce = { ...noScans, plan_cache_mode: 'force_generic_plan', enable_memoize: 'off' };
// Lets the server notice a lost client while a statement waits.
const noticeLoss = { client_connection_check_interval: '100' };
// Spares our writes the trigger that raises the counters for plain SQL.
const countsIds = { 'understudy.counts_ids': 'on' };

export function sessionSettings(statementTimeoutMs: number, lockTimeoutMs: number) {
  const inTime = { statement_timeout: String(statementTimeoutMs) };
  const written = { ...inTime, lock_timeout: String(lockTimeoutMs) };
  return {
    reads: { ...planOnce, ...inTime },
    writes: { ...planOnce, ...written, ...noticeLoss, ...countsIds },
    loads: { ...noScans, ...written },
    // Without triggers (mostly of foreign keys), copies take half the time. Other writes need triggers
    // to cascade and to check foreign keys, so never set this for a role.
    copies: { ...planOnce, ...written, ...noticeLoss, ...countsIds, session_replication_role: 'replica' },
  };
}

/** The command for the grant that makes copies faster; no row if the role has it. */
export const findMissingGrant = prepare<object, { command: string }>(
  () => sql`
    select format('grant set on parameter session_replication_role to %I;', current_user) as command
    where not has_parameter_privilege('session_replication_role', 'set')`,
);

/** The commands for missing settings. `counts_ids` may be missing: that only slows writes. */
const findMissing = prepare<{ wanted: Settings }, { command: string }>(
  (_, slot) => sql`
    select
      format('alter role %I in database %I set %s = %L;',
        current_user, current_database(), w.name, w.value) as command
    from jsonb_each_text(${slot('wanted', 'jsonb')}) w(name, value)
    where strpos(w.name, '.') = 0
      and not exists (
        select from pg_settings s where s.name = w.name and s.setting = w.value)`,
);

export async function checkSettings(connections: readonly { handle: Handle; settings: Settings }[]) {
  const missing = await Promise.all(
    connections.map(({ handle, settings }) => findMissing(handle, { wanted: settings })),
  ).catch(explainRefusal);
  const commands = new Set(missing.flat().map(({ command }) => `  ${command}`));
  if (commands.size === 0) return;
  throw new UserError(
    [
      'The database dropped settings that the service asks for; a pooler may stand between. Set them for the role:',
      ...commands,
      'and let the pooler make new connections (RECONNECT in PgBouncer).',
    ].join('\n'),
  );
}

function explainRefusal(error: unknown): never {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  // PgBouncer's error for an unknown setting.
  if (codeOf(cause) !== '08P01' || !/startup parameter/.test(String(cause))) throw error;
  throw new UserError(
    `A pooler refuses the service's settings (${(cause as Error).message}). In pgbouncer.ini set:\n` +
      '  ignore_startup_parameters = options,extra_float_digits\nThe next start prints what to set for the role.',
  );
}
