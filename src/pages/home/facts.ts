// What is in force, and what the service is not.
import { readableUtc } from '../../utc.ts';
import { html, type Html } from '../html.ts';
import type { Home, SandboxState } from './home-contents.ts';

export function renderFacts(home: Home): Html {
  const { state, anonymous, admin, choices, sandbox } = home;
  return html`<section aria-labelledby="facts">
      <h2 id="facts">In force</h2>
      <dl class="facts">
        ${state === undefined ? undefined : renderState(state, sandbox)}
        <div>
          <dt>Requests without a token</dt>
          <dd>${withoutToken[anonymous]}</dd>
        </div>
        <div>
          <dt>Console and Understudy’s own API</dt>
          <dd>${ownApi[admin]}</dd>
        </div>
      </dl>
    </section>
    <section aria-labelledby="not">
      <h2 id="not">What it is not</h2>
      <ul class="not">
        <li>It is not Weblate, and its makers have no part in it.</li>
        <li>It sends no e-mail and translates nothing.</li>
        <li>
          It is no place for real people’s data.
          ${choices.length === 0 ? undefined : 'The tokens on this page are public, that of a superuser included.'}
        </li>
      </ul>
    </section>`;
}

const withoutToken = {
  read: 'They may read users and their subscriptions, where Weblate answers 404.',
  strict: 'They see what Weblate shows them: no user.',
  write: html`<strong class="wrong">They may do everything,</strong> for whoever reaches the service.`,
} as const;

const ownApi = {
  open: html`<strong>Open</strong> to whoever reaches the service as you do: they can change every sandbox.`,
  token: html`Open with the value of <code>UNDERSTUDY_ADMIN_TOKEN</code>.`,
  closed: 'Closed to you. The page of the console says why.',
} as const;

function renderState({ seed, users, expires }: SandboxState, sandbox: string | undefined): Html {
  return html`<div>
      <dt>${sandbox === undefined ? html`In the sandbox <code>default</code>` : 'In this sandbox'}</dt>
      <dd>
        ${users}
        ${users === '1' ? 'user' : 'users'}${seed === null ? undefined : html`; it began with the seed <code>${seed}</code>`}.
      </dd>
    </div>
    ${
      expires === null
        ? undefined
        : html`<div>
            <dt>Expires</dt>
            <dd>
              ${html`<time datetime="${expires.toISOString()}">${readableUtc(expires)}</time>, unless a request uses it
                before.`}
            </dd>
          </div>`
    }`;
}
