// A sandbox's journal and faults, and the journal of requests that reached no sandbox.
import type { ConsoleRoute } from '../console-page.ts';
import { faultRoutes } from './faults/fault-routes.ts';
import { showExchange } from './journal/exchange-page.ts';
import { journalOf, journalUrl, showJournal, strayPath } from './journal/journal-page.ts';

const journals = ['console/:name/journal/', strayPath];

export const trafficPages: readonly ConsoleRoute[] = [
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
