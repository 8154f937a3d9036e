// A sandbox's page: how a client connects, the users, and the state.
import { baseUrlOf, defaultSandbox } from '../../../access/which-sandbox.ts';
import { listShippedSeeds } from '../../../seeds/load/seed-name.ts';
import { maxUndoRows, type SandboxDetail, type UserToken } from '../../../sandboxes/sandbox-schemas.ts';
import type { FaultInForce } from '../../../traffic/fault-rules.ts';
import { exact, html } from '../../html.ts';
import { renderConnect } from '../../home/home.ts';
import * as parts from '../../parts.ts';
import { describeDone, type Handle, renderNameForm, urlWith, type Visit, ask } from '../console-page.ts';
import { renderLastUse } from './list-page.ts';

export const overviewPage: Handle = async (visit) => {
  const { query, form, refused } = visit;
  const state = await ask<SandboxDetail>('sandboxes_read', visit);
  const faults = await ask<FaultInForce[]>('faults_list', visit);
  const connection = await connect(visit, state, userOf(visit, state));
  return {
    title: 'Overview',
    tab: 'overview',
    notice: describeDone(query),
    main: html`${form['username'] === undefined && parts.renderAlert(refused?.lines)}
      <div class="columns">
        <div>
          ${connection}
          ${parts.renderSection('users', 'Users', renderUsers(visit, state), renderNameForm(visit, tokenField))}
        </div>
        <div>${renderState(visit, state, faults.length)} ${renderContent(visit)}</div>
      </div>`,
  };
};

const tokenField = {
  id: 'username',
  path: 'tokens',
  button: html`<button>Make a token</button>`,
  label: 'Make a token for another user',
  hint: 'The token selects this sandbox by itself, and is shown once.',
};

export const makeToken: Handle = async (visit) => {
  const username = (visit.form['username'] ?? '').trim();
  const made = await ask<UserToken>('sandboxes_tokens_create', visit, { body: { username } });
  const state = await ask<SandboxDetail>('sandboxes_read', visit);
  return {
    status: 201,
    title: 'Token made',
    tab: 'overview',
    notice: 'The token was made. Copy it now: it is shown only once.',
    main: html`${parts.renderTokens('It selects this sandbox by itself', [made])}
      <form method="post" action="${baseUrlOf(visit.origin, visit.sandbox)}/session/">
        <input type="hidden" name="next" value="${visit.url}" />
        <input type="hidden" name="token" value="${made.token}" />
        <button>Act as ${made.username}</button>
      </form>
      ${await connect(visit, state, made)}`,
  };
};

/** The user in the address, else the browser's user, else one with a public token, else the first. */
function userOf({ query, visitor }: Visit, { users }: SandboxDetail): Partial<UserToken> {
  const { choices = [], username: acting } = visitor ?? {};
  const isThere = (wanted?: string) => users.some(({ username }) => username === wanted);
  const fallback = choices.find(({ username }) => username === 'alice') ?? choices[0] ?? users[0];
  const username = [query['user'], acting].find(isThere) ?? fallback?.username;
  if (username === undefined) return {};
  return choices.find((choice) => choice.username === username) ?? { username };
}

/** How clients connect. A CI job's request makes the sandbox from its shipped seed, or else copies it. */
async function connect({ sandbox, isSignedIn }: Visit, state: SandboxDetail, user: Partial<UserToken>) {
  const { base_url: baseUrl, seed } = state;
  const isAgain = seed !== null && sandbox !== defaultSandbox && (await listShippedSeeds()).includes(seed);
  const job = {
    token: isSignedIn ? '$UNDERSTUDY_ADMIN_TOKEN' : undefined,
    ...(isAgain && { name: sandbox, from: seed }),
  };
  return renderConnect(baseUrl, user, job);
}

/** The most users listed. The field below the list takes any name. */
const mostUsers = 20;

function renderUsers({ origin, url, sandbox, visitor }: Visit, { users }: SandboxDetail) {
  if (users.length === 0) return html`<p>None can have a token.</p>`;
  const publicNames = new Set(visitor?.choices.map(({ username }) => username));
  const listed = users.slice(0, mostUsers);
  const rows = listed.map(({ username, is_superuser: isSuperuser }, index) => {
    const attributes = (name: string) =>
      html`class="small" name="${name}" value="${exact(username)}" aria-describedby="user-${index}"`;
    const act =
      publicNames.has(username) &&
      html`<form method="post" action="${baseUrlOf(origin, sandbox)}/session/">
        <input type="hidden" name="next" value="${url}" />
        <button ${attributes('act_as')}>Act as</button>
      </form>`;
    const make = parts.renderButton(`${url}tokens/`, 'Make a token', attributes('username'));
    return html`<tr>
      <th scope="row">
        <a id="user-${index}" href="${urlWith(url, { user: username })}">${username}</a>
        ${isSuperuser && html`<span class="hint">superuser</span>`}
      </th>
      <td>
        <div class="row">${act} ${make}</div>
      </td>
    </tr>`;
  });
  const first = users.length > mostUsers && 'first ';
  const caption = html`The ${first}${listed.length} who can have a token; a name leads to requests as that user`;
  return parts.renderTable(caption, ['User', 'Acts'], rows, 'members');
}

function renderState({ url, services }: Visit, state: SandboxDetail, faults: number) {
  const { clock, seed, snapshots, user_count: users, subscription_count: subscriptions, created, expires } = state;
  return parts.renderSection(
    'facts',
    'State',
    parts.renderFacts([
      ['Seed', seed ?? 'none'],
      ['Users', describeCount(users)],
      ['Subscriptions', describeCount(subscriptions)],
      ['Made', parts.renderMoment(created)],
      ['Last use', renderLastUse(state, services)],
      ['Expires', expires === null ? 'never' : parts.renderMoment(expires)],
      ['Faults', html`<a href="${url}faults/">${faults || 'none'} in force</a>`],
      ['Snapshots', html`<a href="${url}state/">${snapshots.length || 'none'}</a>`],
      ['Clock', html`<a href="${url}state/">${clock === null ? 'runs' : `stopped at ${clock}`}</a>`],
    ]),
  );
}

const describeCount = (count: number) => (count > maxUndoRows ? `over ${maxUndoRows}` : String(count));

function renderContent({ start, url, sandbox }: Visit) {
  const [yaml, json] = ['yaml', 'json'].map(
    (format) => html`<a href="${url}export/?format=${format}" download>${format.toUpperCase()}</a>`,
  );
  const rows = parts.renderRows([
    html`<li><a href="${url}seed/">Edit it as a seed</a>, or load another</li>`,
    html`<li>Export as ${yaml} or ${json}</li>`,
    html`<li><a href="${start}console/new/?from=${sandbox}">Copy to another sandbox</a></li>`,
  ]);
  return parts.renderSection('actions', 'Content', rows);
}
