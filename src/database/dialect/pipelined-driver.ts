// A driver over one pipelined connection that everybody shares. Statements go out without waiting for one another, each a
// transaction of its own: a failing one leaves its neighbours alone. A transaction of several is refused, for its neighbours
// would see it half done (findings, "A pipelined client").
import type { DatabaseConnection, Driver } from 'kysely';
import type { Queryable } from './connection.ts';

export interface SharedClient extends Queryable {
  close(): Promise<void>;
}

const refuseTransaction = async (): Promise<never> => {
  throw new Error('a pipelined connection takes single statements; use a pool for a transaction');
};

export class PipelinedDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  beginTransaction = refuseTransaction;
  commitTransaction = refuseTransaction;
  rollbackTransaction = refuseTransaction;
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}
