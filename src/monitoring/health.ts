// Whether the process lives, and whether it can answer: /_understudy/health/live and /ready, and /healthz/, which clients of the
// real system know.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { version } from '../version.ts';
import { findReadiness } from './health-queries.ts';

// Who asks for it gives up after a few seconds; a database that takes so long is none to send requests to.
const patienceMs = 2000;

/** Ready: the database answers and takes writes, is migrated, and its default sandbox is seeded. */
async function isReady(database: Database): Promise<boolean> {
  const asked = findReady(database).catch(() => false);
  return Promise.race([asked, sleep(patienceMs, false, { ref: false })]);
}

async function findReady(database: Database): Promise<boolean> {
  const found = await Promise.all(database.health.map((handle) => findReadiness(handle, {})));
  const isWritable = found[0]?.[0]?.writable === true;
  // A new connection may lead to the server that writes.
  if (!isWritable) for (const connection of database.health) connection.renew();
  return isWritable && found.every(([row]) => row?.seeded === true);
}

export function registerHealth(app: FastifyInstance, database: Database): void {
  const method = ['GET', 'HEAD'];
  app.route({ method, url: '/_understudy/health/live', handler: async () => ({ status: 'live', version }) });
  app.route({
    method,
    url: '/_understudy/health/ready',
    handler: async (_request, reply) => {
      if (await isReady(database)) return { status: 'ready', version };
      return reply.code(503).header('retry-after', '1').send({ status: 'not ready', version });
    },
  });
  app.route({
    method,
    url: '/healthz/',
    handler: async (_request, reply) => {
      reply.type('text/plain; charset=utf-8');
      return (await isReady(database)) ? 'ok' : reply.code(503).header('retry-after', '1').send('not ready');
    },
  });
}
