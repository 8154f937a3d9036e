// The home page of the service at `/` and of a sandbox at `/sandboxes/<name>/`: what a client needs, lines for a terminal,
// and the tokens that are public. What only the operator may do is on the console's page of the sandbox.
import { mirrors } from '../../base/version.ts';
import { curlLine, renderCopy } from '../curl.ts';
import { renderLayout } from '../frame/layout.ts';
import type { Choice, Visitor } from '../../http/call.ts';
import { html, type Html } from '../html.ts';
import { rootOf } from '../links.ts';
import { renderBase, renderSection, renderTokens } from '../parts.ts';

/** What a client needs to know of a sandbox. */
interface ForClients {
  readonly baseUrl: string;
  /** Undefined for `default`. */
  readonly sandbox: string | undefined;
  readonly visitor: Visitor | undefined;
  /** Users with public tokens; undefined if the database is unavailable. */
  readonly choices: readonly Choice[] | undefined;
  /** Whether a program where the browser runs may use `/_understudy/` without a token. */
  readonly isAdminOpen: boolean;
}

export interface Home extends ForClients {
  /** Completes "the console and the own API are …". */
  readonly adminState: string;
  readonly anonymous: 'read' | 'strict' | 'write';
}

export function renderHome(home: Home): string {
  const { baseUrl, sandbox, visitor, anonymous, isAdminOpen, adminState } = home;
  return renderLayout({
    title: sandbox === undefined ? `A stand-in for ${mirrors}` : 'Home',
    baseUrl,
    section: 'home',
    visitor,
    main: html`<div class="console stack">
      ${renderIntroduction(sandbox)}
      ${!isAdminOpen && html`<p class="hint">The console and the own API are ${adminState}.</p>`}
      ${renderForClients(home)}
      ${renderSection('without', 'Requests without a token', html`<p>${withoutToken[anonymous]}</p>`)}
    </div>`,
  });
}

const renderIntroduction = (sandbox: string | undefined): Html =>
  sandbox === undefined
    ? html`<h1>A stand-in for Weblate’s users API</h1>
        <p class="large">
          Understudy answers like ${mirrors}, as far as users and their notification subscriptions go, from sample data.
          Give your client this base URL, write what you like, and put everything back.
        </p>`
    : html`<h1>Sandbox ${sandbox}</h1>
        <p class="large">
          It has users, subscriptions, ids and tokens of its own. Give your client this base URL; what it writes stays
          here.
        </p>`;

const away = html`<p class="notice block" role="status">
  The database doesn’t answer, so this page can’t tell what is in the sandbox, and the API answers 503. Reload the page
  to try again.
</p>`;

/** The base URL, lines for a terminal, and users with their tokens: also on the console's page of the sandbox. */
export const renderForClients = (of: ForClients): Html =>
  html`${renderBase(of.baseUrl)}
  ${of.choices === undefined ? away : [renderSteps(of, of.choices), renderUsers(of, of.choices)]}`;

const renderSteps = (of: ForClients, choices: readonly Choice[]): Html =>
  renderSection(
    'steps',
    'In a terminal',
    listSteps(of, choices).map(([title, line]) => [html`<h3>${title}</h3>`, renderCopy(line, title)]),
  );

/** Read, change, put back; without alice, only the root of the API is read. */
function listSteps({ baseUrl, sandbox, isAdminOpen }: ForClients, choices: readonly Choice[]): [string, string][] {
  const token = choices.find(({ username }) => username === 'alice')?.token;
  if (token === undefined) return [['Read the root of the API', curlLine({ method: 'GET', url: `${baseUrl}/api/` })]];
  const url = `${baseUrl}/api/users/alice/notifications/`;
  const body = JSON.stringify({ frequency: 2 });
  const reset = `${rootOf(baseUrl)}/_understudy/sandboxes/${sandbox ?? 'default'}/reset`;
  const steps: [string, string][] = [
    ['Read the subscriptions of alice', curlLine({ method: 'GET', url: `${url}?page_size=3`, token })],
    ['Change one of them as alice: to daily', curlLine({ method: 'PATCH', url: `${url}1/`, token, body })],
  ];
  if (isAdminOpen) steps.push(['Put everything back, for everybody', curlLine({ method: 'POST', url: reset })]);
  return steps;
}

const renderUsers = ({ baseUrl, visitor }: ForClients, choices: readonly Choice[]): Html =>
  renderSection(
    'users',
    'Users',
    choices.length === 0
      ? html`<p>
          None has a public token. Tokens are in the seed that the operator loaded, and the console makes more. Who has
          a token can act as its owner: “no user”, at the top of each page.
        </p>`
      : html`<form method="post" action="${baseUrl}/session/">
          <input type="hidden" name="next" value="${visitor?.returnTo ?? ''}" />
          ${renderTokens(`${choices.length} with public tokens: this is no place for real people’s data`, choices, true)}
        </form>`,
  );

const withoutToken = {
  read: 'They may read users and their subscriptions, where Weblate answers 404.',
  strict: 'They see what Weblate shows them: no user.',
  write: html`<strong class="wrong">They may do everything,</strong> for whoever reaches the service.`,
} as const;
