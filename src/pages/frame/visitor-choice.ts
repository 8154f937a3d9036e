// Whom the page's requests act as, and the choice of another user, in the header of every page.
import { html, type Html } from '../html.ts';
import type { Choice, Visitor } from './visitor.ts';

interface Shown {
  readonly baseUrl: string;
  /** Where the choice leads back to; undefined where a page offers none. */
  readonly returnTo?: string | undefined;
  readonly visitor?: Visitor | undefined;
}

/** @param prefix `/sandboxes/<name>`, or empty */
export function renderWho({ baseUrl, returnTo, visitor }: Shown, prefix: string): Html {
  const sandbox =
    prefix === '' ? undefined : html`<p class="sandbox">sandbox <strong>${prefix.split('/').at(-1)}</strong></p>`;
  return html`<div class="who">${sandbox} ${renderChoice(baseUrl, returnTo, visitor)}</div>`;
}

function renderChoice(baseUrl: string, returnTo: string | undefined, visitor: Visitor | undefined): Html | undefined {
  if (visitor === undefined || returnTo === undefined) return undefined;
  const { username, formToken, choices } = visitor;
  return html`<details class="account">
    <summary>${username === undefined ? 'no user' : html`as <strong>${username}</strong>`}</summary>
    <form class="choice" method="post" action="${baseUrl}/session/">
      <input type="hidden" name="next" value="${returnTo}" />
      ${formToken === undefined ? undefined : html`<input type="hidden" name="csrf" value="${formToken}" />`}
      ${choices.length === 0 ? undefined : renderUsers(choices, username)}
      <p>
        <label for="act-with">${choices.length === 0 ? 'With a token' : 'or with a token'}</label>
        <input id="act-with" name="token" autocomplete="off" spellcheck="false" />
      </p>
      <p class="actions"><button>Act</button></p>
    </form>
  </details>`;
}

function renderUsers(choices: readonly Choice[], current: string | undefined): Html {
  return html`<p>
    <label for="act-as">Act as</label>
    <select id="act-as" name="act_as">
      <option value="">no user</option>
      ${choices.map(({ username, note }) =>
        username === current
          ? html`<option value="${username}" selected>${username}: ${note}</option>`
          : html`<option value="${username}">${username}: ${note}</option>`,
      )}
    </select>
  </p>`;
}
