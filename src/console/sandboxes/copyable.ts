// What clients need of a sandbox, each with a button that copies it: base URL, first request, tokens.
import { curlLine, renderCopy } from '../../pages/curl.ts';
import { notificationsOf } from '../../pages/home/home-contents.ts';
import { html, type Html } from '../../pages/html.ts';

/** @param id another one for each on a page */
export const renderCopyable = (id: string, text: string, describedBy: string): Html =>
  html`<span class="copyable"
    ><code id="${id}">${text}</code>
    <button type="button" class="small" data-copy="${id}" aria-describedby="${describedBy}">Copy</button></span
  >`;

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

export const renderBase = (baseUrl: string): Html =>
  html`<section aria-labelledby="base">
    <h2 id="base">Base URL, for clients</h2>
    <p>${renderCopyable('base-url', baseUrl, 'base')}</p>
  </section>`;

export function renderFirstRequest(baseUrl: string, { username, token }: { username: string; token: string }): Html {
  const url = notificationsOf(username, baseUrl);
  return html`<section aria-labelledby="first">
    <h2 id="first">A request as ${username}</h2>
    ${renderCopy(curlLine({ method: 'GET', url, token }), `Request as ${username}`)}
  </section>`;
}
