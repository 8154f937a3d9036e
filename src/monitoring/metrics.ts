// /_understudy/metrics for Prometheus: requests, the process, the database.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../database/database.ts';
import { collectDatabase } from './metrics-database.ts';
import { watchProcess } from './metrics-process.ts';
import { RequestFigures } from './metrics-requests.ts';
import { type Family, renderFamilies } from './metrics-text.ts';

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

/** @param gate throws for a client that may not see them */
export function registerMetrics(app: FastifyInstance, metrics: Metrics, gate: (request: FastifyRequest) => void): void {
  app.addHook('onClose', () => metrics.close());
  app.route({
    method: ['GET', 'HEAD'],
    url: '/_understudy/metrics',
    onRequest: async (request) => gate(request),
    handler: async (_request, reply) =>
      reply.type('text/plain; version=0.0.4; charset=utf-8').send(renderFamilies(await metrics.collect())),
  });
}
