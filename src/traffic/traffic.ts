// Watches requests for faults, journal and expiry: hooks before each request
// and at its answer.
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { catalogue } from '../base/errors.ts';
import { attempt } from '../base/failure.ts';
import { findCaller } from '../access/caller-queries.ts';
import { hasBody, whenClosed } from '../http/connection.ts';
import { hintHeader, notMirroredHeader } from '../http/path-table.ts';
import { type Sender, understudyHeader } from '../http/send.ts';
import { isFromOwnPage } from '../access/gate.ts';
import { defaultSandbox, isSandboxName, sandboxOfToken } from '../access/which-sandbox.ts';
import type { Expiry } from '../sandboxes/expiry.ts';
import { cutAnswer, delay, maxDelayed, sendFault } from './fault-answers.ts';
import type { Faults } from './faults.ts';
import { cutText, type Exchange, idOf, keepBody, keepHeaders, responseHeaderNames, removeTokens } from './entry.ts';
import { firstErrorIn } from './journal/entry-bytes.ts';
import type { JournalServices } from './journal/expect.ts';
import { strays } from './journal/journal.ts';
import { createHolds } from './journal/waits.ts';

export interface Traffic extends JournalServices {
  readonly faults: Faults;
  readonly expiry: Pick<Expiry, 'noteUse' | 'isNoted' | 'forget'>;
}
type Watched = Omit<Traffic, 'waitFor' | 'lists'>;

/** For a sandbox that was created, reset or restored: rules and journal are out of date. */
export function startAfresh({ faults, journal }: Watched, sandbox: string) {
  faults.clear(sandbox);
  journal.clear(sandbox);
}

/** For a sandbox that any process dropped: nothing under its name may stay in memory. */
export function forget({ faults, journal, expiry }: Watched, sandbox: string) {
  faults.clear(sandbox);
  journal.forget(sandbox);
  expiry.forget(sandbox);
}

export function createTraffic(watched: Watched, sender: Pick<Sender, 'send'>) {
  const { database, faults, journal, expiry } = watched;
  const holdDelay = createHolds(maxDelayed, 'delayed requests');

  /** To be called before the routes are registered. @param spared URLs that faults never strike */
  function watch(app: FastifyInstance, spared: ReadonlySet<string>) {
    // A fault waits for a body within the limit, so that the journal has the body.
    const strikeWith =
      (isBodyRead: boolean) => (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
        request.context.fault ??= null;
        const isConcerned = faults.hasRules(request.context.place.sandbox) && !isOfPage(request);
        const isSpared = !isConcerned || spared.has(request.routeOptions.url ?? '');
        if (isSpared || isBodyRead !== hasBodyToRead(request)) return done();
        return applyFault(request, reply);
      };
    app.addHook('onRequest', strikeWith(false));
    app.addHook('preValidation', strikeWith(true));
    app.addHook('onSend', (request, reply, payload, done) => {
      const { fault } = request.context;
      const hint = reply.hasHeader(hintHeader) ? undefined : findReason(request, reply.statusCode);
      if (hint !== undefined) reply.header(hintHeader, hint);
      if (fault !== undefined) note(request, reply, reply.statusCode, payload);
      if (fault?.connection === 'cut') cutAnswer(reply, payload);
      else done(null, payload);
    });
  }

  /** Keeps requests that reach no sandbox. To be called before the handler of unknown paths is registered. */
  function watchStrays(app: FastifyInstance) {
    app.addHook('onSend', (request, reply, payload, done) => {
      if (request.is404 && journal.isKept && !ofBrowsers.test(request.originalUrl))
        keepStray(request, exchangeOf(request, reply, reply.statusCode, payload));
      done(null, payload);
    });
  }

  /** Fastify goes on, unless this function answers or throws. */
  async function applyFault(request: FastifyRequest, reply: FastifyReply) {
    const { sandbox } = request.context.place;
    const lookUser = async () => (await findSender(request))?.caller ?? null;
    let delayMs = 0;
    const strike = await faults.strike(sandbox, removeTokens(receivedOf(request)), lookUser, (ms) => {
      if (ms > 0) whenClosed(reply, holdDelay(sandbox));
      delayMs = ms;
    });
    if (strike === undefined) return;
    const { rule } = strike;
    request.context.fault = rule;
    reply.header('x-understudy-fault', rule.name);
    const isConnected = delayMs === 0 || (await delay(reply, delayMs));
    if (!isConnected || rule.connection === 'close') {
      note(request, reply, 0, null);
      reply.hijack();
      reply.raw.destroy();
    } else if (rule.status !== undefined) {
      reply.header('x-understudy', understudyHeader);
      if (sandbox !== defaultSandbox) reply.header('x-understudy-sandbox', sandbox);
      sendFault(reply, strike, sender);
    }
  }

  /** Keeps the whole path, with the part that chooses the sandbox. */
  const keepStray = (request: FastifyRequest, exchange: Exchange) =>
    journal.add(strays, { ...exchange, path: request.originalUrl.replace(/\?.*$/s, '') });

  function note(request: FastifyRequest, reply: FastifyReply, status: number, payload: unknown) {
    const { sandbox } = request.context.place;
    const exchange = journal.isKept ? exchangeOf(request, reply, status, payload) : undefined;
    const isKnown = sandbox === defaultSandbox || expiry.isNoted(sandbox);
    const isCallerKnown = exchange?.hasToken !== true || request.context.caller !== undefined;
    if (isKnown && isCallerKnown) {
      const number = exchange && journal.add(sandbox, exchange);
      // Tells the page which entry of the journal its request is.
      if (number !== undefined && exchange?.from_page === true) reply.header('x-understudy-entry', idOf(number));
    } else {
      const logFailure = (err: unknown) => request.log.error({ err }, 'a request is not in the journal');
      journal.addLater(lookUp(request, exchange).catch(logFailure));
    }
  }

  // For a name that no sandbox has, nothing may stay in memory, or clients could fill it. Readers of the
  // journal wait for this lookup. The answer doesn't.
  async function lookUp(request: FastifyRequest, exchange: Exchange | undefined) {
    const { sandbox } = request.context.place;
    // A failure of the database isn't logged here: the requests that it breaks log it.
    const isName = isSandboxName(sandbox);
    const row = isName ? await findSender(request).catch(() => undefined) : undefined;
    if (!isName || row?.refused === 'sandbox_not_found') {
      forget(watched, sandbox);
      if (exchange !== undefined) keepStray(request, exchange);
      return;
    }
    if (row !== undefined && sandbox !== defaultSandbox) expiry.noteUse(sandbox);
    const caller = request.context.caller ?? row?.caller ?? null;
    const isThere = row !== undefined || sandbox === defaultSandbox || journal.knows(sandbox);
    if (exchange !== undefined && isThere) journal.add(sandbox, { ...exchange, caller });
  }

  async function findSender({ context }: FastifyRequest) {
    const { sandbox } = context.place;
    const sent = { sandbox, hash: context.findTokenHash(), username: '', anonymous: 'strict' } as const;
    return (await findCaller(database.read, sent))[0];
  }

  return { watch, watchStrays };
}

function receivedOf(request: FastifyRequest) {
  const { headers, context, method } = request;
  return {
    method,
    path: context.place.path,
    query: context.place.search,
    hasToken: context.findTokenHash() !== null,
    caller: context.caller ?? null,
    // First the content type, as the client sent it: it tells how to read the body.
    request_headers: keepHeaders(['content-type', ...Object.keys(headers)], (name) =>
      name === 'content-type' ? context.contentType : headers[name],
    ),
    requestBody: keepBody(request.body),
  };
}

const hasBodyToRead = (request: FastifyRequest) =>
  hasBody(request) && !(Number(request.headers['content-length']) > request.routeOptions.bodyLimit);

function exchangeOf(request: FastifyRequest, reply: FastifyReply, status: number, payload: unknown): Exchange {
  const { context } = request;
  // Of a page, its JSON is kept: the HTML would be cut before the data.
  const shown = context.negotiated.format === 'api' && status !== 0 ? context.answer : undefined;
  const durationMs = reply.elapsedTime;
  return {
    ...receivedOf(request),
    at: Date.now() - durationMs,
    startedAt: performance.now() - durationMs,
    durationMs,
    status: shown?.status ?? status,
    unmatched: request.is404,
    fault: context.fault?.name ?? null,
    hint: hintOf(reply, hintHeader),
    not_mirrored: hintOf(reply, notMirroredHeader),
    error: status < 400 ? null : firstErrorIn(context.answer?.json ?? payload),
    from_page: context.negotiated.format === 'api' && isOurs(request),
    response_headers: keepHeaders(responseHeaderNames, (name) => reply.getHeader(name)),
    responseBody: keepBody(shown === undefined || shown.content !== undefined ? payload : shown.json),
  };
}

// Paths that browsers request by themselves.
const ofBrowsers = /^\/(?:favicon\.ico|robots\.txt|apple-touch-icon[^/]*|\.well-known\/.*)$/;

/** Why a request without the right token was refused. */
function findReason({ headers, context, is404 }: FastifyRequest, status: number) {
  if (status === 404 && !is404 && context.findTokenHash() === null)
    return firstErrorIn(context.answer?.json)?.detail === catalogue.not_found.detail
      ? 'The request has no token: what it may not see gets 404.'
      : undefined;
  if (status !== 401) return undefined;
  // A token that no user has here is usually another sandbox's.
  const name = sandboxOfToken(headers.authorization);
  if (name !== undefined && name !== context.place.sandbox) return `The token is of the sandbox "${name}".`;
  return context.hint;
}

function hintOf(reply: FastifyReply, name: string) {
  const hint = reply.getHeader(name);
  return hint === undefined ? null : cutText(String(hint));
}

/** Whether a person looks at a page: this must not use up a rule. */
const isOfPage = ({ context, headers }: FastifyRequest) =>
  context.negotiated.format === 'api' && headers.authorization === undefined;

/** Whether a page of this service sent the request, or a person opened a page. */
const isOurs = (request: FastifyRequest) =>
  request.headers['sec-fetch-mode'] === 'navigate' ||
  attempt(() => isFromOwnPage(request, request.context.origin)) === true;
