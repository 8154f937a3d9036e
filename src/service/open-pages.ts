// The plugin of the pages that need no permission, and of the paths that nothing serves.
import type { FastifyInstance } from 'fastify';
import { shedLoad } from '../http/edge/overload.ts';
import { registerAssets } from '../pages/frame/assets.ts';
import { registerHome } from '../pages/home/home.ts';
import { registerSessions } from '../pages/session/session-route.ts';
import { asksForPage } from '../pages/session/visitors.ts';
import { noteUses } from '../sandboxes/expiry.ts';
import type { Parts } from './app-parts.ts';

export async function registerOpenPages(app: FastifyInstance, parts: Parts): Promise<void> {
  const { services, sender } = parts;
  shedLoad(app, parts.load);
  noteUses(app, services.expiry, services.database.reads);
  // Before the next hooks, which it replaces or doesn't need.
  await app.register(async (choice) => registerSessions(choice, parts));
  registerAssets(app);
  app.addHook('onRequest', parts.visitors(asksForPage));
  parts.traffic.watchStrays(app);
  registerHome(app, parts);
  app.setNotFoundHandler((request, reply) => sender.sendUnknownPath(request, reply));
}
