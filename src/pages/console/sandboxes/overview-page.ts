// The page of a sandbox: how a client connects to it, its users, its state and content, and what destroys content.
import { baseUrlOf, defaultSandbox } from '../../../access/which-sandbox.ts';
import { listShippedSeeds } from '../../../seeds/load/seed-name.ts';
import { maxUndoRows, type SandboxDetail, type UserToken } from '../../../sandboxes/sandbox-schemas.ts';
import type { FaultInForce } from '../../../traffic/fault-rules.ts';
import type { CurlRequest } from '../../curl.ts';
import { exact, html, type Html } from '../../html.ts';
import {
  renderAlert,
  renderButton,
  renderCopy,
  renderFacts,
  renderNameInput,
  renderRequest,
  renderRows,
  renderSection,
  renderTable,
  renderTokens,
  renderVariables,
} from '../../parts.ts';
import { describeDone, type Handle, renderOwnField, urlWith, type Visit } from '../console-page.ts';
import { ask } from '../operate.ts';
import { describeMoment, renderMoment } from '../time-from-now.ts';
import { renderLastUse } from './list-page.ts';

/** Its forms with one field, by the name of that field. */
const nameForms = {
  username: {
    path: 'tokens',
    button: html`<button>Make a token</button>`,
    label: 'Make a token for another user',
    hint: 'It selects this sandbox by itself and is shown once.',
  },
  snapshot: {
    path: 'snapshots',
    button: html`<button>Save</button>`,
    label: 'Save a snapshot as',
    hint: 'A name that is taken is overwritten.',
  },
  now: {
    path: 'clock/set',
    button: html`<button>Set</button>`,
    label: 'Set the clock to',
    hint: 'Such as 2026-01-02T03:04:05Z. New dates and rate limits go by it; it then stands.',
  },
  by: {
    path: 'clock/advance',
    button: html`<button>Advance</button>`,
    label: 'Advance the clock by',
    hint: 'Such as 90s, 30m, 1h or 2d.',
  },
  name: {
    path: 'delete',
    button: html`<button class="primary danger">Delete</button>`,
    label: 'To delete the sandbox, type its name',
    hint: 'Its users, subscriptions, tokens, snapshots, faults and journal are deleted. Nothing brings them back.',
  },
} as const;

/** Why a form of the page was refused is shown by its field, or, where it has none, at the top. */
export const overviewPage: Handle = async (visit) => {
  const { url, sandbox: name, query, form, refused } = visit;
  const state = await ask<SandboxDetail>('sandboxes_read', visit);
  const faults = await ask<FaultInForce[]>('faults_list', visit);
  const shipped = await listShippedSeeds();
  const done = describeDone(query);
  const renderNameForm = (field: keyof typeof nameForms) => {
    const { path, button, ...texts } = nameForms[field];
    const input = renderNameInput(form[field]);
    const control = (attributes: Html) => html`<div class="row line">${input(attributes)} ${button}</div>`;
    return html`<form method="post" action="${url}${path}/">
      ${renderOwnField(visit, { ...texts, id: field, control }, ...(field in form ? [null] : []))}
    </form>`;
  };
  const remove = name !== defaultSandbox && renderNameForm('name');
  return {
    title: 'Overview',
    tab: 'overview',
    notice:
      (done ?? state.undo) === null
        ? undefined
        : html`${done !== undefined && html`<p>${done}</p>`} ${renderUndo(url, state)}`,
    main: html`${!Object.keys(form).some((field) => field in nameForms) && renderAlert(refused?.lines)}
      <div class="columns">
        <div>
          ${renderConnect(visit, state, shipped, userOf(visit, state))}
          ${renderSection('users', 'Users', renderUsers(visit, state), renderNameForm('username'))}
        </div>
        <div>
          ${renderState(visit, state, faults.length)}
          ${renderSection(
            'clock',
            'Clock',
            renderNameForm('now'),
            renderNameForm('by'),
            state.clock !== null && renderButton(`${url}clock/run/`, 'Let it run'),
          )}
          ${renderContent(visit, renderNameForm('snapshot'))}
          ${renderSection('danger', 'Danger zone', renderResets(url, state), remove)}
        </div>
      </div>`,
  };
};

export const makeToken: Handle = async (visit) => {
  const username = (visit.form['username'] ?? '').trim();
  const made = await ask<UserToken>('sandboxes_tokens_create', visit, { body: { username } });
  const state = await ask<SandboxDetail>('sandboxes_read', visit);
  const hidden = html`<input type="hidden" name="next" value="${visit.url}" />
    <input type="hidden" name="token" value="${made.token}" />`;
  return {
    status: 201,
    title: 'Token made',
    tab: 'overview',
    notice: 'The token was made. Copy it now: it is shown this once.',
    main: html`${renderTokens('It selects this sandbox by itself', [made])}
      <form method="post" action="${baseUrlOf(visit.origin, visit.sandbox)}/session/">
        ${hidden}<button>Act as ${made.username}</button>
      </form>
      ${renderConnect(visit, state, await listShippedSeeds(), made)}`,
  };
};

/** Whom the lines of a page are for, with the token if it is public. */
type Connected = Partial<Pick<UserToken, 'username' | 'token'>>;

/** The user that the address names, else whom the browser acts as, else one with a public token. */
function userOf({ query, visitor }: Visit, { users }: SandboxDetail): Connected {
  const { choices = [], username: acting } = visitor ?? {};
  const isThere = (wanted?: string) => users.some(({ username }) => username === wanted);
  const fallback = choices.find(({ username }) => username === 'alice') ?? choices[0] ?? users[0];
  const username = [query['user'], acting].find(isThere) ?? fallback?.username;
  return choices.find((choice) => choice.username === username) ?? { ...(username !== undefined && { username }) };
}

/** The base URL, the variables of a CI job that acts as a user, a request of that user, and how a job makes the sandbox. */
function renderConnect(
  visit: Visit,
  state: SandboxDetail,
  shipped: readonly string[],
  { username, token = '$TOKEN' }: Connected,
): Html {
  const { base_url: baseUrl } = state;
  const path = username === undefined ? '' : `${encodeURIComponent(username)}/notifications/`;
  return renderSection(
    'connect',
    username === undefined ? 'Connect' : `Connect as ${username}`,
    renderCopy(baseUrl, 'Base URL'),
    html`<h3>Variables of a CI job</h3>`,
    renderVariables(baseUrl, token),
    html`<h3>A request</h3>`,
    renderRequest({ method: 'GET', url: `${baseUrl}/api/users/${path}`, token }, 'A request'),
    html`<details>
      <summary>Make this sandbox in a CI job</summary>
      ${renderRequest(requestOfJob(visit, state, shipped), 'The request that makes it')}
    </details>`,
  );
}

/** To the own API. What has a seed of its own, and default, are copied to another name. */
function requestOfJob(
  { origin, sandbox, isSignedIn }: Visit,
  { seed }: SandboxDetail,
  shipped: readonly string[],
): CurlRequest {
  const isAgain = seed !== null && shipped.includes(seed) && sandbox !== defaultSandbox;
  const url = `${origin}/_understudy/sandboxes/${isAgain ? sandbox : 'job-1'}`;
  const token = isSignedIn ? '$TOKEN' : undefined;
  return { method: 'PUT', url, token, body: JSON.stringify({ from: isAgain ? seed : sandbox }) };
}

/** More are left to the field for a name. */
const mostUsers = 20;

function renderUsers({ origin, url, sandbox, visitor }: Visit, { users }: SandboxDetail): Html {
  if (users.length === 0) return html`<p>None can have a token.</p>`;
  const publicNames = new Set(visitor?.choices.map(({ username }) => username));
  const listed = users.slice(0, mostUsers);
  const rows = listed.map(({ username, is_superuser: isSuperuser }, index) => {
    const attributes = (name: string) =>
      html`class="small" name="${name}" value="${exact(username)}" aria-describedby="user-${index}"`;
    return html`<tr>
      <th scope="row">
        <a id="user-${index}" href="${urlWith(url, { user: username })}">${username}</a>
        ${isSuperuser && html`<span class="hint">superuser</span>`}
      </th>
      <td>
        <div class="row">
          ${
            publicNames.has(username) &&
            html`<form method="post" action="${baseUrlOf(origin, sandbox)}/session/">
              <input type="hidden" name="next" value="${url}" />
              <button ${attributes('act_as')}>Act as</button>
            </form>`
          }
          ${renderButton(`${url}tokens/`, 'Make a token', attributes('username'))}
        </div>
      </td>
    </tr>`;
  });
  return renderTable({
    caption: `The ${users.length > mostUsers ? 'first ' : ''}${listed.length} who can have a token; a name leads to its lines`,
    heads: ['User', 'Acts'],
    rows,
    name: 'members',
  });
}

export const renderUndo = (url: string, { undo }: SandboxDetail): Html | false =>
  undo !== null &&
  html`<p>Last reset, restore or load that kept what was: ${describeMoment(undo)}.</p>
    ${renderButton(`${url}undo/`, 'Undo', html`title="Brings back users, subscriptions, ids, tokens and the clock"`)}`;

function renderState({ url, services }: Visit, state: SandboxDetail, faults: number): Html {
  const { clock, seed, user_count: users, subscription_count: subscriptions, created, expires } = state;
  return renderSection(
    'facts',
    'State',
    renderFacts([
      ['Seed', seed ?? 'none'],
      ['Users', describeCount(users)],
      ['Subscriptions', describeCount(subscriptions)],
      ['Made', renderMoment(created)],
      ['Last use', renderLastUse(state, services)],
      ['Expires', expires === null ? 'never' : renderMoment(expires)],
      ['Faults', html`<a href="${url}faults/">${faults || 'none'} in force</a>`],
      ['Clock', clock && `stopped at ${clock}`],
    ]),
  );
}

const describeCount = (count: number): string => (count > maxUndoRows ? `over ${maxUndoRows}` : String(count));

function renderContent({ start, url, sandbox }: Visit, save: Html): Html {
  const [yaml, json] = ['yaml', 'json'].map(
    (format) => html`<a href="${url}export/?format=${format}" download>${format.toUpperCase()}</a>`,
  );
  const rows = renderRows([
    html`<li><a href="${url}seed/">Edit it as a seed</a>, or load another</li>`,
    html`<li>Export as ${yaml} or ${json}</li>`,
    html`<li><a href="${start}console/new/?from=${sandbox}">Copy to another sandbox</a></li>`,
  ]);
  return renderSection('actions', 'Content', rows, save);
}

const renderResets = (url: string, state: SandboxDetail): Html =>
  html`<p class="hint" id="resets">
      A reset leads back to the seed that the sandbox was made from, or that was loaded last. A reset or a restored
      snapshot also removes the faults and empties the journal. ${undoHint(state)}
    </p>
    ${renderRows([
      html`<li>${renderButton(`${url}reset/`, 'Reset', html`aria-describedby="resets"`)}</li>`,
      ...state.snapshots.map((name, index) => {
        const attributes = html`name="restore" value="${name}" aria-describedby="snapshot-${index}"`;
        return html`<li class="row between line">
          <span id="snapshot-${index}">${name}</span> ${renderButton(`${url}restore/`, 'Restore', attributes)}
          ${renderButton(`${url}snapshots/delete/`, 'Forget', html`${attributes} title="Nothing brings it back"`)}
        </li>`;
      }),
    ])}`;

export const undoHint = ({ user_count: users, subscription_count: subscriptions }: SandboxDetail): string =>
  users + subscriptions > maxUndoRows
    ? `The sandbox has more than ${maxUndoRows} users and subscriptions: there is no undo.`
    : 'You can undo it for an hour, until the next reset, restore or load; faults and journal don’t come back.';
