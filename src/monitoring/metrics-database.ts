// The database's figures: the statements sent, the pool, and how many sandboxes there are.
import type { Database } from '../database/database.ts';
import { gauge } from './metrics-process.ts';
import { countSandboxes } from './metrics-queries.ts';
import type { Family } from './metrics-text.ts';

// Who scrapes is answered also while the database hangs.
const patienceMs = 1000;

export async function collectDatabase(database: Database): Promise<Family[]> {
  const { statements, pool } = database.figures();
  const ways = Object.entries(statements);
  const sandboxes = await findSandboxes(database);
  return [
    statementFamily('understudy_database_statements_total', 'Statements sent.', 'counter', (of) => of.sent),
    statementFamily(
      'understudy_database_statements_failed_total',
      'Statements that failed.',
      'counter',
      (of) => of.failed,
    ),
    statementFamily(
      'understudy_database_statements_in_flight',
      'Statements not answered yet.',
      'gauge',
      (of) => of.inFlight,
    ),
    gauge('understudy_database_pool_connections', 'Open connections for transactions.', pool.connections),
    gauge('understudy_database_pool_idle', 'Those of them that nobody uses.', pool.idle),
    gauge('understudy_database_pool_waiting', 'Who waits for one.', pool.waiting),
    gauge('understudy_database_up', 'Whether the database answered this look.', sandboxes === undefined ? 0 : 1),
    ...(sandboxes === undefined ? [] : [gauge('understudy_sandboxes', 'Sandboxes, default among them.', sandboxes)]),
  ];

  function statementFamily(
    name: string,
    help: string,
    type: 'counter' | 'gauge',
    value: (figures: (typeof statements)['reads']) => number,
  ): Family {
    return {
      name,
      help,
      type,
      samples: ways.map(([way, figures]) => ({ labels: { way }, value: value(figures) })),
    };
  }
}

/** Undefined where the database doesn't answer in time. */
async function findSandboxes(database: Database): Promise<number | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), patienceMs);
  try {
    return await Promise.race([countSandboxes(database.reads, {}).then(([row]) => row?.sandboxes), late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
