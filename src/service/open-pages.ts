// The plugin of the pages that need no permission, and of the paths that nothing serves.
import type { FastifyInstance } from 'fastify';
import { shedLoad } from '../http/edge/overload.ts';
import { registerAssets } from '../pages/frame/assets.ts';
import { registerHome } from '../pages/home/home.ts';
import { registerSessions } from '../pages/session/session-route.ts';
import { noteUses } from '../sandboxes/expiry.ts';
import type { Parts } from './app-parts.ts';

export async function registerOpenPages(app: FastifyInstance, parts: Parts): Promise<void> {
  const { services, sender } = parts;
  shedLoad(app, parts.load);
  noteUses(app, services.expiry, services.database.reads);
  // Before the next hooks, which these replace or don't need.
  await app.register(async (pages) => {
    pages.addHook('onRequest', parts.visitors(true));
    registerSessions(pages, parts);
    registerHome(pages, parts);
  });
  registerAssets(app);
  app.addHook('onRequest', parts.visitors());
  parts.traffic.watchStrays(app);
  app.setNotFoundHandler((request, reply) => sender.sendUnknownPath(request, reply));
}
