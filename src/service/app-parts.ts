// What the app's prefixes share: state outside of the database, and what guards requests and renders answers.
import type { FastifyInstance } from 'fastify';
import { createGate } from '../access/gate.ts';
import { createLimits } from '../access/rate-limit.ts';
import type { Load } from '../http/edge/overload.ts';
import { createPathTable } from '../http/path-table.ts';
import { createSender } from '../http/send.ts';
import { describeWeblate } from '../openapi/documents.ts';
import { pageAround } from '../pages/browsable/browsable-page.ts';
import { serveDocument } from '../pages/documentation/documentation.ts';
import { createSessions } from '../access/sessions.ts';
import { createVisitors } from '../pages/session/visitors.ts';
import { createExpiry } from '../sandboxes/expiry.ts';
import { createSandboxes, getSandboxId } from '../sandboxes/sandboxes.ts';
import { createExports } from '../seeds/export/export-sandbox.ts';
import { createFaults } from '../traffic/faults.ts';
import { createJournal } from '../traffic/journal/journal.ts';
import { createLists } from '../traffic/journal/lists.ts';
import { createWaits } from '../traffic/journal/waits.ts';
import { createTraffic, forget, startAfresh } from '../traffic/traffic.ts';
import { resources } from '../weblate/resources.ts';
import type { AppOptions } from './config/config.ts';
import type { Metrics } from './monitoring/metrics.ts';

export type Parts = ReturnType<typeof createParts>;

export function createParts(app: FastifyInstance, options: AppOptions, load: Load, metrics: Metrics) {
  const { database, anonymous, admin } = options;
  const { schema, docs } = serveDocument('/api', () => describeWeblate(resources, anonymous));
  const documents = [schema, docs];
  const operations = resources.flatMap((resource) => resource.operations);
  const paths = createPathTable([...operations, ...documents]);
  const limits = createLimits(options.rateLimits);
  const gate = createGate(admin.access);
  const sessions = createSessions(database, admin.access.token);

  const endsWith = (end: typeof forget) => (name: string) => {
    end(watched, name);
    limits.forget(name);
  };
  const [onDeleted, onFresh] = [endsWith(forget), endsWith(startAfresh)];
  const expiry = createExpiry(database, onDeleted);
  const journal = createJournal(admin.journalBytes, options.journalBounds);
  const faults = createFaults((name) => getSandboxId(database.read, name));
  const sender = createSender(pageAround({ anonymous, paths, journal }));
  const watched = { database, expiry, faults, journal };
  return {
    options,
    load,
    operations,
    documents,
    paths,
    limits,
    sessions,
    sender,
    gate,
    visitors: createVisitors(gate, watched, sessions),
    traffic: createTraffic(watched, sender),
    services: {
      ...watched,
      paths,
      waitFor: createWaits(journal, app.ending),
      lists: createLists(journal, options.exportTimeoutMs),
      metrics,
      sandboxesAt: createSandboxes(database, admin.maxSandboxes, { onFresh, onDeleted, onSeeded: limits.forget }),
      exportSeed: createExports(database.openConnection, options.exportTimeoutMs),
    },
  };
}
