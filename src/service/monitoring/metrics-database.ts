// The database's metrics: statements, the pool, and the number of sandboxes.
import type { Database } from '../../database/database.ts';
import { type Family, family } from './metrics-text.ts';
import { countSandboxes } from './queries.ts';
import { within } from './within.ts';

// A scrape gets an answer even while the database hangs.
const timeoutMs = 1000;

export async function collectDatabase(database: Database): Promise<Family[]> {
  const { statements, pool } = database.figures();
  const byWay = (figure: keyof (typeof statements)['reads']) =>
    Object.entries(statements).map(([way, figures]) => ({ labels: { way }, value: figures[figure] }));
  const [counted] = await within(timeoutMs, countSandboxes(database.reads, {}), []);
  return [
    family('counter', 'understudy_database_statements_total', 'Statements sent.', byWay('sent')),
    family('counter', 'understudy_database_statements_failed_total', 'Statements that failed.', byWay('failed')),
    family('gauge', 'understudy_database_statements_in_flight', 'Statements not answered yet.', byWay('inFlight')),
    family('gauge', 'understudy_database_pool_connections', 'Open connections for transactions.', pool.connections),
    family('gauge', 'understudy_database_pool_idle', 'Idle connections among them.', pool.idle),
    family('gauge', 'understudy_database_pool_waiting', 'Callers waiting for a connection.', pool.waiting),
    family('gauge', 'understudy_database_up', 'Whether the database answered this scrape.', counted ? 1 : 0),
    family('gauge', 'understudy_sandboxes', 'Sandboxes, including default.', counted?.sandboxes ?? []),
  ];
}
