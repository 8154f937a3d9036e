// The page of a sandbox: its state and content, a token for a user, and what destroys content.
import { defaultSandbox } from '../../../access/which-sandbox.ts';
import { maxUndoRows, type SandboxDetail, type UserToken } from '../../../sandboxes/sandbox-schemas.ts';
import type { FaultInForce } from '../../../traffic/fault-rules.ts';
import { html, type Html } from '../../html.ts';
import {
  type Fact,
  renderBase,
  renderButton,
  renderFacts,
  renderField,
  renderNameInput,
  renderSection,
  renderTokens,
} from '../../parts.ts';
import { type ConsoleServices, describeDone, type Page, type Visit } from '../console-page.ts';
import { ask } from '../operate.ts';
import { describeMoment, renderMoment } from '../time-from-now.ts';
import { renderLastUse } from './list-page.ts';

/** Its forms with one field, by the name of that field. */
const nameForms = {
  username: {
    path: 'tokens',
    maxlength: 150,
    button: html`<button>Make a token</button>`,
    label: 'Make a token for a user',
    hint: 'It selects this sandbox by itself and is shown once.',
  },
  snapshot: {
    path: 'snapshots',
    maxlength: 63,
    button: html`<button>Save</button>`,
    label: 'Save a snapshot as',
    hint: 'A name that is taken is overwritten.',
  },
  name: {
    path: 'delete',
    maxlength: 63,
    button: html`<button class="primary danger">Delete</button>`,
    label: 'To delete the sandbox, type its name',
    hint: 'Its users, subscriptions, tokens, snapshots, faults and journal are deleted. Nothing brings them back.',
  },
} as const;

/** Why a form of the page was refused is shown by its field, or, where it has none, at the top. */
export async function overviewPage(visit: Visit, services: ConsoleServices): Promise<Page> {
  const { url, sandbox: name, query, form, refused } = visit;
  const state = await ask<SandboxDetail>('sandboxes_read', visit, services);
  const faults = await ask<FaultInForce[]>('faults_list', visit, services);
  const done = describeDone(query);
  const refusals = refused?.lines.map(({ detail }) => detail) ?? [];
  const renderNameForm = (field: keyof typeof nameForms) => {
    const { path, maxlength, button, ...texts } = nameForms[field];
    return html`<form method="post" action="${url}${path}/">
      ${renderField({
        ...texts,
        id: field,
        faults: field in form ? refusals : [],
        control: (attributes) =>
          html`<div class="row line">
            ${renderNameInput(html`${attributes} name="${field}" maxlength="${maxlength}"`, form[field])} ${button}
          </div>`,
      })}
    </form>`;
  };
  return {
    status: refused?.status ?? 200,
    title: 'Overview',
    tab: 'overview',
    notice:
      (done ?? state.undo) === null
        ? undefined
        : html`${done !== undefined && html`<p>${done}</p>`} ${renderUndo(url, state)}`,
    main: html`${
        !Object.keys(form).some((field) => field in nameForms) &&
        refusals.map((fault) => html`<p class="wrong" role="alert">${fault}</p>`)
      }
      <div class="columns halves">
        <div>
          ${renderBase(state.base_url)} ${renderState(url, state, faults.length, services)}
          ${renderSection('tokens', 'Tokens', renderNameForm('username'))}
        </div>
        <div>
          ${renderContent(visit, renderNameForm('snapshot'))}
          ${renderSection(
            'danger',
            'Danger zone',
            renderResets(url, state),
            name !== defaultSandbox && renderNameForm('name'),
          )}
        </div>
      </div>`,
  };
}

export async function makeToken(visit: Visit, services: ConsoleServices): Promise<Page> {
  const username = (visit.form['username'] ?? '').trim();
  const made = await ask<UserToken>('sandboxes_tokens_create', visit, services, { body: { username } });
  return {
    status: 201,
    title: 'Token made',
    tab: 'overview',
    notice: 'The token was made. Copy it now: it is shown this once.',
    main: renderTokens('It selects this sandbox by itself', [made]),
  };
}

export const renderUndo = (url: string, { undo }: SandboxDetail): Html | false =>
  undo !== null &&
  html`<p>Last reset, restore or load that kept what was: ${describeMoment(new Date(undo))}.</p>
    ${renderButton(`${url}undo/`, 'Undo', html`title="Brings back users, subscriptions, ids, tokens and the clock"`)}`;

function renderState(url: string, state: SandboxDetail, faults: number, services: ConsoleServices): Html {
  const { clock, seed, user_count: users, subscription_count: subscriptions, created, expires } = state;
  const facts: readonly Fact[] = [
    ['Home page', html`<a href="${state.base_url}/">lines for a terminal, users and tokens</a>`],
    ['Seed', seed ?? 'none'],
    ['Users', describeCount(users)],
    ['Subscriptions', describeCount(subscriptions)],
    ['Made', renderMoment(new Date(created))],
    ['Last use', renderLastUse(state, services)],
    ['Expires', expires === null ? 'never' : renderMoment(new Date(expires))],
    ['Faults', html`<a href="${url}faults/">${faults || 'none'} in force</a>`],
    ['Clock', clock && `stopped at ${clock}`],
  ];
  return renderSection('facts', 'State', renderFacts(facts));
}

const describeCount = (count: number): string => (count > maxUndoRows ? `over ${maxUndoRows}` : String(count));

const renderContent = ({ start, url, sandbox }: Visit, save: Html): Html =>
  renderSection(
    'actions',
    'Content',
    html`<ul class="rows">
      <li><a href="${url}seed/">Edit it as a seed</a>, or load another</li>
      <li>
        Export as <a href="${url}export/?format=yaml" download>YAML</a> or
        <a href="${url}export/?format=json" download>JSON</a>
      </li>
      <li><a href="${start}console/new/?from=${sandbox}">Copy to another sandbox</a></li>
    </ul>`,
    save,
  );

const renderResets = (url: string, state: SandboxDetail): Html =>
  html`<p class="hint" id="resets">
      A reset leads back to the seed that the sandbox was made from, or that was loaded last. A reset or a restored
      snapshot also removes the faults and empties the journal. ${undoHint(state)}
    </p>
    <ul class="rows">
      <li>${renderButton(`${url}reset/`, 'Reset', html`aria-describedby="resets"`)}</li>
      ${state.snapshots.map(
        (name, index) =>
          html`<li class="row between line">
            <span id="snapshot-${index}">${name}</span>
            ${renderButton(
              `${url}restore/`,
              'Restore',
              html`name="restore" value="${name}" aria-describedby="snapshot-${index}"`,
            )}
          </li>`,
      )}
    </ul>`;

export const undoHint = ({ user_count: users, subscription_count: subscriptions }: SandboxDetail): string =>
  users + subscriptions > maxUndoRows
    ? `The sandbox has more than ${maxUndoRows} users and subscriptions: there is no undo.`
    : 'You can undo it for an hour, until the next reset, restore or load; faults and journal don’t come back.';
