// Finds what pages show around their content: the sandbox, the browser's user, other users to choose, the
// browser's rights, the faults in force. The user is the owner of the request's token. A request without a
// token acts with its cookie's session, also for the API and the journal.
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { hashToken } from '../../access/credentials.ts';
import type { Gate } from '../../access/gate.ts';
import { findCaller } from '../../access/caller-queries.ts';
import { baseUrlOf, defaultSandbox, isSandboxName } from '../../access/which-sandbox.ts';
import { inPage, prefersHtml } from '../../http/wire/negotiate.ts';
import { parseQuery } from '../../http/wire/query-string.ts';
import { isUnavailable } from '../../database/sqlstates.ts';
import type { PathTable } from '../../http/path-table.ts';
import type { Sender } from '../../http/send.ts';
import { readPublicSamples } from '../../seeds/load/named-seed.ts';
import type { SandboxServices } from '../../sandboxes/operations.ts';
import { usernameOf } from '../../traffic/entry.ts';
import type { Traffic } from '../../traffic/traffic.ts';
import { absoluteUrl } from '../links.ts';
import type { Visitor } from '../visitor.ts';
import { listRecent, listSampleStates, type SampleState } from './queries.ts';
import { type CookiePlace, consolePlace, type Sessions } from '../../access/sessions.ts';

/** What the plugins of pages take from the app, besides their options. */
export interface PageParts {
  readonly services: SandboxServices & Traffic & { readonly paths: PathTable };
  readonly gate: Gate;
  readonly sender: Sender;
  readonly sessions: Sessions;
  readonly visitors: ReturnType<typeof createVisitors>;
}

/** Makes onRequest hooks. They must precede the hooks that look up the caller. */
export function createVisitors(gate: Gate, services: Pick<Traffic, 'database' | 'faults'>, sessions: Sessions) {
  const reads = services.database.read;
  let publicTokens: ReadonlyMap<string, string> | undefined;

  /** @param isAlways whether requests that don't ask for a page get a visitor too */
  return (isAlways = false): onRequestHookHandler =>
    (request, _reply, done) => {
      const isAsked = asksForPage(request);
      if (isAsked) request.context.negotiated = inPage;
      if (!isAsked && !isAlways) return done();
      const note = (visitor?: Visitor) => {
        request.context.visitor = visitor;
        done();
      };
      void describe(request).then(note, done);
    };

  /** Throws 403 for a write with a session, unless a page of this service sent it. */
  async function describe(request: FastifyRequest): Promise<Visitor | undefined> {
    const { context, headers } = request;
    const { sandbox, prefix, path } = findPagePlace(request);
    const of = sandbox ?? defaultSandbox;
    if (!isSandboxName(of)) return undefined;
    try {
      // `sent` is null for a header without a token.
      const sent = headers.authorization === undefined ? undefined : context.findTokenHash();
      const place = sent === undefined ? cookiePlaceOf(of, prefix, context.origin) : undefined;
      const session = place && (await sessions.find(request, place));
      const admitting = admit(request);
      const hash = sent ?? session ?? null;
      const caller = { sandbox: of, hash, username: '', anonymous: 'strict' } as const;
      const [[found], choices, recent] = await Promise.all([
        findCaller(reads, caller),
        listChoices(of),
        admitting.then(({ isAdmitted }) => (isAdmitted ? listRecent(reads, { most: 10 }) : [])),
      ]);
      const isThere = found?.refused !== 'sandbox_not_found';
      // In the console, the page may show a user of a sandbox other than the request's.
      if (session !== undefined && of === context.place.sandbox) context.actWith(session);
      const username = (found?.refused === null && usernameOf(found)) || undefined;
      const token = choices.find((choice) => choice.username === username)?.token;
      const hasEnded = session !== undefined && username === undefined;
      if (hasEnded) context.hint = 'The session has ended: its token is no longer valid.';
      return {
        choices,
        username,
        token,
        hasEnded,
        ends: place && session && sessions.endOf(request, place),
        // The page of a missing sandbox links to existing ones, and has no users to choose.
        sandbox: isThere ? sandbox : null,
        returnTo: isThere ? absoluteUrl(context.origin, path) : undefined,
        ...(await admitting),
        sandboxes: recent.map(({ name }) => name),
        faults: services.faults.inForce(sandbox ?? ''),
      };
    } catch (error) {
      // The page itself says that the database is unavailable.
      if (isUnavailable(error)) return undefined;
      throw error;
    }
  }

  /** The users with public tokens of shipped seeds, whatever seed made the sandbox. */
  async function listChoices(sandbox: string) {
    const tokens = (publicTokens ??= new Map(
      (await readPublicSamples()).map(({ token }) => [hashToken(token).toString('hex'), token]),
    ));
    const found = await listSampleStates(reads, { sandbox, hashes: [...tokens.keys()] });
    return found.map((state) => ({ ...state, note: describeSample(state), token: tokens.get(state.hash) as string }));
  }

  async function admit(request: FastifyRequest) {
    const isOpen = gate.admitsPage(request);
    if (!isOpen || !gate.requiresToken) return { isAdmitted: isOpen };
    const place = consolePlace(request.context.origin);
    const isAdmitted = (await sessions.find(request, place)) !== undefined;
    return { isAdmitted, consoleEnds: isAdmitted ? sessions.endOf(request, place) : undefined };
  }
}

/**
 * A page of the console belongs to the sandbox in its path, or to all: then `sandbox` is null. `path`
 * includes the query. After a form, `path` is the start page: no link can open a form's answer.
 */
function findPagePlace({ context: { place }, method, originalUrl, params, routeOptions }: FastifyRequest) {
  if (!routeOptions.url?.startsWith('/_understudy')) return { ...place, path: originalUrl };
  const { name = null } = params as { readonly name?: string };
  const start = `/_understudy/${name === null ? '' : `console/${name}/`}`;
  return {
    sandbox: name,
    prefix: baseUrlOf('', name ?? defaultSandbox),
    path: method === 'POST' ? start : originalUrl,
  };
}

/** Undefined if a header named the sandbox: the form that chooses a user sends no such header. */
export function cookiePlaceOf(sandbox: string, prefix: string, origin: string): CookiePlace | undefined {
  if (sandbox === defaultSandbox) return { kind: 'user', origin, prefix: '' };
  return prefix === '' ? undefined : { kind: 'user', origin, prefix };
}

/** Reads `format` and Accept. Fast for programs, whose Accept doesn't name HTML. */
const asksForPage = ({ headers: { accept }, originalUrl, context }: FastifyRequest) =>
  (accept?.includes('text/html') || originalUrl.includes('format=api')) &&
  prefersHtml(accept, parseQuery(context.place.search)['format']);

function describeSample({ is_superuser, subscriptions, targeted }: SampleState) {
  const count = ['no subscriptions', 'one subscription'][subscriptions] ?? `${subscriptions} subscriptions`;
  const limited = targeted > 0 && `${targeted} of them limited to a project or component`;
  return [is_superuser && 'superuser', count, limited].filter(Boolean).join(', ');
}
