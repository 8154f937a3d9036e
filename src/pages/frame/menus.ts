// The header's menus: one leads to the same page of other sandboxes, one chooses the user who sends requests.
import type { Choice, Visitor } from '../visitor.ts';
import { html, type Piece } from '../html.ts';
import { pathIn } from '../links.ts';
import { renderField, renderNameInput } from '../parts.ts';

/** A menu needs no script. With page.js, it also closes on Escape and on a click elsewhere. */
const renderMenu = (kind: string, label: Piece, content: Piece) =>
  html`<details class="menu ${kind}">
    <summary class="button">${label}</summary>
    <div class="choice block">${content}</div>
  </details>`;

/**
 * Names other sandboxes only if the gate admits the browser.
 * @param root the service's own URL
 */
export function renderSandboxes(root: string, sandbox: string | null, visitor: Visitor | undefined) {
  const { isAdmitted = false, sandboxes = [], returnTo = `${root}/`, consoleEnds } = visitor ?? {};
  const label = html`<span class="tiny">sandbox</span> <strong>${sandbox ?? 'all'}</strong>`;
  const home = html`<p><a href="${root}/">Home of the service</a></p>`;
  if (!isAdmitted) return renderMenu('sandboxes', label, home);
  const names = sandbox === null || sandboxes.includes(sandbox) ? sandboxes : [sandbox, ...sandboxes];
  const path = returnTo.slice(root.length);
  const signOut =
    consoleEnds !== undefined &&
    html`<form class="row between" method="post" action="${root}/_understudy/sign-out/">
      <span class="hint">Signed in to the console until ${describeEnd(consoleEnds)}.</span>
      <button>Sign out</button>
    </form>`;
  return renderMenu(
    'sandboxes',
    label,
    html`<p class="label" id="used-last">Sandboxes used last</p>
      <ul aria-labelledby="used-last">
        ${names.map(
          (name) =>
            html`<li>
              <a class="pick button" href="${root}${pathIn(name, path)}" ${name === sandbox && current}>${name}</a>
            </li>`,
        )}
      </ul>
      <form action="${root}/_understudy/" autocomplete="off">
        <label for="go-to">Another sandbox</label>
        <div class="row line">
          ${renderNameInput()(html`id="go-to" name="name" required`)}
          <button>Find</button>
        </div>
      </form>
      <p><a href="${root}/_understudy/">All sandboxes</a></p>
      ${signOut}`,
  );
}

export const renderAccount = (baseUrl: string, visitor: Visitor) =>
  renderMenu('account', describe(visitor), renderChoice(baseUrl, visitor));

function describe({ username, hasEnded }: Visitor) {
  if (username !== undefined) return html`as <strong>${username}</strong>`;
  return hasEnded ? html`<span class="wrong">token ended</span>` : 'no user';
}

export function renderChoice(baseUrl: string, visitor: Visitor | undefined, wrongToken?: string) {
  const { username, hasEnded = false, choices = [], returnTo, ends } = visitor ?? {};
  const until = ends === undefined ? 'for an hour' : `until ${describeEnd(ends)}`;
  const hidden = html`<input type="hidden" name="next" value="${returnTo}" />`;
  const input = renderNameInput();
  const isOther = username !== undefined && !choices.some((choice) => choice.username === username);
  const isNobody = username === undefined && !hasEnded;
  const other = html`<li class="pick row" ${current}>
    <strong>${username}</strong> <span class="tiny">by a token</span>
  </li>`;
  return html`<form method="post" action="${baseUrl}/session/">
      ${hidden}
      <p class="label" id="act-as">Act as</p>
      <ul aria-labelledby="act-as">
        ${choices.map((choice) => renderUser(choice, choice.username === username))} ${isOther && other}
        ${renderUser({ username: '', note: 'requests without a token' }, isNobody)}
      </ul>
    </form>
    <form method="post" action="${baseUrl}/session/" autocomplete="off">
      ${hidden}
      ${renderField({
        id: 'act-with',
        label: choices.length === 0 ? 'With a user’s token' : 'Or with a token',
        errors: wrongToken === undefined ? [] : [wrongToken],
        control: (attributes) =>
          html`<div class="row line">
            ${input(html`${attributes} class="secret" name="token" required`)} <button>Act</button>
          </div>`,
      })}
    </form>
    <p class="hint">The pages of this sandbox then send their requests as that user, ${until}.</p>`;
}

const describeEnd = (ends: number) => `${new Date(ends).toISOString().slice(11, 16)} UTC`;

const current = html`aria-current="true"`;

const renderUser = ({ username, note }: Omit<Choice, 'token'>, isCurrent: boolean) =>
  html`<li>
    <button class="pick row" name="act_as" value="${username}" ${isCurrent && current}>
      <strong>${username || 'No user'}</strong> <span class="tiny">${note}</span>
    </button>
  </li>`;
