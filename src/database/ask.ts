// A statement to a pg client, by callback and without pg's `query_timeout`. With either pg's own promise or that option a statement and
// its answer outlive the young generation's collection, each and every one: at full load that made half of the process's memory,
// and pauses of 5 to 10 ms.
import type { Client, ClientBase } from 'pg';
import type { Pool, PoolClient } from './dialect/pooled-driver.ts';
import type { Result, Statement } from './dialect/connection.ts';
import { DatabaseUnavailable } from './errors.ts';

export const ask = (client: Client | ClientBase, statement: Statement): Promise<Result> =>
  new Promise((resolve, reject) => {
    client.query(statement, (error, result) => (error ? reject(error) : resolve(result)));
  });

/** The slice of a pg pool that askInTime needs. */
interface ClientPool {
  connect(): Promise<ClientBase & { release(error?: Error): void }>;
  end(): Promise<void>;
}

/**
 * A pool whose clients are given up where they owe an answer for too long: that statement and all that follow on the client throw
 * DatabaseUnavailable, and its release closes it.
 * @param giveUpMs 0 for never
 */
export const askInTime = (pool: ClientPool, giveUpMs: number): Pool => ({
  connect: async () => limited(await pool.connect(), giveUpMs),
  end: () => pool.end(),
});

function limited(client: Awaited<ReturnType<ClientPool['connect']>>, giveUpMs: number): PoolClient {
  let lost: DatabaseUnavailable | undefined;
  return {
    query: async (statement) => {
      if (lost !== undefined) throw lost;
      const { promise: late, reject } = Promise.withResolvers<never>();
      const giveUp = () => {
        lost = new DatabaseUnavailable(new Error(`no answer for ${giveUpMs} ms`));
        reject(lost);
      };
      const timer = giveUpMs === 0 ? undefined : setTimeout(giveUp, giveUpMs);
      try {
        return await Promise.race([ask(client, statement), late]);
      } finally {
        clearTimeout(timer);
      }
    },
    release: (error) => client.release(error ?? lost),
  };
}
