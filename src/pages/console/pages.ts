// The console's pages and forms, but those to sign in.
import type { ConsoleRoute } from './console-page.ts';
import { tokenRoute } from './sandboxes/created-page.ts';
import { listPage, redirects } from './sandboxes/list-page.ts';
import { newRoutes } from './sandboxes/new-page.ts';
import { overviewRoute } from './sandboxes/overview-page.ts';
import { sandboxActs } from './sandboxes/sandbox-acts.ts';
import { seedRoutes } from './sandboxes/seed-page.ts';
import { faultRoutes } from './traffic/faults/fault-routes.ts';
import { showExchange } from './traffic/journal/exchange-page.ts';
import { journalOf, journalUrl, showJournal, strayPath } from './traffic/journal/journal-page.ts';

const journals = ['console/:name/journal/', strayPath];

export const pages: readonly ConsoleRoute[] = [
  listPage,
  ...redirects,
  ...newRoutes,
  overviewRoute,
  tokenRoute,
  ...seedRoutes,
  ...sandboxActs,
  ...faultRoutes,
  ...journals.flatMap((path): ConsoleRoute[] => [
    { method: 'GET', path, handle: showJournal },
    { method: 'GET', path: `${path}:entry/`, handle: showExchange },
    {
      method: 'POST',
      path: `${path}clear/`,
      handle: async (visit, services) => {
        const sandbox = await journalOf(visit, services);
        services.journal.clear(sandbox);
        return { redirect: journalUrl('', sandbox) };
      },
    },
  ]),
];
