// The SQL of health.
import { sql } from 'kysely';
import { prepare } from '../database/prepare.ts';

export const findReadiness = prepare<object, { seeded: boolean; writable: boolean }>((db) =>
  db
    .selectFrom('understudy.sandboxes')
    .where('name', '=', sql.lit('default'))
    .select([
      sql<boolean>`seeded_at is not null`.as('seeded'),
      sql<boolean>`current_setting('transaction_read_only') = 'off'`.as('writable'),
    ]),
);
