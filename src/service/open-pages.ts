// The plugin of the pages that need no permission, and of the paths that nothing serves.
import type { FastifyInstance } from 'fastify';
import { shedLoad } from '../http/edge/overload.ts';
import { registerAssets } from '../pages/frame/assets.ts';
import { registerHome } from '../pages/home/home-route.ts';
import { registerSessions } from '../pages/session/session-route.ts';
import { asksForPage } from '../pages/session/visitors.ts';
import { noteUses } from '../sandboxes/expiry.ts';
import type { Parts } from './app-parts.ts';

export async function registerOpenPages(
  app: FastifyInstance,
  { options: { anonymous }, load, services, gate, sender, sessions, visitors, traffic }: Parts,
): Promise<void> {
  const { database, samples, expiry } = services;
  const { reads } = database;
  shedLoad(app, load);
  noteUses(app, expiry, reads);
  // Before the next hooks, which it has in a form of its own or doesn't need.
  await app.register(async (choice) => registerSessions(choice, { reads, sessions, visitors }));
  registerAssets(app);
  app.addHook('onRequest', visitors(asksForPage));
  traffic.watchStrays(app);
  registerHome(app, { reads, anonymous, samples, gate });
  app.setNotFoundHandler((request, reply) => sender.sendUnknownPath(request, reply));
}
