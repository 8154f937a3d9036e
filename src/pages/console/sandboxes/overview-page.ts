// The page of a sandbox: what a client needs, as on its home page, its state and content, and what destroys content.
import { baseUrlOf, defaultSandbox } from '../../../access/which-sandbox.ts';
import { maxUndoRows } from '../../../sandboxes/sandboxes.ts';
import { renderForClients } from '../../home/home.ts';
import { html, type Html } from '../../html.ts';
import { type Fact, renderButton, renderFacts, renderField, renderNameInput, renderSection } from '../../parts.ts';
import type { ConsoleServices, Page, Visit } from '../console-page.ts';
import { describeMoment, renderMoment } from '../time-from-now.ts';
import { describeCount, renderLastUse } from './list-page.ts';
import { getState, mostOfOne, type SandboxState } from './queries.ts';
import { describeDone } from './sandbox-acts.ts';

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
  const { origin, url, sandbox: name, query, form, isSignedIn, visitor, refused } = visit;
  const state = await getState(services.database.read, name);
  const { kept } = state;
  const choices = visitor?.choices ?? [];
  const done = describeDone(query);
  const undo = kept !== null && renderUndo(url);
  const isUndoOfDone = done !== undefined && ['reset', 'restore'].includes(query['done'] ?? '');
  const faults = refused?.lines.map(({ detail }) => detail) ?? [];
  const renderNameForm = (field: keyof typeof nameForms) => {
    const { path, maxlength, button, ...texts } = nameForms[field];
    return html`<form method="post" action="${url}${path}/">
      ${renderField({
        ...texts,
        id: field,
        faults: field in form ? faults : [],
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
      done &&
      html`<p>${done}</p>
        ${isUndoOfDone && undo}`,
    main: html`${
        !Object.keys(form).some((field) => field in nameForms) &&
        faults.map((fault) => html`<p class="wrong" role="alert">${fault}</p>`)
      }
      <div class="columns">
        <div>
          ${renderForClients(baseUrlOf(origin, name), { ...visitor, choices }, !isSignedIn)}
          ${renderSection('tokens', 'Tokens', renderNameForm('username'))}
        </div>
        <div>
          ${renderState(url, state, choices.length, services)} ${renderContent(visit, renderNameForm('snapshot'))}
          ${renderSection(
            'danger',
            'Danger zone',
            renderResets(url, state),
            kept !== null &&
              !isUndoOfDone &&
              html`<p>Last reset, restore or load that kept what was: ${describeMoment(kept)}.</p>
                ${undo}`,
            name !== defaultSandbox && renderNameForm('name'),
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
    ['Users', `${describeCount(users, mostOfOne)}${publicTokens > 0 ? `, ${publicTokens} with public tokens` : ''}`],
    ['Subscriptions', describeCount(subscriptions, mostOfOne)],
    ['Made', renderMoment(created)],
    ['Last use', renderLastUse(state, services)],
    ['Expires', expires === null ? 'never' : renderMoment(expires)],
    ['Faults', html`<a href="${url}faults/">${services.faults.inForce(name).length || 'none'} in force</a>`],
    ['Clock', now && `stopped at ${now}`],
  ];
  return renderSection('facts', 'State', renderFacts(facts));
}

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

const renderResets = (url: string, state: SandboxState): Html =>
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

export const undoHint = ({ users, subscriptions }: SandboxState): string =>
  users + subscriptions > maxUndoRows
    ? `The sandbox has more than ${maxUndoRows} users and subscriptions: there is no undo.`
    : 'You can undo it for an hour, until the next reset, restore or load; faults and journal don’t come back.';
