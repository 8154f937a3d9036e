// The sections of a sandbox's page.
import type { ErrorLine } from '../../../base/errors.ts';
import { html, type Html } from '../../html.ts';
import { defaultSandbox } from '../../../access/which-sandbox.ts';
import type { SandboxDetail } from '../../../sandboxes/sandbox-schemas.ts';
import { startOf } from '../console-frame.ts';
import type { ConsoleServices, Visit } from '../console-page.ts';
import { type Fact, renderFactList, renderField, renderNameInput } from '../fields.ts';
import { renderMoment } from '../time-from-now.ts';
import { renderLastUse } from './last-use.ts';
import { describeCount } from './list-page.ts';
import type { SandboxSummary } from './queries.ts';

/** What a form of the page was refused for. */
export interface Refused {
  /** The field that shows it; left out where the form has none. */
  readonly field?: 'username' | 'snapshot';
  readonly status: number;
  readonly lines: readonly ErrorLine[];
}

interface Shown {
  /** The page's own. */
  readonly url: string;
  readonly visit: Visit;
  readonly faultsOf: (field: Refused['field']) => readonly string[];
}

export function renderUsers({ url, visit, faultsOf }: Shown, users: SandboxDetail['users']) {
  return html`<section aria-labelledby="users">
    <h2 id="users">Tokens</h2>
    <form class="inline" method="post" action="${url}tokens/">
      ${renderField({
        name: 'username',
        label: 'Make a token for a user',
        hint: 'It selects this sandbox by itself and is shown once.',
        faults: faultsOf('username'),
        control: (attributes) => renderNameInput(html`${attributes} list="usernames"`, 150, visit.form['username']),
      })}
      <datalist id="usernames">${users.map(({ username }) => html`<option value="${username}"></option>`)}</datalist>
      <button>Make a token</button>
    </form>
  </section>`;
}

export function renderSnapshots({ url, visit, faultsOf }: Shown, snapshots: readonly string[]): Html {
  return html`<section aria-labelledby="snapshots">
    <h2 id="snapshots">Snapshots</h2>
    ${
      snapshots.length === 0
        ? undefined
        : html`<ul class="rows snapshots">
            ${snapshots.map(
              (name, index) =>
                html`<li>
                  <span id="snapshot-${index}">${name}</span>
                  <form method="post" action="${url}restore/">
                    <input type="hidden" name="snapshot" value="${name}" />
                    <button class="small" aria-describedby="snapshot-${index}">Restore</button>
                  </form>
                </li>`,
            )}
          </ul>`
    }
    <form class="inline" method="post" action="${url}snapshots/">
      ${renderField({
        name: 'snapshot',
        label: 'Save the state as',
        hint: 'A name that is taken is overwritten.',
        faults: faultsOf('snapshot'),
        control: (attributes) => renderNameInput(attributes, 63, visit.form['snapshot']),
      })}
      <button>Save a snapshot</button>
    </form>
  </section>`;
}

/** Users or subscriptions. */
export const mostCounted = 100_000;

export function renderFacts({ url }: Shown, baseUrl: string, summary: SandboxSummary, services: ConsoleServices): Html {
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
    ...(rules === 0
      ? []
      : [['Faults', html`<a href="${url}faults/">${rules === 1 ? '1 rule' : `${rules} rules`} in force</a>`] as const]),
  ];
  return html`<section aria-labelledby="facts">
    <h2 id="facts">State</h2>
    ${renderFactList(facts)}
  </section>`;
}

export function renderActions({ url, visit }: Shown, name: string): Html {
  return html`<section aria-labelledby="actions">
    <h2 id="actions">Content</h2>
    <ul class="rows">
      <li><a href="${url}seed/">Load a seed</a></li>
      <li>
        <span
          >Export as <a href="${url}export/?format=yaml" download>YAML</a> or
          <a href="${url}export/?format=json" download>JSON</a></span
        >
      </li>
      <li><a href="${startOf(visit.origin)}console/new/?from=${name}">Copy to another sandbox</a></li>
    </ul>
    <form class="reset" method="post" action="${url}reset/">
      <button aria-describedby="reset">Reset</button>
      <p class="hint" id="reset">Back to the seed that it was made from, or that was loaded last.</p>
    </form>
    ${
      name === defaultSandbox
        ? undefined
        : html`<details>
            <summary>Drop</summary>
            <form method="post" action="${url}drop/">
              <p>
                Its users, subscriptions, tokens, snapshots, faults and journal are deleted. Nothing brings them back.
              </p>
              <button class="danger">Drop ${name}</button>
            </form>
          </details>`
    }
  </section>`;
}
