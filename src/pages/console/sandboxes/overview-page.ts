// A sandbox as its operator sees it: its state, and what can be done with it. What a client needs stands on its home page.
import { defaultSandbox } from '../../../access/which-sandbox.ts';
import { apiError, type ErrorLine } from '../../../base/errors.ts';
import { html, type Html } from '../../html.ts';
import { type Fact, renderButton, renderFacts, renderField, renderNameInput, renderSection } from '../../parts.ts';
import type { SandboxDetail } from '../../../sandboxes/sandbox-schemas.ts';
import { sandboxUrl, startOf } from '../console-frame.ts';
import type { ConsoleRoute, ConsoleServices, Page, Visit } from '../console-page.ts';
import { renderMoment } from '../time-from-now.ts';
import { describeCount, renderLastUse } from './list-page.ts';
import { findSummary, type SandboxSummary } from './queries.ts';

/** What a form of the page was refused for. */
export interface Refused {
  /** The field that shows it; left out where the form has none. */
  readonly field?: 'username' | 'snapshot';
  readonly status: number;
  readonly lines: readonly ErrorLine[];
}

/** Users or subscriptions. */
const mostCounted = 100_000;

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
  return {
    status: refused?.status ?? 200,
    title: 'Overview',
    of: { sandbox: name, tab: 'overview' },
    notice: notices.get(query['done'] ?? ''),
    main: html`${refused && refused.field === undefined && html`<p class="wrong" role="alert">${texts.join(' ')}</p>`}
      <div class="columns">
        <div>
          ${renderState(url, baseUrl, summary, services)} ${renderUsers(url, visit, users, faultsOf('username'))}
          ${renderSnapshots(url, visit, snapshots, faultsOf('snapshot'))}
        </div>
        <div>${renderContent(url, visit, name)}</div>
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

function renderState(url: string, baseUrl: string, summary: SandboxSummary, services: ConsoleServices): Html {
  const { name, seed, users, subscriptions, created, expires } = summary;
  const rules = services.faults.list(name).length;
  const facts: readonly Fact[] = [
    ['Home', html`<a href="${baseUrl}/">${baseUrl}/</a>`],
    ['Seed', seed ?? 'none'],
    ['Users', describeCount(users, mostCounted)],
    ['Subscriptions', describeCount(subscriptions, mostCounted)],
    ['Made', renderMoment(created)],
    ['Last use', renderLastUse(summary, services)],
    ['Expires', expires === null ? 'never' : renderMoment(expires)],
    [
      'Faults',
      rules > 0 ? html`<a href="${url}faults/">${rules === 1 ? '1 rule' : `${rules} rules`} in force</a>` : null,
    ],
  ];
  return renderSection('facts', 'State', renderFacts(facts));
}

const renderUsers = (url: string, { form }: Visit, users: SandboxDetail['users'], faults: readonly string[]): Html =>
  renderSection(
    'users',
    'Tokens',
    html`<form method="post" action="${url}tokens/">
      ${renderField({
        id: 'username',
        label: 'Make a token for a user',
        hint: 'It selects this sandbox by itself and is shown once.',
        faults,
        control: (attributes) =>
          html`<div class="row line">
            ${renderNameInput(html`${attributes} name="username" maxlength="150" list="usernames"`, form['username'])}
            <button>Make a token</button>
          </div>`,
      })}
      <datalist id="usernames">${users.map(({ username }) => html`<option value="${username}"></option>`)}</datalist>
    </form>`,
  );

const renderSnapshots = (url: string, { form }: Visit, snapshots: readonly string[], faults: readonly string[]): Html =>
  renderSection(
    'snapshots',
    'Snapshots',
    snapshots.length > 0 &&
      html`<ul class="rows snapshots">
        ${snapshots.map(
          (name, index) =>
            html`<li class="row between">
              <span id="snapshot-${index}">${name}</span>
              ${renderButton(`${url}restore/`, 'Restore', html`name="snapshot" value="${name}" aria-describedby="snapshot-${index}"`)}
            </li>`,
        )}
      </ul>`,
    html`<form method="post" action="${url}snapshots/">
      ${renderField({
        id: 'snapshot',
        label: 'Save the state as',
        hint: 'A name that is taken is overwritten.',
        faults,
        control: (attributes) =>
          html`<div class="row line">
            ${renderNameInput(html`${attributes} name="snapshot" maxlength="63"`, form['snapshot'])}
            <button>Save a snapshot</button>
          </div>`,
      })}
    </form>`,
  );

const renderContent = (url: string, { origin }: Visit, name: string): Html =>
  renderSection(
    'actions',
    'Content',
    html`<ul class="rows">
        <li><a href="${url}seed/">Load a seed</a></li>
        <li>
          Export as <a href="${url}export/?format=yaml" download>YAML</a> or
          <a href="${url}export/?format=json" download>JSON</a>
        </li>
        <li><a href="${startOf(origin)}console/new/?from=${name}">Copy to another sandbox</a></li>
      </ul>
      ${renderButton(`${url}reset/`, 'Reset', html`aria-describedby="reset"`)}
      <p class="hint" id="reset">Back to the seed that it was made from, or that was loaded last.</p>`,
    name !== defaultSandbox &&
      html`<details>
        <summary>Drop</summary>
        <p>Its users, subscriptions, tokens, snapshots, faults and journal are deleted. Nothing brings them back.</p>
        ${renderButton(`${url}drop/`, `Drop ${name}`, html`class="primary danger"`)}
      </details>`,
  );
