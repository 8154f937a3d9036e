// How much the database is asked, counted where statements leave: for the metrics.
import type { Pool, PoolClient } from './dialect/pooled-driver.ts';
import type { Queryable, Result, Statement } from './dialect/connection.ts';
import type { SharedClient } from './dialect/pipelined-driver.ts';

/** The ways to the database: shared connections that read, those that write, and the pool. */
export type Way = 'reads' | 'writes' | 'pool';

export interface StatementFigures {
  /** Sent since the start, those that failed among them. */
  sent: number;
  failed: number;
  inFlight: number;
}

export interface PoolFigures {
  readonly connections: number;
  readonly idle: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
}

export interface DatabaseFigures {
  readonly statements: Readonly<Record<Way, StatementFigures>>;
  readonly pool: PoolFigures;
}

export const noStatements = (): StatementFigures => ({ sent: 0, failed: 0, inFlight: 0 });

async function counted(figures: StatementFigures, client: Queryable, statement: Statement): Promise<Result> {
  figures.sent++;
  figures.inFlight++;
  try {
    return await client.query(statement);
  } catch (error) {
    figures.failed++;
    throw error;
  } finally {
    figures.inFlight--;
  }
}

export const countShared = (client: SharedClient, figures: StatementFigures): SharedClient => ({
  query: (statement) => counted(figures, client, statement),
  close: () => client.close(),
});

export const countPooled = (pool: Pool, figures: StatementFigures): Pool => ({
  connect: async (): Promise<PoolClient> => {
    const client = await pool.connect();
    return {
      query: (statement) => counted(figures, client, statement),
      release: (error) => client.release(error),
    };
  },
  end: () => pool.end(),
});
