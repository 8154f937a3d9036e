// The database's metrics: statements, the pool, and the number of sandboxes.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { type Family, single } from './metrics-text.ts';
import { countSandboxes } from './queries.ts';

// A scrape gets an answer even while the database hangs.
const timeoutMs = 1000;

export async function collectDatabase(database: Database): Promise<Family[]> {
  const { statements, pool } = database.figures();
  const byWay = (figure: keyof (typeof statements)['reads']) =>
    Object.entries(statements).map(([way, figures]) => ({ labels: { way }, value: figures[figure] }));
  const sandboxes = await findSandboxes(database);
  return [
    {
      name: 'understudy_database_statements_total',
      help: 'Statements sent.',
      type: 'counter',
      samples: byWay('sent'),
    },
    {
      name: 'understudy_database_statements_failed_total',
      help: 'Statements that failed.',
      type: 'counter',
      samples: byWay('failed'),
    },
    {
      name: 'understudy_database_statements_in_flight',
      help: 'Statements not answered yet.',
      type: 'gauge',
      samples: byWay('inFlight'),
    },
    single('gauge', 'understudy_database_pool_connections', 'Open connections for transactions.', pool.connections),
    single('gauge', 'understudy_database_pool_idle', 'Idle connections among them.', pool.idle),
    single('gauge', 'understudy_database_pool_waiting', 'Callers waiting for a connection.', pool.waiting),
    single(
      'gauge',
      'understudy_database_up',
      'Whether the database answered this scrape.',
      sandboxes === undefined ? 0 : 1,
    ),
    ...(sandboxes === undefined
      ? []
      : [single('gauge', 'understudy_sandboxes', 'Sandboxes, including default.', sandboxes)]),
  ];
}

/** Undefined if the database doesn't answer in time. */
async function findSandboxes({ reads }: Database): Promise<number | undefined> {
  const count = countSandboxes(reads, {}).then(
    ([row]) => row?.sandboxes,
    () => undefined,
  );
  return Promise.race([count, sleep(timeoutMs, undefined, { ref: false })]);
}
