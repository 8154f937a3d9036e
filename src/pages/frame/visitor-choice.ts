// Whom the page's requests act as, and the choice of another user, in the header of every page.
import { html, type Html, type Piece } from '../html.ts';
import type { Choice, Visitor } from '../../http/call.ts';
import { renderNameInput } from '../parts.ts';

/** It opens and closes without a script; page.js closes it by Escape and by a click elsewhere. */
export const renderMenu = (kind: string, label: Piece, content: Piece): Html =>
  html`<details class="menu ${kind}">
    <summary class="button">${label}</summary>
    <div class="choice block">${content}</div>
  </details>`;

export const renderAccount = (baseUrl: string, visitor: Visitor): Html =>
  renderMenu('account', describe(visitor), renderChoice(baseUrl, visitor));

function describe({ username, hasEnded }: Visitor): Piece {
  if (username !== undefined) return html`as <strong>${username}</strong>`;
  return hasEnded ? html`<span class="wrong">token ended</span>` : 'no user';
}

export const ended = html`<p class="notice block refuses" role="status">
  Your session’s token is no longer valid here: the API rejects requests with it. Choose another user, or “No user”.
</p>`;

/** @param wrongToken what is wrong with the token that was sent */
export function renderChoice(baseUrl: string, visitor: Visitor | undefined, wrongToken?: string): Html {
  const { username, hasEnded = false, choices = [], returnTo } = visitor ?? {};
  const hidden = html`<input type="hidden" name="next" value="${returnTo}" />`;
  const isWrong = wrongToken !== undefined;
  const isOther = username !== undefined && !choices.some((choice) => choice.username === username);
  return html`<form method="post" action="${baseUrl}/session/">
      ${hidden}
      <p class="label" id="act-as">Act as</p>
      <ul aria-labelledby="act-as">
        ${choices.map((choice) => renderUser(choice, choice.username === username))}
        ${isOther && html`<li class="pick row" ${current}><strong>${username}</strong> <span class="tiny">by a token</span></li>`}
        ${renderUser({ username: '', note: 'requests without a token' }, username === undefined && !hasEnded)}
      </ul>
    </form>
    <form method="post" action="${baseUrl}/session/" autocomplete="off">
      ${hidden}
      <label for="act-with">${choices.length === 0 ? 'With a user’s token' : 'Or with a token'}</label>
      <div class="row line">
        ${renderNameInput(
          html`class="secret" id="act-with" name="token" required
          ${isWrong && html`aria-invalid="true" aria-describedby="wrong-token"`}`,
        )}
        <button>Act</button>
      </div>
      ${isWrong && html`<p class="wrong" id="wrong-token">${wrongToken}</p>`}
    </form>
    <p class="hint">
      The pages of ${visitor?.sandbox === null ? 'default' : 'this sandbox'} then send their requests as that user, for
      an hour. The browser gets no token to keep.
    </p>`;
}

export const current = html`aria-current="true"`;

const renderUser = ({ username, note }: Omit<Choice, 'token'>, isCurrent: boolean): Html =>
  html`<li>
    <button class="pick row" name="act_as" value="${username}" ${isCurrent && current}>
      <strong>${username || 'No user'}</strong> <span class="tiny">${note}</span>
    </button>
  </li>`;
