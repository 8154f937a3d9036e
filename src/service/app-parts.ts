// What the prefixes of the app share: what the process keeps beside the database, and what guards and renders requests.
import type { FastifyInstance } from 'fastify';
import { type AdminAccess, createGate } from '../access/gate.ts';
import type { AnonymousAccess } from '../access/permissions.ts';
import { createLimits } from '../access/rate-limit.ts';
import type { Database } from '../database/database.ts';
import type { CorsOrigins } from '../http/edge/cors.ts';
import type { LogStream } from '../http/edge/log.ts';
import type { Load } from '../http/edge/overload.ts';
import { createPathTable } from '../http/path-table.ts';
import { createSender } from '../http/send.ts';
import { describeMirrored } from '../openapi/documents.ts';
import { pageAround } from '../pages/browsable/browsable-page.ts';
import { serveDocument } from '../pages/documentation/documentation.ts';
import { createSessions } from '../pages/session/sessions.ts';
import { createSamples, createVisitors } from '../pages/session/visitors.ts';
import { createExpiry } from '../sandboxes/expiry.ts';
import { createSandboxes } from '../sandboxes/sandboxes.ts';
import { createExports } from '../seeds/export/export-sandbox.ts';
import { readPublicSamples } from '../seeds/load/named-seed.ts';
import { createFaults } from '../traffic/faults.ts';
import { createJournal, type JournalBounds } from '../traffic/journal/journal.ts';
import { createWaits } from '../traffic/journal/waits.ts';
import { createTraffic, forget, startAfresh } from '../traffic/traffic.ts';
import { resources } from '../weblate/resources.ts';
import type { Metrics } from './monitoring/metrics.ts';
import { family } from './monitoring/metrics-text.ts';

export interface AppOptions {
  readonly database: Database;
  readonly anonymous: AnonymousAccess;
  readonly pageSize: number;
  readonly publicUrl: string | undefined;
  /** Number of proxies in front of the service. */
  readonly trustProxy: number;
  /** Of the mirrored API. */
  readonly bodyLimitBytes: number;
  /** Of what stands under `/_understudy/`. */
  readonly adminBodyLimitBytes: number;
  readonly maxFields: number;
  /** Requests that are answered at the same time; further ones are refused. */
  readonly maxRequests: number;
  /** `100/day` or `off` */
  readonly rateLimits: { readonly anonymous: string; readonly user: string };
  /** Origins whose web pages may use the mirrored API; undefined: none. */
  readonly corsOrigins: CorsOrigins | undefined;
  readonly admin: AdminSettings;
  /** One of pino's levels; `silent` for no log. */
  readonly logLevel: string;
  /** Where the log goes; standard output if left out. */
  readonly logTo?: LogStream;
}

export interface AdminSettings {
  readonly access: AdminAccess;
  readonly maxSandboxes: number;
  /** Memory of the journals of all sandboxes; 0 for no journal. */
  readonly journalBytes: number;
  readonly journalBounds?: JournalBounds;
  /** How long an export waits for its reader to take the next piece. */
  readonly exportTimeoutMs?: number;
}

export type Parts = ReturnType<typeof createParts>;

export function createParts(app: FastifyInstance, options: AppOptions, load: Load, metrics: Metrics) {
  const { database, anonymous, pageSize, admin } = options;
  const documents = serveDocument({ at: '/api', describe: () => describeMirrored(resources, anonymous) }).schemaAndPage;
  const paths = createPathTable([...resources, documents].flatMap(({ operations }) => operations));
  const limits = createLimits(options.rateLimits);
  const samples = createSamples(database, readPublicSamples);
  const sessions = createSessions(database, admin.access.token);

  const onDeleted = (name: string): void => {
    forget(watched, name);
    limits.forget(name);
  };
  const onFresh = (name: string): void => {
    startAfresh(watched, name);
    limits.forget(name);
  };
  const { forget: onSeeded, forgetClock: onClock } = limits;
  const expiry = createExpiry(database.pool, { onDeleted });
  const journal = createJournal(admin.journalBytes, admin.journalBounds);
  const watched = { database, expiry, faults: createFaults(), journal };
  const collectJournal = () => [
    family('gauge', 'understudy_journal_bytes', 'Memory that the entries of all journals take.', journal.usedBytes()),
  ];
  return {
    options,
    load,
    documents,
    paths,
    limits,
    sessions,
    sender: createSender(pageAround({ anonymous, pageSize, paths })),
    gate: createGate(admin.access),
    visitors: createVisitors({ reads: database.reads, samples, sessions }),
    traffic: createTraffic(watched),
    /** What the handlers of our own API need. */
    services: {
      ...watched,
      samples,
      waitFor: createWaits(journal, app.ending),
      metrics: { ...metrics, collect: async () => [...(await metrics.collect()), ...collectJournal()] },
      sandboxesAt: createSandboxes(database, admin.maxSandboxes, { onFresh, onDeleted, onSeeded, onClock }),
      exportSeed: createExports(database.openConnection, admin.exportTimeoutMs ?? 30_000),
    },
  };
}
