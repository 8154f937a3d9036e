// A sandbox's journal and faults.
import { getSandboxId } from '../../sandboxes/sandboxes.ts';
import type { ConsoleRoute } from '../console-page.ts';
import { faultRoutes } from './faults/fault-routes.ts';
import { showExchange } from './journal/exchange-page.ts';
import { showJournal } from './journal/journal-page.ts';

const journal = 'console/:name/journal/';

export const trafficPages: readonly ConsoleRoute[] = [
  ...faultRoutes,
  { method: 'GET', path: journal, handle: showJournal },
  { method: 'GET', path: `${journal}:entry/`, handle: showExchange },
  {
    method: 'POST',
    path: `${journal}clear/`,
    handle: async ({ params }, services) => {
      const name = params['name'] ?? '';
      await getSandboxId(services.database.reads, name);
      services.journal.clear(name);
      return { redirect: `/_understudy/console/${name}/journal/` };
    },
  },
];
