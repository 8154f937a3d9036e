// Queries that Kysely compiles once. Compiled per request, they would cost lists a third of their
// speed.
import { hash } from 'node:crypto';
import { type CompiledQuery, Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** Names a value of each call: `slot('user_id', 'int4')` in the builder, `{ user_id: 7 }` in the call. */
export type Slots<P> = <N extends keyof P & string>(name: N, type: string) => RawBuilder<P[N]>;

/** PostgreSQL parses and plans a named statement once per connection. Kysely by itself names none. */
export type NamedQuery<R = unknown> = CompiledQuery<R> & { readonly name?: string };

/** SQL for a timestamp as `2026-01-02T03:04:05.000000Z`: JavaScript's dates lose microseconds. */
export const moment = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** SQL for a timestamp in the API's form, with microseconds if it has some. */
export const wireMoment = (column: string) => `replace(${moment(column)}, '.000000Z', 'Z')`;

/** What sends queries: the shared connections, a pool or a transaction. */
export interface Handle {
  executeQuery<R>(query: NamedQuery<R>): Promise<{ readonly rows: R[] }>;
}

/** While a query is compiled, a symbol that names the parameter stands for its value. */
const placeSlot = (name: string, type: string) => sql<never>`${sql.val(Symbol(name))}::${sql.raw(type)}`;
const compiler = new Kysely<Tables>({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('this Kysely only compiles')) }),
});

export type Prepared<P extends object, R> = ReturnType<typeof prepare<P, R>>;

export function prepare<P extends object, R>(
  build: (db: Kysely<Tables>, slot: Slots<P>) => { compile(db: Kysely<Tables>): CompiledQuery<R> },
) {
  const query = build(compiler, placeSlot).compile(compiler);
  // The name follows from the SQL: processes that share a pooler's connections use the same name.
  const name = `understudy_${hash('sha256', query.sql).slice(0, 16)}`;
  const slots = query.parameters.map((value) => (typeof value === 'symbol' ? value.description : undefined));
  const send = async (db: Handle, parameters: P) => {
    const values = slots.map((slot, i) => (slot === undefined ? query.parameters[i] : parameters[slot as keyof P]));
    return (await db.executeQuery<R>({ ...query, name, parameters: values })).rows;
  };
  // Tests read the SQL.
  return Object.assign(send, { sql: query.sql });
}
