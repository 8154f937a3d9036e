// The home page of the service at `/` and of a sandbox at `/sandboxes/<name>/`: what to do next, the users to act as, and
// what is in force.
import { mirrors } from '../../version.ts';
import { renderCopy } from '../curl.ts';
import { renderLayout } from '../frame/layout.ts';
import { html, type Html } from '../html.ts';
import { linksUnder, rootOf } from '../links.ts';
import { renderFacts } from './facts.ts';
import type { Home } from './home-contents.ts';
import { renderUsers } from './sample-users.ts';
import { listSteps } from './steps.ts';

/** The whole HTML document. To be sent with `pageHeaders`. */
export function renderHome(home: Home): string {
  const { baseUrl, sandbox, visitor } = home;
  return renderLayout({
    title: sandbox === undefined ? `Understudy: a stand-in for ${mirrors}` : `Sandbox ${sandbox} · Understudy`,
    baseUrl,
    section: 'home',
    returnTo: `${baseUrl}/`,
    visitor,
    assets: ['home.css'],
    main: html`<div class="home">
      ${sandbox === undefined ? renderService() : renderSandbox(sandbox)}
      <div class="base">
        <span class="label" id="base-label">Base URL</span>
        <code class="block" id="base-url">${baseUrl}</code>
        <button type="button" data-copy="base-url" aria-describedby="base-label">Copy</button>
      </div>
      ${renderLinks(home)}
      <div class="quarters">
        <div class="at-left">${home.state === undefined ? renderAway() : [renderSteps(home), renderUsers(home)]}</div>
        <div class="at-right">${renderFacts(home)}</div>
      </div>
    </div>`,
  });
}

const renderService = (): Html =>
  html`<h1>A stand-in for Weblate’s users API</h1>
    <p class="lede">
      Understudy answers like ${mirrors}, as far as users and their notification subscriptions go, from sample data.
      Give your client this base URL, write what you like, and put everything back.
    </p>`;

const renderSandbox = (sandbox: string): Html =>
  html`<h1>Sandbox ${sandbox}</h1>
    <p class="lede">
      It has users, subscriptions, ids and tokens of its own. Give your client this base URL; what it writes stays here.
    </p>`;

function renderLinks({ baseUrl, sandbox }: Home): Html {
  const root = rootOf(baseUrl);
  const findLink = linksUnder(root);
  const links = [
    ['Browse the API', `${baseUrl}/api/`],
    ['Read the documentation', `${baseUrl}/api/docs/`],
    ['Open the console', sandbox === undefined ? `${root}/_understudy/` : `${root}/_understudy/console/${sandbox}/`],
    ...(sandbox === undefined ? [] : ([['Home of the service', `${root}/`]] as const)),
  ] as const;
  return html`<ul class="next">
    ${links.map(([label, url]) => html`<li><a href="${findLink(url) ?? ''}">${label}</a></li>`)}
  </ul>`;
}

const renderAway = (): Html =>
  html`<p class="notice" role="status">
    The database doesn’t answer, so this page can’t tell what is in the sandbox, and the API answers 503. Reload the
    page to try again.
  </p>`;

const renderSteps = (home: Home): Html =>
  html`<section aria-labelledby="steps">
    <h2 id="steps">In a terminal</h2>
    <ol class="steps">
      ${listSteps(home).map(
        ({ title, line, note }) =>
          html`<li>
            <h3>${title}</h3>
            ${renderCopy(line, title)} ${note === undefined ? undefined : html`<p class="hint">${note}</p>`}
          </li>`,
      )}
    </ol>
  </section>`;
