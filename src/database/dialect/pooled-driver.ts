// A driver over a pg pool: one connection at a time for whoever asks, and so transactions.
import { CompiledQuery, type DatabaseConnection, type Driver, type TransactionSettings } from 'kysely';
import { DatabaseUnavailable } from '../sqlstates.ts';
import { NamedStatementConnection, type Queryable } from './connection.ts';
import type { StatementNames } from './statement-names.ts';

/** The slice of a pg pool that we use. A client released with an error is closed and not used again. */
export interface Pool {
  connect(): Promise<PoolClient>;
  end(): Promise<void>;
}
export interface PoolClient extends Queryable {
  release(error?: Error): void;
}

class PooledConnection extends NamedStatementConnection {
  readonly client: PoolClient;
  broken: Error | undefined;
  constructor(client: PoolClient, names: StatementNames) {
    super(client, names);
    this.client = client;
  }
}

export class PooledDriver implements Driver {
  readonly #pool: Pool;
  readonly #names: StatementNames;

  constructor(pool: Pool, names: StatementNames) {
    this.#pool = pool;
    this.#names = names;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new PooledConnection(await this.#connect(), this.#names);
  }

  // Whatever the reason, no request is to blame for it.
  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw new DatabaseUnavailable(error);
    }
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const level = settings.isolationLevel;
    await run(connection, level === undefined ? 'begin' : `begin isolation level ${level}`);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await run(connection, 'commit');
  }

  // A connection that can't roll back would hand its open transaction to the next user of the pool.
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await run(connection, 'rollback');
    } catch (error) {
      if (connection instanceof PooledConnection) connection.broken = error as Error;
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof PooledConnection) connection.client.release(connection.broken);
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

const run = (connection: DatabaseConnection, text: string) => connection.executeQuery(CompiledQuery.raw(text));
