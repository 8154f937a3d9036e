// What /_understudy/metrics collects: requests, the process, the database.
import type { Database } from '../database/database.ts';
import { collectDatabase } from './metrics-database.ts';
import { watchProcess } from './metrics-process.ts';
import { RequestFigures } from './metrics-requests.ts';
import type { Family } from './metrics-text.ts';

export interface Metrics {
  /** To be called for every answer that was sent. */
  readonly observe: RequestFigures['observe'];
  collect(): Promise<Family[]>;
  close(): void;
}

export function createMetrics(database: Database): Metrics {
  const requests = new RequestFigures();
  const own = watchProcess();
  return {
    observe: requests.observe,
    collect: async () => [...requests.collect(), ...own.collect(), ...(await collectDatabase(database))],
    close: () => own.close(),
  };
}
