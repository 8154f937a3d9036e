// Whom the page's requests act as, and the choice of another user, in the header of every page.
import { html, type Html } from '../html.ts';
import type { Choice, Visitor } from '../../http/visitor.ts';

interface Shown {
  readonly baseUrl: string;
  /** Where the choice leads back to; undefined where a page offers none. */
  readonly returnTo?: string | undefined;
  readonly visitor?: Visitor | undefined;
}

/** A details element, which opens without a script. */
export function renderAccount({ baseUrl, returnTo, visitor }: Shown): Html | undefined {
  if (visitor === undefined || returnTo === undefined) return undefined;
  return html`<details class="account">
    <summary>${describe(visitor)}</summary>
    <div class="choice">${renderChoice({ baseUrl, next: returnTo, visitor })}</div>
  </details>`;
}

function describe({ username, hasEnded }: Visitor): Html {
  if (username !== undefined) return html`as <strong>${username}</strong>`;
  return hasEnded ? html`<span class="wrong">token ended</span>` : html`no user`;
}

/** What a visitor should know whose choice doesn't hold any longer. */
export function renderEnded({ returnTo, visitor }: Shown): Html | undefined {
  if (returnTo === undefined || visitor?.hasEnded !== true) return undefined;
  return html`<p class="notice" role="status">
    Your session’s token is no longer valid here: the API rejects requests with it. Choose another user, or “No user”.
  </p>`;
}

interface ChoiceForms {
  readonly baseUrl: string;
  readonly next: string;
  readonly visitor: Visitor | undefined;
  /** What is wrong with the token that was sent. */
  readonly wrongToken?: string | undefined;
}

/** One form with a button for each user, and one that takes a token. */
export function renderChoice({ baseUrl, next, visitor, wrongToken }: ChoiceForms): Html {
  const { username, hasEnded = false, choices = [] } = visitor ?? {};
  const hidden = html`<input type="hidden" name="next" value="${next}" />`;
  const isSignedIn = username !== undefined || hasEnded;
  return html`<form method="post" action="${baseUrl}/session/">
      ${hidden}
      <p class="label" id="act-as">Act as</p>
      <ul aria-labelledby="act-as">
        ${choices.map((choice) => renderUser(choice, choice.username === username))}
        ${username === undefined || choices.some((choice) => choice.username === username) ? undefined : renderOther(username)}
        <li>
          <button class="user" name="act_as" value="" ${isSignedIn ? undefined : current}>
            <strong>No user</strong> <span>requests without a token</span>
          </button>
        </li>
      </ul>
    </form>
    <form method="post" action="${baseUrl}/session/" autocomplete="off">
      ${hidden}
      <label for="act-with">${choices.length === 0 ? 'With a user’s token' : 'Or with a token'}</label>
      <div class="one-line">
        <input
          class="secret"
          id="act-with"
          name="token"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          required
          ${wrongToken === undefined ? undefined : html`aria-invalid="true" aria-describedby="wrong-token"`}
        />
        <button>Act</button>
      </div>
      ${wrongToken === undefined ? undefined : html`<p class="wrong" id="wrong-token">${wrongToken}</p>`}
    </form>
    <p class="hint">
      The pages of this sandbox then send their requests as that user, for an hour. The browser gets no token to keep.
    </p>`;
}

const current = html`aria-current="true"`;

const renderUser = ({ username, note }: Choice, isCurrent: boolean): Html =>
  html`<li>
    <button class="user" name="act_as" value="${username}" ${isCurrent ? current : undefined}>
      <strong>${username}</strong> <span>${note}</span>
    </button>
  </li>`;

// Who acts with a token of its own.
const renderOther = (username: string): Html =>
  html`<li class="user" aria-current="true"><strong>${username}</strong> <span>by a token</span></li>`;
