// A sandbox as its operator sees it: its state, and what can be done with it. What a client needs stands on its home page.
import { apiError } from '../../../base/errors.ts';
import { html } from '../../html.ts';
import { sandboxUrl } from '../console-frame.ts';
import type { ConsoleRoute, ConsoleServices, Page, Visit } from '../console-page.ts';
import {
  mostCounted,
  type Refused,
  renderActions,
  renderFacts,
  renderSnapshots,
  renderUsers,
} from './overview-parts.ts';
import { findSummary } from './queries.ts';

export async function overviewPage(visit: Visit, services: ConsoleServices, refused?: Refused): Promise<Page> {
  const { origin, params, query } = visit;
  const { name = '' } = params;
  const [detail, [summary]] = await Promise.all([
    services.sandboxesAt(origin).get(name),
    findSummary(services.database.reads, { name, most: mostCounted }),
  ]);
  if (summary === undefined) throw apiError('sandbox_not_found', name);
  const url = sandboxUrl(origin, name);
  const { base_url: baseUrl, users, snapshots } = detail;
  const texts = refused?.lines.map((line) => line.detail) ?? [];
  const faultsOf = (field: Refused['field']) => (refused?.field === field ? texts : []);
  const shown = { url, visit, faultsOf };
  return {
    status: refused?.status ?? 200,
    title: 'Overview',
    of: { sandbox: name, tab: 'overview' },
    notice: notices.get(query['done'] ?? ''),
    main: html`${refused && refused.field === undefined ? html`<p class="wrong" role="alert">${texts.join(' ')}</p>` : undefined}
      <div class="overview">
        <div>
          ${renderFacts(shown, baseUrl, summary, services)} ${renderUsers(shown, users)}
          ${renderSnapshots(shown, snapshots)}
        </div>
        <div>${renderActions(shown, name)}</div>
      </div>`,
  };
}

// Fixed texts: what the address names is never shown.
const notices: ReadonlyMap<string, string> = new Map([
  ['reset', 'The sandbox was reset. Its faults were removed and its journal emptied.'],
  ['snapshot', 'The snapshot was saved.'],
  ['restore', 'The snapshot was restored. The faults were removed and the journal emptied.'],
]);

export const overviewRoute: ConsoleRoute = {
  method: 'GET',
  path: 'console/:name/',
  handle: (visit, services) => overviewPage(visit, services),
};
