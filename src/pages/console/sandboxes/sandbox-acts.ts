// What a sandbox's page does by its buttons: reset, snapshots, export, drop.
import { apiError } from '../../../base/errors.ts';
import type { Sandboxes } from '../../../sandboxes/sandboxes.ts';
import type { ConsoleRoute, ConsoleServices, Visit } from '../console-page.ts';
import { getFaults } from '../read-form.ts';
import { overviewPage, type Refused } from './overview-page.ts';

type Act = (sandboxes: Sandboxes, name: string, snapshot: string) => Promise<void>;

/** A button of the page. The page that it leads to says what was done, or this one why not. */
const act = (
  path: string,
  done: string,
  change: Act,
  { field, isLast = false }: { readonly field?: Refused['field']; readonly isLast?: boolean } = {},
): ConsoleRoute => ({
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
    return { redirect: `/_understudy/${isLast ? '' : `console/${name}/`}?done=${done}` };
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

export const sandboxActs: readonly ConsoleRoute[] = [
  act('reset', 'reset', (sandboxes, name) => sandboxes.reset(name)),
  act('snapshots', 'snapshot', (sandboxes, name, snapshot) => sandboxes.putSnapshot(name, snapshot), {
    field: 'snapshot',
  }),
  act('restore', 'restore', (sandboxes, name, snapshot) => sandboxes.restore(name, snapshot)),
  act('drop', 'drop', (sandboxes, name) => sandboxes.remove(name), { isLast: true }),
  exportRoute,
];
