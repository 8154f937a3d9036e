// The SQL of the figures.
import { sql } from 'kysely';
import { prepare } from '../database/prepare.ts';

// Those without a name are the hidden copies that sandboxes reset to.
export const countSandboxes = prepare<object, { sandboxes: number }>((db) =>
  db
    .selectFrom('understudy.sandboxes')
    .where('name', 'is not', null)
    .select(sql<number>`count(*)::int4`.as('sandboxes')),
);
