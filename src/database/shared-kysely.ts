// Kysely on one connection that everybody shares. Its executor is there for plugins and for connections that are one's own for a
// while; a compiled query needs neither here, and is spared the way through it, a tenth of a lone list's time.
import { type Compilable, type CompiledQuery, Kysely, type QueryResult } from 'kysely';
import { NamedStatementConnection } from './dialect/connection.ts';
import { postgresDialect } from './dialect/dialect.ts';
import { PipelinedDriver, type SharedClient } from './dialect/pipelined-driver.ts';
import type { StatementNames } from './dialect/statement-names.ts';
import type { Tables } from './tables.ts';

export class SharedKysely extends Kysely<Tables> {
  readonly #client: SharedClient;
  readonly #connection: NamedStatementConnection;

  constructor(client: SharedClient, names: StatementNames) {
    const connection = new NamedStatementConnection(client, names);
    super({ dialect: postgresDialect(new PipelinedDriver(connection)) });
    this.#client = client;
    this.#connection = connection;
  }

  override executeQuery<R>(query: CompiledQuery<R> | Compilable<R>): Promise<QueryResult<R>> {
    return this.#connection.executeQuery<R>(query);
  }

  // Kysely ends a driver only if its executor has used it.
  override async destroy(): Promise<void> {
    await this.#client.close();
  }
}
