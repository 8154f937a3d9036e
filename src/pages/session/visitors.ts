// Finds out who is at the browser, and whom it can act as, for every request that is answered by a page: by the request's
// own token, else by the session of its cookie. From then on the request has that user's token, for the API and for the
// journal.
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { hashToken } from '../../access/credentials.ts';
import { defaultSandbox, isSandboxName } from '../../access/which-sandbox.ts';
import type { RequestContext } from '../../http/context.ts';
import { inPage, negotiate } from '../../http/wire/negotiate.ts';
import { parseQuery } from '../../http/wire/query-string.ts';
import type { Database } from '../../database/database.ts';
import { isUnavailable } from '../../database/sqlstates.ts';
import type { Choice, Visitor } from '../../http/call.ts';
import { findVisitor, listSampleStates, type SampleState } from './queries.ts';
import type { CookiePlace, Sessions } from './sessions.ts';

interface VisitorOptions {
  readonly reads: Database['reads'];
  readonly samples: Samples;
  readonly sessions: Sessions;
}

type IsForPage = (request: FastifyRequest) => boolean;

export type Visitors = ReturnType<typeof createVisitors>;

/** Makes hooks for onRequest, to be added before those that ask who the caller is. */
export function createVisitors({ reads, samples, sessions }: VisitorOptions) {
  return (isForPage: IsForPage): onRequestHookHandler =>
    (request, _reply, done) => {
      if (!isForPage(request)) return done();
      request.context.negotiated = inPage;
      const note = (visitor?: Visitor) => {
        request.context.visitor = visitor;
        done();
      };
      void describe(request).then(note, done);
    };

  /** Throws 403 for a form of another page. */
  async function describe(request: FastifyRequest): Promise<Visitor | undefined> {
    const { context } = request;
    const { sandbox } = context.place;
    if (!isSandboxName(sandbox)) return undefined;
    try {
      // Null for a header without a token.
      const sent = request.headers.authorization === undefined ? undefined : context.findTokenHash();
      const session = sent === undefined ? await findSession(request) : undefined;
      const [[found], choices] = await Promise.all([
        findVisitor(reads, { sandbox, token_hash: sent ?? session ?? null }),
        samples.of(sandbox),
      ]);
      if (session !== undefined) context.actWith(session);
      const username = found?.username;
      const token = choices.find((choice) => choice.username === username)?.token;
      return {
        choices,
        ...(username !== undefined && { username }),
        ...(token !== undefined && { token }),
        hasEnded: session !== undefined && username === undefined,
      };
    } catch (error) {
      // The page says so in its own place.
      if (isUnavailable(error)) return undefined;
      throw error;
    }
  }

  async function findSession(request: FastifyRequest): Promise<Buffer | undefined> {
    if (request.headers.cookie === undefined) return undefined;
    const place = cookiePlaceOf(request.context);
    return place && (await sessions.find(request, place));
  }
}

/** Undefined if a header names the sandbox: browsers keep cookies by path. */
export function cookiePlaceOf({ place: { sandbox, prefix }, origin }: RequestContext): CookiePlace | undefined {
  if (sandbox === defaultSandbox) return { kind: 'user', origin, prefix: '' };
  return prefix === '' ? undefined : { kind: 'user', origin, prefix };
}

/** By `format` and Accept. Cheap for the requests of programs, which name no HTML. */
export const asksForPage: IsForPage = ({ headers: { accept }, originalUrl, context }) => {
  if (accept?.includes('text/html') !== true && !originalUrl.includes('format=api')) return false;
  try {
    const { format } = parseQuery(context.place.search) as { format?: string };
    return negotiate(format, accept).format === 'api';
  } catch {
    return false;
  }
};

// The users of a sandbox whose tokens are public, and what they show: those of the seeds that ship.

export type Samples = ReturnType<typeof createSamples>;

/** @param readPublicTokens called at the first page that shows users: not at start */
export function createSamples(
  { reads }: Pick<Database, 'reads'>,
  readPublicTokens: () => Promise<readonly { readonly token: string }[]>,
) {
  let reading: Promise<ReadonlyMap<string, string>> | undefined;

  async function read(): Promise<ReadonlyMap<string, string>> {
    const samples = await readPublicTokens();
    return new Map(samples.map(({ token }) => [hashToken(token).toString('hex'), token]));
  }

  return {
    /** Those that are in the sandbox now, whatever it was seeded with. */
    async of(sandbox: string): Promise<Choice[]> {
      reading ??= read();
      // A failed read is tried again.
      reading.catch(() => (reading = undefined));
      const tokens = await reading;
      const found = await listSampleStates(reads, { sandbox, hashes: [...tokens.keys()] });
      return found.map((state) => ({
        username: state.username,
        isSuperuser: state.is_superuser,
        note: describeSample(state),
        token: tokens.get(state.hash) as string,
      }));
    },
  };
}

function describeSample({ is_superuser, subscriptions, targeted }: SampleState): string {
  const count = ['no subscriptions', 'one subscription'][subscriptions] ?? `${subscriptions} subscriptions`;
  const limited = targeted > 0 && `${targeted} of them limited to a project or component`;
  return [is_superuser && 'superuser', count, limited].filter(Boolean).join(', ');
}
