// Sends one statement to a pg client, by callback and without pg's `query_timeout` (docs/decisions/0008).
import { type Client, type ClientBase, Query, type QueryResult } from 'pg';

export interface Statement {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: unknown[];
}

/** Counts for the metrics. */
export interface StatementFigures {
  /** Since the start, those that failed among them. */
  sent: number;
  failed: number;
  inFlight: number;
}

export const ask = (client: Client | ClientBase, { name, text, values }: Statement): Promise<QueryResult> =>
  new Promise((resolve, reject) => {
    const query = new Query(text, values, (error, result) => (error ? reject(error) : resolve(result)));
    // Given with the text in one object, pg would copy that property by property, a sixtieth of a lone list's time.
    client.query(name === undefined ? query : Object.assign(query, { name }));
  });
