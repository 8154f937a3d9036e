// /_understudy/metrics for Prometheus: requests, the process, the database. A process of several tells its own by `collect`, and
// whoever gathers them adds them up (metrics-text.ts).
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../database/database.ts';
import { collectDatabase } from './metrics-database.ts';
import { watchProcess } from './metrics-process.ts';
import { RequestFigures } from './metrics-requests.ts';
import { addUp, type Family, renderFamilies } from './metrics-text.ts';

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

declare module 'fastify' {
  interface FastifyInstance {
    /** This process's own. */
    figures(): Promise<Family[]>;
  }
}

/** Everybody's figures, each process's a list, where several processes serve together. */
export type GatherFigures = (own: () => Promise<Family[]>) => Promise<readonly (readonly Family[])[]>;

const ownAlone: GatherFigures = async (own) => [await own()];

/** @param gate throws for a client that may not see them */
export function registerMetrics(
  app: FastifyInstance,
  metrics: Metrics,
  gate: (request: FastifyRequest) => void,
  gather: GatherFigures = ownAlone,
): void {
  app.addHook('onClose', () => metrics.close());
  app.decorate('figures', () => metrics.collect());
  app.route({
    method: ['GET', 'HEAD'],
    url: '/_understudy/metrics',
    onRequest: async (request) => gate(request),
    handler: async (_request, reply) =>
      reply
        .type('text/plain; version=0.0.4; charset=utf-8')
        .send(renderFamilies(addUp(await gather(() => metrics.collect())))),
  });
}
