// The plugin of /_understudy: our own API for sandboxes, faults and journal, and the console; and that of the probes.
import type { FastifyInstance } from 'fastify';
import { leaveBody } from '../http/connection.ts';
import { shedLoad } from '../http/edge/overload.ts';
import { registerOperations } from '../http/dispatch.ts';
import { ownErrors, ownSurface } from '../http/own.ts';
import { describeOwn } from '../openapi/documents.ts';
import { get } from '../pages/console/console-page.ts';
import { registerConsole } from '../pages/console/register-console.ts';
import { serveDocument } from '../pages/documentation/documentation.ts';
import { noteUses } from '../sandboxes/expiry.ts';
import { sandboxes } from '../sandboxes/operations.ts';
import { traffic } from '../traffic/operations.ts';
import { monitoring } from './monitoring/operations.ts';
import type { Parts } from './app-parts.ts';

export async function registerOwnApi(app: FastifyInstance, parts: Parts): Promise<void> {
  const { options, load, services, gate, sender } = parts;
  shedLoad(app, load);
  noteUses(app, services.expiry, services.database.reads);
  parts.traffic.watchStrays(app);
  app.setErrorHandler(sender.handleErrors({ byStatus: ownErrors }));
  const document = serveDocument(app.prefix, () => describeOwn([sandboxes, traffic, monitoring]));
  const surface = ownSurface({ services, bodyLimitBytes: options.adminBodyLimitBytes, sender, gate });
  const own = [...sandboxes.operations, ...traffic.operations, document.schema];
  registerOperations(app, own, surface);
  const documentation = get('docs/', async ({ origin, visitor }) =>
    document.page({ baseUrl: origin, path: '/_understudy/docs/', visitor }),
  );
  await app.register(async (console) => registerConsole(console, [documentation], parts));
}

// A probe has no body; one that is sent anyway doesn't count towards the load's memory.
const bodyLimitBytes = 1024;

/** Health and metrics, without a limit on requests: monitoring needs an answer most when the process is busy. */
export function registerProbes(app: FastifyInstance, { services, gate, sender }: Parts): void {
  app.addHook('onRequest', (request, reply, done) => {
    leaveBody(request, reply);
    done();
  });
  registerOperations(app, monitoring.operations, ownSurface({ services, bodyLimitBytes, sender, gate }));
}
