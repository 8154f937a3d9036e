// The SQL of health and metrics.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { prepare } from '../../database/prepare.ts';

export const findReadiness = prepare<object, { seeded: boolean; writable: boolean }>((db) =>
  db
    .selectFrom('understudy.sandboxes')
    .where('name', '=', sql.lit('default'))
    .select([
      sql<boolean>`seeded_at is not null`.as('seeded'),
      sql<boolean>`current_setting('transaction_read_only') = 'off'`.as('writable'),
    ]),
);

// Templates, snapshots and other hidden copies have no name.
export const countSandboxes = prepare<object, { sandboxes: number }>((db) =>
  db
    .selectFrom('understudy.sandboxes')
    .where('name', 'is not', null)
    .select(sql<number>`count(*)::int4`.as('sandboxes')),
);

/** Resolves to the fallback if the work fails or takes longer. */
export const within = <T, F>(timeoutMs: number, work: Promise<T>, fallback: F): Promise<T | F> =>
  Promise.race([work.catch(() => fallback), sleep(timeoutMs, fallback, { ref: false })]);
