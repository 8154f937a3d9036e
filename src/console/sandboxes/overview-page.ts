// A sandbox: how to reach it, who is in it, and what can be done with it.
import { apiError } from '../../errors.ts';
import { exampleUser } from '../../pages/home/home-contents.ts';
import { html } from '../../pages/html.ts';
import { sandboxUrl } from '../console-frame.ts';
import type { ConsoleRoute, ConsoleServices, Page, Visit } from '../console-page.ts';
import { renderBase, renderFirstRequest } from './copyable.ts';
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
  const [detail, [summary], samples] = await Promise.all([
    services.sandboxesAt(origin).get(name),
    findSummary(services.database.reads, { name, most: mostCounted }),
    services.samples.of(name),
  ]);
  if (summary === undefined) throw apiError('sandbox_not_found', name);
  const url = sandboxUrl(origin, name);
  const { base_url: baseUrl, users, snapshots } = detail;
  const texts = refused?.lines.map((line) => line.detail) ?? [];
  const faultsOf = (field: Refused['field']) => (refused?.field === field ? texts : []);
  const owner = exampleUser(samples);
  const shown = { url, visit, faultsOf };
  return {
    status: refused?.status ?? 200,
    title: 'Overview',
    of: { sandbox: name, tab: 'overview' },
    notice: notices.get(query['done'] ?? ''),
    main: html`${refused && refused.field === undefined ? html`<p class="wrong" role="alert">${texts.join(' ')}</p>` : undefined}
      <div class="overview">
        <div class="use">
          ${renderBase(baseUrl)} ${owner && renderFirstRequest(baseUrl, owner)} ${renderUsers(shown, samples, users)}
          ${renderSnapshots(shown, snapshots)}
        </div>
        <div class="side">${renderFacts(shown, summary, services)} ${renderActions(shown, name)}</div>
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
