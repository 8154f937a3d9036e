// The home pages at `/` and `/sandboxes/<name>/`. The console has what only the operator may do.
import type { FastifyInstance } from 'fastify';
import { type AdminAccess, describeAccess } from '../../access/gate.ts';
import type { AnonymousAccess } from '../../access/permissions.ts';
import { baseUrlOf, defaultSandbox } from '../../access/which-sandbox.ts';
import { apiError } from '../../base/errors.ts';
import { mirrors } from '../../base/version.ts';
import { checkSandboxName } from '../../http/call.ts';
import type { Visitor } from '../visitor.ts';
import type { UserToken } from '../../sandboxes/sandbox-schemas.ts';
import type { CurlRequest } from '../curl.ts';
import { renderLayout } from '../frame/layout.ts';
import { html } from '../html.ts';
import { rootOf, sandboxOf } from '../links.ts';
import type { PageParts } from '../session/visitors.ts';
import { renderCopy, renderRequest, renderSection, renderTokens } from '../parts.ts';

interface HomeParts extends Pick<PageParts, 'gate'> {
  readonly options: { readonly anonymous: AnonymousAccess; readonly admin: { readonly access: AdminAccess } };
}

/** Requests for these pages enter no journal. */
export function registerHome(app: FastifyInstance, { options: { anonymous, admin }, gate }: HomeParts) {
  app.get('/', { exposeHeadRoute: true }, async (request, reply) => {
    const { origin, visitor, place } = request.context;
    const { prefix, sandbox } = place;
    if (sandbox === defaultSandbox && prefix !== '') return reply.redirect(`${origin}/`);
    checkSandboxName(place);
    if (visitor === undefined) throw apiError('service_unavailable', 'the database did not answer');
    if (visitor.sandbox === null) throw apiError('sandbox_not_found', sandbox);
    const baseUrl = baseUrlOf(origin, sandbox);
    const access = describeAccess(admin.access);
    const isAdminOpen = !gate.requiresToken && gate.admitsPage(request);
    const { content, headers } = renderLayout({
      title: sandbox === defaultSandbox ? `A stand-in for ${mirrors}` : 'Home',
      baseUrl,
      section: 'home',
      visitor,
      main: html`<div class="console stack">
        ${sandbox === defaultSandbox ? introduction : renderIntroduction(sandbox)}
        ${!isAdminOpen && html`<p class="hint">The console and the control API are ${access}.</p>`}
        ${renderForClients(baseUrl, visitor, isAdminOpen)}
        ${renderSection('without', 'Requests without a token', html`<p>${withoutToken[anonymous]}</p>`)}
      </div>`,
    });
    return reply.headers(headers).send(content);
  });

  app.get<{ Params: { name: string } }>('/sandboxes/:name', { exposeHeadRoute: true }, async (request, reply) => {
    // The router decodes the name. A path with escapes names no sandbox.
    const { path } = request.context.place;
    if (path !== `/sandboxes/${request.params.name}`) return reply.callNotFound();
    return reply.redirect(`${request.context.origin}${path}/`);
  });
}

const introduction = html`<h1>A stand-in for Weblate’s users API</h1>
  <p class="large">
    For users and their notification subscriptions, Understudy answers like ${mirrors}, from sample data. Give your
    client this base URL, write what you like, and put everything back.
  </p>`;

const renderIntroduction = (sandbox: string) =>
  html`<h1>Sandbox ${sandbox}</h1>
    <p class="large">
      It has users, subscriptions, ids and tokens of its own. Give your client this base URL; what it writes stays here.
    </p>`;

/** What clients need, and the users. @param isAdminOpen whether the control API is open without a token */
export function renderForClients(baseUrl: string, { choices, username }: Visitor, isAdminOpen: boolean) {
  const named = (wanted?: string) => choices.find((choice) => choice.username === wanted);
  const user = named(username) ?? named('alice') ?? choices[0];
  const users =
    choices.length === 0
      ? html`<p>
          None has a public token. Tokens are in the seed that the operator loaded, and the console makes more. To act
          as a token’s owner, enter the token under “no user” at the top of a page.
        </p>`
      : renderTokens(`${choices.length} with public tokens: this is no place for real people’s data`, choices);
  const connection = renderConnect(baseUrl, user, isAdminOpen ? {} : undefined);
  return html`${connection} ${renderSection('users', 'Users', users)}`;
}

/** How a CI job makes a sandbox: with what token, name and source. */
interface Job {
  readonly token?: string | undefined;
  readonly name?: string;
  readonly from?: string;
}

/**
 * What a client that acts as a user needs: the base URL, variables of a CI job, requests to copy.
 * @param user with the token if the page may show it @param job undefined to leave out the control API
 */
export function renderConnect(baseUrl: string, user: Partial<UserToken> | undefined, job: Job | undefined) {
  const requests = listSteps(baseUrl, user, job).map(([title, request]) => [
    html`<h3>${title}</h3>`,
    renderRequest(request, title),
  ]);
  const { username, token } = user ?? {};
  const variables = `export API_URL='${baseUrl}'\nexport TOKEN=${token === undefined ? '…' : `'${token}'`}`;
  const title = username !== undefined && `Variables of a job that acts as ${username}`;
  return html`${renderSection('base', 'Base URL, for clients', renderCopy(baseUrl, 'Base URL'))}
  ${title && renderSection('variables', title, renderCopy(variables, 'Variables'))}
  ${renderSection('steps', 'Requests', requests)}`;
}

/** Requests that read, change, put back and copy. Without a user, only one for the API's root. */
function listSteps(baseUrl: string, user: Partial<UserToken> = {}, job?: Job): [string, CurlRequest][] {
  const { username, token = '$TOKEN' } = user;
  if (username === undefined) return [['Read the root of the API', { method: 'GET', url: `${baseUrl}/api/` }]];
  const url = `${baseUrl}/api/users/${encodeURIComponent(username.toWellFormed())}/notifications/`;
  const control = `${rootOf(baseUrl)}/_understudy/sandboxes/`;
  const sandbox = sandboxOf(baseUrl);
  const steps: [string, CurlRequest][] = [
    [`Read the subscriptions of ${username}`, { method: 'GET', url: `${url}?page_size=3`, token }],
  ];
  // Subscription 1 is alice's in the seed `documented`.
  if (username === 'alice')
    steps.push([
      'Set one of them to daily, as alice',
      { method: 'PATCH', url: `${url}1/`, token, body: JSON.stringify({ frequency: 2 }) },
    ]);
  if (job === undefined) return steps;
  const { name = 'job-1', from = sandbox, token: ofAdmin } = job;
  return [
    ...steps,
    ['Put everything back, for everybody', { method: 'POST', url: `${control}${sandbox}/reset`, token: ofAdmin }],
    [
      name === sandbox ? 'Make this sandbox in a CI job' : 'Make a copy of this sandbox for a CI job',
      { method: 'PUT', url: control + name, token: ofAdmin, body: JSON.stringify({ from }) },
    ],
  ];
}

const withoutToken = {
  read: 'They may read users and their subscriptions, where Weblate answers 404.',
  strict: 'They see what Weblate shows them: no user.',
  write: html`<strong class="wrong">They may do everything,</strong> whoever sends them.`,
} as const;
