// What clients need of a sandbox, each with a button that copies it: base URL and tokens.
import { html, type Html } from '../html.ts';

/** @param id another one for each on a page */
const renderCopyable = (id: string, text: string, describedBy: string): Html =>
  html`<span class="copyable"
    ><code id="${id}">${text}</code>
    <button type="button" class="small" data-copy="${id}" aria-describedby="${describedBy}">Copy</button></span
  >`;

export const renderBase = (baseUrl: string): Html =>
  html`<section aria-labelledby="base">
    <h2 id="base">Base URL, for clients</h2>
    <p>${renderCopyable('base-url', baseUrl, 'base')}</p>
  </section>`;

interface Owned {
  readonly username: string;
  readonly note: string;
  readonly token: string;
}

export const renderTokens = (caption: string, users: readonly Owned[]): Html =>
  html`<table class="tokens">
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">User</th>
        <th scope="col">Token</th>
      </tr>
    </thead>
    <tbody>
      ${users.map(
        ({ username, note, token }, index) =>
          html`<tr>
            <th scope="row">
              <span id="user-${index}">${username}</span>
              ${note === '' ? undefined : html`<span class="hint">${note}</span>`}
            </th>
            <td>${renderCopyable(`token-${index}`, token, `user-${index}`)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
