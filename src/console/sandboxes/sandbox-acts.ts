// What a sandbox's page does by its buttons: reset, snapshots, export, drop.
import { apiError } from '../../errors.ts';
import { html } from '../../pages/html.ts';
import type { Sandboxes } from '../../sandboxes/sandboxes.ts';
import { sandboxUrl } from '../console-frame.ts';
import type { ConsoleRoute, ConsoleServices, Visit } from '../console-page.ts';
import { getFaults } from '../fields.ts';
import { overviewPage } from './overview-page.ts';
import type { Refused } from './overview-parts.ts';

type Act = (sandboxes: Sandboxes, name: string, snapshot: string) => Promise<void>;

/** A button of the page, which says next what was done, or why not. */
const act = (path: string, done: string, field: Refused['field'], change: Act): ConsoleRoute => ({
  method: 'POST',
  path: `console/:name/${path}/`,
  handle: async (visit: Visit, services: ConsoleServices) => {
    const { name = '' } = visit.params;
    try {
      await change(services.sandboxesAt(visit.origin), name, (visit.form['snapshot'] ?? '').trim());
    } catch (error) {
      // Of a sandbox that is missing there is no page.
      return overviewPage(visit, services, { ...(field && { field }), ...getFaults(error) });
    }
    return { redirect: `/_understudy/console/${name}/?done=${done}` };
  },
});

const exportRoute: ConsoleRoute = {
  method: 'GET',
  path: 'console/:name/export/',
  handle: async ({ params, query }, { exportSeed }) => {
    const [name = '', format = 'yaml'] = [params['name'], query['format']];
    if (format !== 'yaml' && format !== 'json') throw apiError('not_found');
    return {
      content: await exportSeed(name, format),
      headers: {
        'content-type': `application/${format}; charset=utf-8`,
        'content-disposition': `attachment; filename="${name}.${format}"`,
        'x-content-type-options': 'nosniff',
      },
    };
  },
};

const path = 'console/:name/drop/';

const dropRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path,
    handle: async ({ origin, params }, { sandboxesAt }) => {
      const { name } = await sandboxesAt(origin).get(params['name'] ?? '');
      const url = sandboxUrl(origin, name);
      return {
        title: 'Drop',
        of: { sandbox: name, tab: 'overview' },
        main: html`<h2 class="heading">Drop this sandbox?</h2>
          <p>Its users, subscriptions, tokens, snapshots, faults and journal are deleted. Nothing brings them back.</p>
          <form method="post" action="${url}drop/">
            <p class="actions"><button class="danger">Drop ${name}</button> <a href="${url}">Cancel</a></p>
          </form>`,
      };
    },
  },
  {
    method: 'POST',
    path,
    handle: async (visit, services) => {
      try {
        await services.sandboxesAt(visit.origin).remove(visit.params['name'] ?? '');
      } catch (error) {
        return overviewPage(visit, services, getFaults(error));
      }
      return { redirect: '/_understudy/?done=drop' };
    },
  },
];

export const sandboxActs: readonly ConsoleRoute[] = [
  act('reset', 'reset', undefined, (sandboxes, name) => sandboxes.reset(name)),
  act('snapshots', 'snapshot', 'snapshot', (sandboxes, name, snapshot) => sandboxes.putSnapshot(name, snapshot)),
  act('restore', 'restore', undefined, (sandboxes, name, snapshot) => sandboxes.restore(name, snapshot)),
  exportRoute,
  ...dropRoutes,
];
