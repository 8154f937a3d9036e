// A Kysely connection over the slice of a pg client that we use.
import type { Compilable, CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { StatementNames } from './statement-names.ts';

export interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

export interface Result {
  command: string;
  rowCount: number | null;
  rows: unknown[];
}

/** What a connection needs of pg: one statement in, its rows out. */
export interface Queryable {
  query(statement: Statement): Promise<Result>;
}

export class NamedStatementConnection implements DatabaseConnection {
  readonly #client: Queryable;
  readonly #names: StatementNames;

  constructor(client: Queryable, names: StatementNames) {
    this.#client = client;
    this.#names = names;
  }

  async executeQuery<R>(compilable: CompiledQuery | Compilable): Promise<QueryResult<R>> {
    const query = 'compile' in compilable ? compilable.compile() : compilable;
    const name = this.#names(query.sql);
    const config = { text: query.sql, values: query.parameters as unknown[] };
    const result = await this.#client.query(name === undefined ? config : { name, ...config });
    const rows = result.rows as R[];
    if (result.command === 'SELECT') return { rows };
    return { rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
  }

  // oxlint-disable-next-line require-yield -- the interface asks for a generator; nothing here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are never streamed through Kysely here');
  }
}
