// Everything of our own beside health and metrics: sandboxes, faults and journal, and the timer that lets sandboxes expire.
import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import type { BaseUrlOptions } from '../http/base-url.ts';
import type { Replier } from '../http/reply.ts';
import { createSandboxes } from '../seeding/sandboxes.ts';
import { createExpiry, tickSeconds } from '../seeding/sandboxes-expiry.ts';
import { type AdminAccess, createGate } from './access.ts';
import { createFaults } from './faults.ts';
import { createJournal } from './journal.ts';
import { registerAdmin } from './routes.ts';
import { sandboxRoutes } from './sandboxes.ts';
import { registerTraffic, type Traffic } from './traffic.ts';
import { trafficRoutes } from './traffic-routes.ts';

export interface AdminSettings {
  readonly access: AdminAccess;
  readonly maxSandboxes: number;
  /** Entries a sandbox; 0 for no journal. */
  readonly journalSize: number;
}

export interface OwnApiOptions extends BaseUrlOptions {
  readonly database: Database;
  readonly replier: Replier;
  readonly admin: AdminSettings;
  readonly adminBodyLimitBytes: number;
}

/** To be called before the resources are registered: its hooks are theirs too. */
export function registerOwnApi(app: FastifyInstance, options: OwnApiOptions): void {
  const { database, admin } = options;
  const expiry = createExpiry(database.pool);
  const traffic: Traffic = { database, expiry, faults: createFaults(), journal: createJournal(admin.journalSize) };
  const open = createSandboxes(database.pool, admin.maxSandboxes);
  registerTraffic(app, traffic);
  registerAdmin(app, [...sandboxRoutes(open), ...trafficRoutes(traffic)], {
    ...options,
    gate: createGate(admin.access),
  });
  const tick = async () => {
    const dropped = await expiry.tick();
    for (const name of dropped) {
      traffic.faults.clear(name);
      traffic.journal.forget(name);
    }
    if (dropped.length > 0) app.log.info({ sandboxes: dropped }, 'sandboxes have expired');
  };
  const timer = setInterval(() => {
    tick().catch((error: unknown) => app.log.warn({ err: error }, 'expired sandboxes were not dropped'));
  }, tickSeconds * 1000).unref();
  app.addHook('onClose', () => clearInterval(timer));
}
