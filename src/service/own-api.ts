// Our own API: sandboxes, faults and journal, health and metrics; and the timer that lets sandboxes expire.
import type { FastifyInstance } from 'fastify';
import type { AdminAccess, Gate } from '../access/gate.ts';
import type { Limits } from '../access/rate-limit.ts';
import { registerOperations } from '../http/dispatch.ts';
import { type OwnOptions, ownSurface } from '../http/own.ts';
import type { Resource } from '../http/operation.ts';
import type { Samples } from '../pages/session/public-users.ts';
import type { Sessions } from '../pages/session/sessions.ts';
import type { Database } from '../database/database.ts';
import { describeOwn } from '../openapi/documents.ts';
import { serveDocument } from '../pages/documentation/serve-document.ts';
import { createExports } from '../seeds/export/export-sandbox.ts';
import type { MonitoringServices } from './monitoring/handlers.ts';
import { family } from './monitoring/metrics-text.ts';
import { monitoring } from './monitoring/operations.ts';
import { createExpiry, noteUses, startExpiry } from '../sandboxes/expiry.ts';
import { sandboxes } from '../sandboxes/operations.ts';
import { createSandboxes } from '../sandboxes/sandboxes.ts';
import type { ConsoleRoute, ConsoleServices } from '../pages/console/console-page.ts';
import { registerConsole } from '../pages/console/register-console.ts';
import { signInRoutes } from '../pages/console/sign-in.ts';
import { pages as consolePages } from '../pages/console/pages.ts';
import { createFaults } from '../traffic/faults.ts';
import { createJournal, type Journal, type JournalBounds } from '../traffic/journal/journal.ts';
import { createWaits } from '../traffic/journal/waits.ts';
import { traffic } from '../traffic/operations.ts';
import { forget, registerTraffic, startAfresh, type Watched } from '../traffic/traffic.ts';

export interface AdminSettings {
  readonly access: AdminAccess;
  readonly maxSandboxes: number;
  /** Memory of the journals of all sandboxes; 0 for no journal. */
  readonly journalBytes: number;
  readonly journalBounds?: JournalBounds;
  /** How long an export waits for its reader to take the next piece. */
  readonly exportTimeoutMs?: number;
}

export interface OwnApiOptions extends Omit<OwnOptions<unknown>, 'services' | 'bodyLimitBytes'> {
  readonly gate: Gate;
  readonly database: Database;
  readonly samples: Samples;
  readonly sessions: Sessions;
  readonly metrics: MonitoringServices['metrics'];
  readonly admin: AdminSettings;
  readonly adminBodyLimitBytes: number;
  readonly limits: Limits;
}

const collectJournal = ({ usedBytes }: Journal) => [
  family('gauge', 'understudy_journal_bytes', 'Memory that the entries of all journals take.', usedBytes()),
];

export function registerOwnApi(app: FastifyInstance, options: OwnApiOptions): void {
  const { database, samples, metrics, admin, limits, adminBodyLimitBytes: bodyLimitBytes } = options;
  const onDropped = (name: string): void => {
    forget(watched, name);
    limits.forget(name);
  };
  const expiry = createExpiry(database.pool, { onDropped });
  const journal = createJournal(admin.journalBytes, admin.journalBounds);
  const watched: Watched = {
    database,
    expiry,
    faults: createFaults(),
    journal,
  };
  registerTraffic(app, watched, options);
  noteUses(app, expiry, database.reads);
  const onFresh = (name: string): void => {
    startAfresh(watched, name);
    limits.forget(name);
  };
  const services: ConsoleServices & MonitoringServices = {
    ...watched,
    samples,
    waitFor: createWaits(journal, app.ending),
    metrics: {
      ...metrics,
      collect: async () => [...(await metrics.collect()), ...collectJournal(journal)],
    },
    sandboxesAt: createSandboxes(database, admin.maxSandboxes, {
      onFresh,
      onDropped,
      onSeeded: (name) => limits.forget(name),
    }),
    exportSeed: createExports(database.openConnection, admin.exportTimeoutMs ?? 30_000),
  };
  const resources: readonly Resource<typeof services>[] = [sandboxes, traffic, monitoring];
  const document = serveDocument({ at: '/_understudy', describe: () => describeOwn(resources) });
  registerOperations(app, [...resources, document.schema], ownSurface({ ...options, services, bodyLimitBytes }));
  const documentation: ConsoleRoute = {
    method: 'GET',
    path: 'docs/',
    handle: async ({ origin }) => document.page({ baseUrl: origin, path: '/_understudy/docs/' }),
  };
  const pages = [...consolePages, documentation, ...signInRoutes(options.gate, options.sessions)];
  registerConsole(app, pages, { ...options, services, bodyLimitBytes });
  app.addHook('onClose', startExpiry(expiry, app.log));
  app.addHook('onClose', () => metrics.close());
}
