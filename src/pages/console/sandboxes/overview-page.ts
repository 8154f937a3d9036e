// The page of a sandbox: what a client needs, as on its home page, its state and content, and what destroys content.
import { defaultSandbox } from '../../../access/which-sandbox.ts';
import { maxUndoRows } from '../../../sandboxes/sandboxes.ts';
import { apiError, type ErrorLine } from '../../../base/errors.ts';
import { renderForClients } from '../../home/home.ts';
import { html, type Html } from '../../html.ts';
import { type Fact, renderButton, renderFacts, renderField, renderNameInput, renderSection } from '../../parts.ts';
import { describeDone, sandboxUrl, startOf } from '../console-frame.ts';
import type { ConsoleServices, Page, Visit } from '../console-page.ts';
import { describeMoment, renderMoment } from '../time-from-now.ts';
import { describeCount, renderLastUse } from './list-page.ts';
import { findState, type SandboxState } from './queries.ts';

/** Why a form of the page was refused. */
export interface Refused {
  /** The field that shows it; undefined if the form has none. */
  readonly field: 'username' | 'snapshot' | 'name' | undefined;
  readonly status: number;
  readonly lines: readonly ErrorLine[];
}

const maxCounted = 100_000;

export async function overviewPage(visit: Visit, services: ConsoleServices, refused?: Refused): Promise<Page> {
  const { origin, sandbox: name, query, form, isSignedIn, visitor } = visit;
  const [detail, [state]] = await Promise.all([
    services.sandboxesAt(origin).get(name),
    findState(services.database.reads, { name, most: maxCounted }),
  ]);
  if (state === undefined) throw apiError('sandbox_not_found', name);
  const { kept } = state;
  const url = sandboxUrl(origin, name);
  const { base_url: baseUrl, users, snapshots } = detail;
  const isDefault = name === defaultSandbox;
  const choices = visitor?.choices ?? [];
  const client = { baseUrl, sandbox: isDefault ? undefined : name, visitor, choices, isAdminOpen: !isSignedIn };
  const done = describeDone(query);
  const undo = kept !== null && renderUndo(url);
  const isUndoOfDone = done !== undefined && ['reset', 'restore'].includes(query['done'] ?? '');
  const faultsOf = (field: Refused['field']) =>
    refused?.field === field ? (refused?.lines.map((line) => line.detail) ?? []) : [];
  const renderNameForm = (
    field: 'username' | 'snapshot' | 'name',
    attributes: Html,
    { path, button, ...texts }: Readonly<Record<'path' | 'label' | 'hint', string>> & { readonly button: Html },
  ) =>
    html`<form method="post" action="${url}${path}/">
      ${renderField({
        ...texts,
        id: field,
        faults: faultsOf(field),
        control: (described) =>
          html`<div class="row line">
            ${renderNameInput(html`${described} name="${field}" ${attributes}`, form[field])} ${button}
          </div>`,
      })}
    </form>`;
  return {
    status: refused?.status ?? 200,
    title: 'Overview',
    of: { sandbox: name, tab: 'overview' },
    notice:
      done &&
      html`<p>${done}</p>
        ${isUndoOfDone && undo}`,
    main: html`${faultsOf(undefined).map((fault) => html`<p class="wrong" role="alert">${fault}</p>`)}
      <div class="columns">
        <div>
          ${renderForClients(client)}
          ${renderSection(
            'tokens',
            'Tokens',
            renderNameForm('username', html`maxlength="150" list="usernames"`, {
              path: 'tokens',
              label: 'Make a token for a user',
              hint: 'It selects this sandbox by itself and is shown once.',
              button: html`<button>Make a token</button>`,
            }),
            html`<datalist id="usernames">
              ${users.map(({ username }) => html`<option value="${username}"></option>`)}
            </datalist>`,
          )}
        </div>
        <div>
          ${renderState(url, state, choices.length, services)}
          ${renderContent(
            url,
            visit,
            renderNameForm('snapshot', html`maxlength="63"`, {
              path: 'snapshots',
              label: 'Save a snapshot as',
              hint: 'A name that is taken is overwritten.',
              button: html`<button>Save</button>`,
            }),
          )}
          ${renderSection(
            'danger',
            'Danger zone',
            renderResets(url, snapshots, state),
            kept !== null &&
              !isUndoOfDone &&
              html`<p>Last reset, restore or load by a page: ${describeMoment(kept)}.</p>
                ${undo}`,
            !isDefault &&
              renderNameForm('name', html`maxlength="63"`, {
                path: 'delete',
                label: 'To delete the sandbox, type its name',
                hint: 'Its users, subscriptions, tokens, snapshots, faults and journal are deleted. Nothing brings them back.',
                button: html`<button class="primary danger">Delete</button>`,
              }),
          )}
        </div>
      </div>`,
  };
}

/** For a page that follows a reset, restore or load. */
export const renderUndo = (url: string): Html =>
  renderButton(`${url}undo/`, 'Undo', html`title="Brings back users, subscriptions, ids, tokens and the clock"`);

function renderState(url: string, state: SandboxState, publicTokens: number, services: ConsoleServices): Html {
  const { name, now, seed, users, subscriptions, created, expires } = state;
  const facts: readonly Fact[] = [
    ['Seed', seed ?? 'none'],
    ['Users', `${describeCount(users, maxCounted)}${publicTokens > 0 ? `, ${publicTokens} with public tokens` : ''}`],
    ['Subscriptions', describeCount(subscriptions, maxCounted)],
    ['Made', renderMoment(created)],
    ['Last use', renderLastUse(state, services)],
    ['Expires', expires === null ? 'never' : renderMoment(expires)],
    ['Faults', html`<a href="${url}faults/">${services.faults.list(name).length || 'none'} in force</a>`],
    ['Clock', now && `stopped at ${now}`],
  ];
  return renderSection('facts', 'State', renderFacts(facts));
}

const renderContent = (url: string, { origin, sandbox }: Visit, save: Html): Html =>
  renderSection(
    'actions',
    'Content',
    html`<ul class="rows">
      <li><a href="${url}seed/">Edit it as a seed</a>, or load another</li>
      <li>
        Export as <a href="${url}export/?format=yaml" download>YAML</a> or
        <a href="${url}export/?format=json" download>JSON</a>
      </li>
      <li><a href="${startOf(origin)}console/new/?from=${sandbox}">Copy to another sandbox</a></li>
    </ul>`,
    save,
  );

const renderResets = (url: string, snapshots: readonly string[], state: SandboxState): Html =>
  html`<p class="hint" id="resets">
      A reset leads back to the seed that the sandbox was made from, or that was loaded last. A reset or a restored
      snapshot also removes the faults and empties the journal. ${undoHint(state)}
    </p>
    <ul class="rows">
      <li>${renderButton(`${url}reset/`, 'Reset', html`aria-describedby="resets"`)}</li>
      ${snapshots.map(
        (name, index) =>
          html`<li class="row between line">
            <span id="snapshot-${index}">${name}</span>
            ${renderButton(`${url}restore/`, 'Restore', html`name="snapshot" value="${name}" aria-describedby="snapshot-${index}"`)}
          </li>`,
      )}
    </ul>`;

export const undoHint = ({ users, subscriptions }: SandboxState): string =>
  users + subscriptions > maxUndoRows
    ? `The sandbox has more than ${maxUndoRows} users and subscriptions: there is no undo.`
    : 'You can undo it for an hour, until the next reset, restore or load; faults and journal don’t come back.';
