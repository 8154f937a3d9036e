// A sandbox as its operator sees it: its state, and what can be done with it. What a client needs stands on its home page.
import { defaultSandbox } from '../../../access/which-sandbox.ts';
import type { Clock } from '../../../sandboxes/sandbox-schemas.ts';
import { apiError, type ErrorLine } from '../../../base/errors.ts';
import { html, type Html } from '../../html.ts';
import { type Fact, renderButton, renderFacts, renderField, renderNameInput, renderSection } from '../../parts.ts';
import { sandboxUrl, startOf } from '../console-frame.ts';
import type { ConsoleServices, Page, Visit } from '../console-page.ts';
import { renderMoment } from '../time-from-now.ts';
import { describeCount, renderLastUse } from './list-page.ts';
import { findSummary, type SandboxSummary } from './queries.ts';

/** What a form of the page was refused for. */
export interface Refused {
  /** The field that shows it; undefined where the form has none. */
  readonly field: 'username' | 'snapshot' | undefined;
  readonly status: number;
  readonly lines: readonly ErrorLine[];
}

/** Users or subscriptions. */
const maxCounted = 100_000;

export async function overviewPage(visit: Visit, services: ConsoleServices, refused?: Refused): Promise<Page> {
  const { origin, params, query, form } = visit;
  const { name = '' } = params;
  const [detail, clock, [summary]] = await Promise.all([
    services.sandboxesAt(origin).get(name),
    services.sandboxesAt(origin).getClock(name),
    findSummary(services.database.reads, { name, most: maxCounted }),
  ]);
  if (summary === undefined) throw apiError('sandbox_not_found', name);
  const url = sandboxUrl(origin, name);
  const { base_url: baseUrl, users, snapshots } = detail;
  const faultsOf = (field: Refused['field']) =>
    refused?.field === field ? (refused?.lines.map((line) => line.detail) ?? []) : [];
  const renderNameForm = (
    field: 'username' | 'snapshot',
    attributes: Html,
    { path, button, ...texts }: Readonly<Record<'path' | 'label' | 'hint' | 'button', string>>,
  ) =>
    html`<form method="post" action="${url}${path}/">
      ${renderField({
        ...texts,
        id: field,
        faults: faultsOf(field),
        control: (described) =>
          html`<div class="row line">
            ${renderNameInput(html`${described} name="${field}" ${attributes}`, form[field])}
            <button>${button}</button>
          </div>`,
      })}
    </form>`;
  return {
    status: refused?.status ?? 200,
    title: 'Overview',
    of: { sandbox: name, tab: 'overview' },
    notice: notices.get(query['done'] ?? ''),
    main: html`${faultsOf(undefined).map((fault) => html`<p class="wrong" role="alert">${fault}</p>`)}
      <div class="columns">
        <div>
          ${renderState(url, baseUrl, { ...summary, ...clock }, services)}
          ${renderSection(
            'users',
            'Tokens',
            renderNameForm('username', html`maxlength="150" list="usernames"`, {
              path: 'tokens',
              label: 'Make a token for a user',
              hint: 'It selects this sandbox by itself and is shown once.',
              button: 'Make a token',
            }),
            html`<datalist id="usernames">
              ${users.map(({ username }) => html`<option value="${username}"></option>`)}
            </datalist>`,
          )}
          ${renderSection(
            'snapshots',
            'Snapshots',
            snapshots.length > 0 &&
              html`<ul class="rows snapshots">
                ${snapshots.map((snapshot, index) => renderSnapshot(url, snapshot, `snapshot-${index}`))}
              </ul>`,
            renderNameForm('snapshot', html`maxlength="63"`, {
              path: 'snapshots',
              label: 'Save the state as',
              hint: 'A name that is taken is overwritten.',
              button: 'Save a snapshot',
            }),
          )}
        </div>
        <div>${renderContent(url, visit, name)}</div>
      </div>`,
  };
}

const renderSnapshot = (url: string, name: string, id: string): Html =>
  html`<li class="row between">
    <span id="${id}">${name}</span>
    ${renderButton(`${url}restore/`, 'Restore', html`name="snapshot" value="${name}" aria-describedby="${id}"`)}
  </li>`;

// Fixed texts: what the address names is never shown.
const notices: ReadonlyMap<string, string> = new Map([
  ['reset', 'The sandbox was reset. Its faults were removed and its journal emptied.'],
  ['putSnapshot', 'The snapshot was saved.'],
  ['restore', 'The snapshot was restored. The faults were removed and the journal emptied.'],
]);

function renderState(url: string, baseUrl: string, summary: SandboxSummary & Clock, services: ConsoleServices): Html {
  const { name, now, seed, users, subscriptions, created, expires } = summary;
  const rules = services.faults.list(name).length;
  const facts: readonly Fact[] = [
    ['Home', html`<a href="${baseUrl}/">${baseUrl}/</a>`],
    ['Seed', seed ?? 'none'],
    ['Users', describeCount(users, maxCounted)],
    ['Subscriptions', describeCount(subscriptions, maxCounted)],
    ['Made', renderMoment(created)],
    ['Last use', renderLastUse(summary, services)],
    ['Expires', expires === null ? 'never' : renderMoment(expires)],
    ['Clock', now && `stands at ${now}`],
    [
      'Faults',
      rules > 0 ? html`<a href="${url}faults/">${rules === 1 ? '1 rule' : `${rules} rules`} in force</a>` : null,
    ],
  ];
  return renderSection('facts', 'State', renderFacts(facts));
}

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
