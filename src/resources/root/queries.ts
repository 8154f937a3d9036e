// The SQL of the home pages.
import { sql } from 'kysely';
import { prepare } from '../../database/prepare.ts';

/** No row if there is no such sandbox. */
export const findSandbox = prepare<{ sandbox: string }, { id: number }>(
  (_db, slot) => sql`select id from understudy.sandboxes where name = ${slot('sandbox', 'text')}`,
);
