// The home page of the service at `/` and of a sandbox at `/sandboxes/<name>/`: what a client needs, lines for a terminal,
// and the tokens that are public. What only the operator may do is on the console's page of the sandbox.
import type { FastifyInstance } from 'fastify';
import { describeAccess } from '../../access/gate.ts';
import { findSandboxId } from '../../access/queries.ts';
import { defaultSandbox } from '../../access/which-sandbox.ts';
import { apiError } from '../../base/errors.ts';
import { mirrors } from '../../base/version.ts';
import { isUnavailable } from '../../database/sqlstates.ts';
import { checkSandboxName, type Choice, type Visitor } from '../../http/call.ts';
import { curlLine, renderCopy } from '../curl.ts';
import { renderLayout } from '../frame/layout.ts';
import { pageHeaders } from '../frame/page-headers.ts';
import { html, type Html } from '../html.ts';
import { rootOf } from '../links.ts';
import { renderBase, renderSection, renderTokens } from '../parts.ts';
import type { PageParts } from '../session/page-parts.ts';

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

/** Home pages are no requests of the API, and in no journal. */
export function registerHome(app: FastifyInstance, { options: { anonymous, admin }, services, gate }: PageParts): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: async (request, reply) => {
      const { origin, baseUrl, visitor, place } = request.context;
      const { prefix, sandbox: name } = place;
      if (name === defaultSandbox && prefix !== '') return reply.redirect(`${origin}/`);
      // Where a header names a sandbox, its pages can't be linked.
      const sandbox = prefix === '' ? undefined : name;
      checkSandboxName({ sandbox: sandbox ?? defaultSandbox });
      const choices = await findChoices(sandbox ?? defaultSandbox, visitor, services);
      const isAdminOpen = !gate.requiresToken && gate.admitsPage(request);
      const page = renderLayout({
        title: sandbox === undefined ? `A stand-in for ${mirrors}` : 'Home',
        baseUrl,
        section: 'home',
        visitor,
        main: html`<div class="console stack">
          ${renderIntroduction(sandbox)}
          ${!isAdminOpen && html`<p class="hint">The console and the own API are ${describeAccess(admin.access)}.</p>`}
          ${renderForClients({ baseUrl, sandbox, visitor, choices, isAdminOpen })}
          ${renderSection('without', 'Requests without a token', html`<p>${withoutToken[anonymous]}</p>`)}
        </div>`,
      });
      return reply
        .code(choices === undefined ? 503 : 200)
        .headers(pageHeaders)
        .send(page);
    },
  });

  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/sandboxes/:name',
    handler: async (request, reply) => {
      // The router decodes the name: only what was written literally is a sandbox's.
      const { context, params } = request;
      if (context.place.path !== `/sandboxes/${params.name}`) return reply.callNotFound();
      return reply.redirect(`${context.origin}/sandboxes/${params.name}/`);
    },
  });
}

/** Undefined if the database is unavailable: the page still says what this is. */
async function findChoices(
  sandbox: string,
  visitor: Visitor | undefined,
  { database, samples }: PageParts['services'],
): Promise<readonly Choice[] | undefined> {
  try {
    const [id, choices] = await Promise.all([
      findSandboxId(database.reads, sandbox),
      visitor?.choices ?? samples.of(sandbox),
    ]);
    if (id === undefined) throw apiError('sandbox_not_found', sandbox);
    return choices;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return undefined;
  }
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
