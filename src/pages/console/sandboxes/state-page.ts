// The page that changes a sandbox's state: clock, snapshots, reset, undo and deletion.
import { defaultSandbox } from '../../../access/which-sandbox.ts';
import { maxUndoRows, type SandboxDetail, type Snapshot } from '../../../sandboxes/sandbox-schemas.ts';
import { html } from '../../html.ts';
import { renderAlert, renderButton, renderRows, renderSection, describeMoment, renderMoment } from '../../parts.ts';
import { describeDone, type Handle, renderNameForm, ask } from '../console-page.ts';

const fields = {
  now: {
    path: 'clock/set',
    button: html`<button>Set</button>`,
    label: 'Set the clock to',
    hint: 'Such as 2026-01-02T03:04:05Z. New dates and rate limits use this stopped time.',
  },
  by: {
    path: 'clock/advance',
    button: html`<button>Advance</button>`,
    label: 'Advance the clock by',
    hint: 'Such as 90s, 30m, 1h or 2d.',
  },
  snapshot: {
    path: 'snapshots',
    button: html`<button>Save</button>`,
    label: 'Save a snapshot as',
    hint: 'A snapshot of the same name is overwritten.',
  },
  name: {
    path: 'delete',
    button: html`<button class="primary danger">Delete</button>`,
    label: 'To delete the sandbox, type its name',
    hint: 'Its users, subscriptions, tokens, snapshots, faults and journal are deleted. Nothing brings them back.',
  },
} as const;

/** A refused form's errors are at its field, or at the top if the form has no field. */
export const statePage: Handle = async (visit) => {
  const { url, sandbox, query, form, refused } = visit;
  const state = await ask<SandboxDetail>('sandboxes_read', visit);
  const snapshots = await ask<Snapshot[]>('sandboxes_snapshots_list', visit);
  const done = describeDone(query);
  const said = done !== undefined && html`<p>${done}</p>`;
  const render = (id: keyof typeof fields) => renderNameForm(visit, { id, ...fields[id] });
  return {
    title: 'State',
    tab: 'state',
    notice: (done ?? state.undo) !== null && html`${said} ${renderUndo(url, state)}`,
    main: html`${!Object.keys(form).some((field) => field in fields) && renderAlert(refused?.lines)}
      <div class="columns">
        <div>
          ${renderSection(
            'clock',
            'Clock',
            html`<p>${state.clock === null ? 'It runs.' : `It is stopped at ${state.clock}.`}</p>`,
            state.clock !== null && renderButton(`${url}clock/run/`, 'Let it run'),
            render('now'),
            render('by'),
          )}
        </div>
        <div>
          ${renderSection('reset', 'Reset', renderReset(url, state))}
          ${renderSection('snapshots', 'Snapshots', renderSnapshots(url, snapshots), render('snapshot'))}
          ${sandbox !== defaultSandbox && renderSection('danger', 'Danger zone', render('name'))}
        </div>
      </div>`,
  };
};

const renderReset = (url: string, state: SandboxDetail) =>
  html`<p class="hint" id="resets">
      A reset leads back to what the sandbox was made from, or to the last seed that replaced its content. A reset or a
      restored snapshot also removes the faults and empties the journal. ${undoHint(state)}
    </p>
    ${renderButton(`${url}reset/`, 'Reset', html`aria-describedby="resets"`)}`;

const renderSnapshots = (url: string, snapshots: readonly Snapshot[]) =>
  renderRows(
    snapshots.map(({ name, created }, index) => {
      const attributes = html`name="restore" value="${name}" aria-describedby="snapshot-${index}"`;
      return html`<li class="row between line">
        <div><span id="snapshot-${index}">${name}</span> <span class="hint">${renderMoment(created)}</span></div>
        ${renderButton(`${url}restore/`, 'Restore', attributes)}
        ${renderButton(`${url}snapshots/delete/`, 'Forget', html`${attributes} title="Nothing brings it back"`)}
      </li>`;
    }),
  );

export const renderUndo = (url: string, { undo }: SandboxDetail) =>
  undo !== null &&
  html`<p>The content was kept ${describeMoment(undo)} for an undo.</p>
    ${renderButton(`${url}undo/`, 'Undo', html`title="Brings back users, subscriptions, ids, tokens and the clock"`)}`;

export const undoHint = ({ user_count: users, subscription_count: subscriptions }: SandboxDetail) =>
  users + subscriptions > maxUndoRows
    ? `The sandbox has more than ${maxUndoRows} users and subscriptions: there is no undo.`
    : 'You can undo this for an hour, or until the next reset, restore or load. Faults and journal don’t come back.';
