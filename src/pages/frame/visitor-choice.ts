// Whom the page's requests act as, and the choice of another user, in the header of every page.
import { html, type Html } from '../html.ts';
import type { Choice, Visitor } from '../../http/call.ts';
import { renderNameInput } from '../parts.ts';

interface Shown {
  readonly baseUrl: string;
  /** Where the choice leads back to; undefined where a page offers none. */
  readonly returnTo?: string | undefined;
  readonly visitor?: Visitor | undefined;
  /** What is wrong with the token that was sent. */
  readonly wrongToken?: string | undefined;
}

/** A details element, which opens without a script. */
export function renderAccount(shown: Shown): Html | undefined {
  const { returnTo, visitor } = shown;
  if (visitor === undefined || returnTo === undefined) return undefined;
  return html`<details class="account">
    <summary class="button">${describe(visitor)}</summary>
    <div class="choice block">${renderChoice(shown)}</div>
  </details>`;
}

const describe = ({ username, hasEnded }: Visitor): Html =>
  username !== undefined
    ? html`as <strong>${username}</strong>`
    : html`${hasEnded ? html`<span class="wrong">token ended</span>` : 'no user'}`;

/** What a visitor should know whose choice doesn't hold any longer. */
export function renderEnded({ returnTo, visitor }: Shown): Html | undefined {
  if (returnTo === undefined || visitor?.hasEnded !== true) return undefined;
  return html`<p class="notice block" role="status">
    Your session’s token is no longer valid here: the API rejects requests with it. Choose another user, or “No user”.
  </p>`;
}

/** One form with a button for each user, and one that takes a token. */
export function renderChoice({ baseUrl, returnTo, visitor, wrongToken }: Shown): Html {
  const { username, hasEnded = false, choices = [] } = visitor ?? {};
  const hidden = html`<input type="hidden" name="next" value="${returnTo}" />`;
  const isWrong = wrongToken !== undefined;
  const isOther = username !== undefined && !choices.some((choice) => choice.username === username);
  return html`<form method="post" action="${baseUrl}/session/">
      ${hidden}
      <p class="label" id="act-as">Act as</p>
      <ul aria-labelledby="act-as">
        ${choices.map((choice) => renderUser(choice, choice.username === username))}
        ${isOther && html`<li class="user row" ${current}><strong>${username}</strong> <span class="tiny">by a token</span></li>`}
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
      The pages of this sandbox then send their requests as that user, for an hour. The browser gets no token to keep.
    </p>`;
}

const current = html`aria-current="true"`;

const renderUser = ({ username, note }: Omit<Choice, 'token'>, isCurrent: boolean): Html =>
  html`<li>
    <button class="user row" name="act_as" value="${username}" ${isCurrent && current}>
      <strong>${username || 'No user'}</strong> <span class="tiny">${note}</span>
    </button>
  </li>`;
