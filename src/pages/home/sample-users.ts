// The users of a sandbox that a visitor can act as; where none has a public token, how to get one.
import { html, type Html } from '../html.ts';
import { linksUnder } from '../links.ts';
import { type Home, notificationsOf } from './home-contents.ts';

export function renderUsers(home: Home): Html {
  const { choices, baseUrl, visitor } = home;
  if (choices.length === 0) return renderNoUsers(home);
  const findLink = linksUnder(baseUrl);
  return html`<section aria-labelledby="users">
    <h2 id="users">Sample users</h2>
    <ul class="users">
      ${choices.map(({ username, note, token }, place) => {
        const url = notificationsOf(username, baseUrl);
        const href = findLink(url);
        return html`<li>
          <p class="user">
            <strong>${href === undefined ? username : html`<a href="${href}">${username}</a>`}</strong>
            <span class="hint">${note}</span>
          </p>
          <p class="token">
            <code id="token-${place}">${token}</code>
            <button type="button" data-copy="token-${place}" aria-label="Copy the token of ${username}">Copy</button>
          </p>
          ${
            visitor === undefined
              ? undefined
              : html`<form method="post" action="${baseUrl}/session/">
                  <input type="hidden" name="next" value="${url}" />
                  <input type="hidden" name="act_as" value="${username}" />
                  <button aria-label="Act as ${username}">Act as</button>
                </form>`
          }
        </li>`;
      })}
    </ul>
  </section>`;
}

function renderNoUsers({ state, sandbox }: Home): Html {
  const where = sandbox === undefined ? '' : ` --sandbox ${sandbox}`;
  return html`<section aria-labelledby="users">
    <h2 id="users">Users</h2>
    ${
      state?.isEmpty === true
        ? html`<p>
            There are none yet. The operator loads a seed with <code>weblate-understudy seed${where} FILE</code>, or on
            the console.
          </p>`
        : html`<p>
            None of them has a public token. Theirs are in the seed that the operator loaded, and the operator can make
            more. Who has a token can act as its owner: “no user”, at the top of each page.
          </p>`
    }
  </section>`;
}
