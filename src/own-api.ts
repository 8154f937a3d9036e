// Everything of our own beside health and metrics: sandboxes, faults and journal, and the timer that lets sandboxes expire.
import type { FastifyInstance } from 'fastify';
import type { Database } from './database/database.ts';
import type { BaseUrlOptions } from './api/base-url.ts';
import type { Replier } from './api/send.ts';
import { createExports } from './export/export-sandbox.ts';
import { createSandboxes } from './sandboxes/sandboxes.ts';
import { createExpiry, tickSeconds } from './sandboxes/expiry.ts';
import { type AdminAccess, createGate } from './access/gate.ts';
import { createFaults } from './traffic/faults.ts';
import { createJournal } from './traffic/journal.ts';
import { registerAdmin } from './api/own-dispatch.ts';
import { sandboxRoutes } from './sandboxes/handlers.ts';
import { forget, registerTraffic, type Traffic } from './traffic/traffic.ts';
import { trafficRoutes } from './traffic/handlers.ts';

export interface AdminSettings {
  readonly access: AdminAccess;
  readonly maxSandboxes: number;
  /** Entries a sandbox; 0 for no journal. */
  readonly journalSize: number;
  /** For a reader of an export to take the next piece of it. */
  readonly exportPatienceMs?: number;
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
  const faults = createFaults();
  const journal = createJournal(admin.journalSize);
  const expiry = createExpiry(database.pool, { onDropped: (name) => forget(traffic, name) });
  const traffic: Traffic = { database, expiry, faults, journal };
  const open = createSandboxes(database, admin.maxSandboxes);
  const exportSeed = createExports(database.openConnection, { patienceMs: admin.exportPatienceMs ?? 30_000 });
  registerTraffic(app, traffic);
  registerAdmin(app, [...sandboxRoutes(open, traffic, exportSeed), ...trafficRoutes(traffic)], {
    ...options,
    gate: createGate(admin.access),
  });
  const tick = async () => {
    const dropped = await expiry.tick();
    if (dropped.length > 0) app.log.info({ sandboxes: dropped }, 'sandboxes have expired');
  };
  const timer = setInterval(() => {
    tick().catch((error: unknown) =>
      app.log.warn({ err: error }, 'the use or the end of some sandboxes was not written down'),
    );
  }, tickSeconds * 1000).unref();
  app.addHook('onClose', () => clearInterval(timer));
}
