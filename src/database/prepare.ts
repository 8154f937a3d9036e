// Queries that Kysely compiles once. Compiling anew for each request costs a third of the list's speed (findings).
import { type Compilable, DummyDriver, Kysely, type RawBuilder, sql } from 'kysely';
import { postgresDialect } from './dialect/dialect.ts';
import type { Tables } from './tables.ts';

/** The place of a parameter in a query that is compiled before its values are known. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** `slot('user_id', 'int4')` in the builder, `{ user_id: 7 }` when it is sent. The type is PostgreSQL's. */
export type Slots<P> = <N extends keyof P & string>(name: N, type: string) => RawBuilder<P[N]>;

/** Where a prepared query is sent: a handle or a transaction. */
export type Handle = Pick<Kysely<Tables>, 'executeQuery'>;

export interface Prepared<P, R> {
  /** The text as PostgreSQL sees it; tests hold it. */
  readonly sql: string;
  (db: Handle, parameters: P): Promise<R[]>;
}

const placeSlot = (name: string, type: string) => sql<never>`${sql.val(new Slot(name))}::${sql.raw(type)}`;
const compiler = new Kysely<Tables>({ dialect: postgresDialect(new DummyDriver()) });

/** Compiles a query once; what comes back sends it with values. */
export function prepare<P extends object, R>(
  build: (db: Kysely<Tables>, slot: Slots<P>) => Compilable<R>,
): Prepared<P, R> {
  const query = build(compiler, placeSlot).compile();
  const send = async (db: Handle, parameters: P): Promise<R[]> => {
    const values = query.parameters.map((value) =>
      value instanceof Slot ? (parameters as Record<string, unknown>)[value.name] : value,
    );
    return (await db.executeQuery<R>({ ...query, parameters: values })).rows;
  };
  return Object.assign(send, { sql: query.sql });
}
