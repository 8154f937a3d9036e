// The page at `/`: what this is, what it is not, the sample users, and the first curl lines.
import { mirrors } from '../version.ts';
import { curlLine, renderCopy } from './curl.ts';
import { html, type Html } from './html.ts';
import { renderLayout } from './frame/layout.ts';
import { linksUnder, type FindLink } from './links.ts';
import type { Visitor } from './frame/visitor.ts';

export interface SampleUser {
  username: string;
  /** What the user shows: "ten subscriptions". */
  note: string;
  /** A public sample token. */
  token?: string;
}

export interface Home {
  baseUrl: string;
  visitor?: Visitor | undefined;
  users: readonly SampleUser[];
  /** Whether a request without a token may read a user's subscriptions. */
  isAnonymousAllowed: boolean;
  /** Absolute or relative to `baseUrl`/; only addresses under it become links. */
  links: readonly { label: string; href: string; note: string }[];
}

/** The whole HTML document. To be sent with `pageHeaders`. */
export function renderHome(home: Home): string {
  const findLink = linksUnder(home.baseUrl);
  return renderLayout({
    title: `Understudy: a stand-in for ${mirrors}`,
    baseUrl: home.baseUrl,
    section: 'home',
    returnTo: `${home.baseUrl}/`,
    visitor: home.visitor,
    assets: ['home.css'],
    main: html`<div class="home">
      <h1>An API to rehearse against</h1>
      <p class="lede">
        Understudy takes the part of the users interface of ${mirrors}: users and their notification subscriptions, with
        the same paths, bodies, headers, errors and pages. Point a client at it in staging or CI, write to it, and put
        it back to where it was.
      </p>
      <div class="quarters">
        <section aria-labelledby="not">
          <h2 id="not">What it is not</h2>
          <ul class="not">
            <li>It is not Weblate, and its makers have no part in it.</li>
            <li>It sends no mail and translates nothing.</li>
            <li>It is no place for real people’s data: everything here is a sample, tokens included.</li>
          </ul>
        </section>
        ${renderTry(home)} ${renderUsers(home, findLink)}
        <section class="at-further" aria-labelledby="further">
          <h2 id="further">From here</h2>
          <ul class="further">
            ${home.links.map(({ label, href, note }) => {
              const address = findLink(href, `${home.baseUrl}/`);
              return html`<li>
                ${address === undefined ? html`<span>${label}</span>` : html`<a href="${address}">${label}</a>`}
                <p class="hint">${note}</p>
              </li>`;
            })}
          </ul>
        </section>
      </div>
    </div>`,
  });
}

function renderTry({ users, isAnonymousAllowed, baseUrl }: Home): Html | undefined {
  const user = users.find(({ username }) => username === 'alice') ?? users.find(({ token }) => token) ?? users[0];
  if (user === undefined || (user.token === undefined && !isAnonymousAllowed)) return undefined;
  const url = notificationsOf(user, baseUrl);
  return html`<section class="at-try" aria-labelledby="try">
    <h2 id="try">Try it</h2>
    ${
      isAnonymousAllowed
        ? html`<p class="hint">Without a token:</p>
            ${renderCopy(curlLine({ method: 'GET', url }), 'A request without a token')}`
        : undefined
    }
    ${
      user.token === undefined
        ? undefined
        : html`<p class="hint">As ${user.username}:</p>
            ${renderCopy(curlLine({ method: 'GET', url, token: user.token }), `A request as ${user.username}`)}`
    }
  </section>`;
}

function notificationsOf({ username }: SampleUser, baseUrl: string): string {
  return `${baseUrl}/api/users/${encodeURIComponent(username.toWellFormed())}/notifications/`;
}

function renderUsers({ users, baseUrl }: Home, findLink: FindLink): Html {
  if (users.length === 0) {
    return html`<section class="at-users" aria-labelledby="users">
      <h2 id="users">Sample users</h2>
      <p>There are none yet. A seed brings some:</p>
      ${renderCopy('bin/understudy seed seeds/documented.yaml', 'A command that seeds')}
    </section>`;
  }
  return html`<section class="at-users" aria-labelledby="users">
    <h2 id="users">Sample users</h2>
    <dl class="users">
      ${users.map((user) => {
        const href = findLink(notificationsOf(user, baseUrl));
        return html`<div>
          <dt>${href === undefined ? user.username : html`<a href="${href}">${user.username}</a>`}</dt>
          <dd>${user.note}</dd>
          ${user.token === undefined ? undefined : html`<dd class="token"><code>${user.token}</code></dd>`}
        </div>`;
      })}
    </dl>
  </section>`;
}
