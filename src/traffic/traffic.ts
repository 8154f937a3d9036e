// Watches the requests of the mirrored API for faults, journal and expiry: by a hook before each request and one at its
// answer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tokenHashOf } from '../access/credentials.ts';
import type { AccessResult } from '../access/permissions.ts';
import { findCaller } from '../access/queries.ts';
import { type BaseUrlOptions, findOrigin } from '../http/base-url.ts';
import type { Database } from '../database/database.ts';
import { contentTypeOf } from '../http/content-type.ts';
import { hintHeader, notMirroredHeader } from '../http/path-table.ts';
import { understudyHeader } from '../http/send.ts';
import { isForPage } from '../http/is-for-page.ts';
import { isFromOwnPage } from '../access/own-page.ts';
import { defaultSandbox, isSandboxName, placeOf } from '../access/which-sandbox.ts';
import type { Expiry } from '../sandboxes/expiry.ts';
import { createDelay, cutAnswer, dropConnection, sendFault } from './fault-answers.ts';
import type { Faults, Strike } from './faults.ts';
import {
  type Exchange,
  firstErrorIn,
  joinHeaders,
  keepBody,
  requestHeaderNames,
  responseHeaderNames,
} from './journal/entry-bytes.ts';
import { type Journal, strays } from './journal/journal.ts';
import type { Waits } from './journal/waits.ts';

/** What requests of the mirrored API concern. */
export interface Watched {
  readonly database: Database;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly expiry: Pick<Expiry, 'noteUse' | 'isNoted' | 'forget'>;
}

/** What the operations on faults and journal need. */
export interface Traffic extends Watched {
  readonly waitFor: Waits;
}

/** To be called when a sandbox is created, reset or restored. */
export function startAfresh({ faults, journal }: Watched, sandbox: string): void {
  faults.clear(sandbox);
  journal.clear(sandbox);
}

/** To be called when a sandbox is dropped. */
export function forget({ faults, journal, expiry }: Watched, sandbox: string): void {
  faults.clear(sandbox);
  journal.forget(sandbox);
  expiry.forget(sandbox);
}

// The fault that struck, or null. Undefined if the request isn't one of the mirrored API or was rejected on arrival.
const struck = Symbol('struck');
type WatchedRequest = FastifyRequest & { [struck]?: Strike | null };

export function registerTraffic(app: FastifyInstance, watched: Watched, options: BaseUrlOptions): void {
  const { database, faults, journal, expiry } = watched;
  const delay = createDelay();
  app.decorateRequest(struck);
  app.decorateRequest('call', undefined);
  app.decorateRequest('answer', undefined);

  app.addHook('onRequest', (request: WatchedRequest, reply, done) => {
    if (!placeOf(request).path.startsWith('/api/')) return done();
    request[struck] = null;
    if (faults.isIdle()) return done();
    void strikeOrContinue(request, reply, done);
  });

  app.addHook('onSend', (request: WatchedRequest, reply, payload, done) => {
    const strike = request[struck];
    if (strike !== undefined) note(request, reply, reply.statusCode, payload);
    else if (request.is404 && journal.isKept && !ofBrowsers.test(request.originalUrl))
      journal.add(strays, strayOf(exchangeOf(request, reply, reply.statusCode, payload), request));
    if (strike?.rule.connection === 'cut') cutAnswer(reply, payload);
    else done(null, payload);
  });

  async function strikeOrContinue(request: WatchedRequest, reply: FastifyReply, done: (error?: Error) => void) {
    try {
      if (!(await isAnswered(request, reply))) done();
    } catch (error) {
      done(error as Error);
    }
  }

  /** Lets a fault strike. Resolves to true if the request needs no other answer. */
  async function isAnswered(request: WatchedRequest, reply: FastifyReply): Promise<boolean> {
    const { sandbox, path } = placeOf(request);
    const strike = await faults.strike(sandbox, {
      method: request.method,
      path,
      isUser: (username) => isUser(database, request, sandbox, username),
    });
    if (strike === undefined) return false;
    const { rule, delayMs } = strike;
    request[struck] = strike;
    reply.header('x-understudy-fault', rule.name);
    const isConnected = delayMs === 0 || (await delay(reply, sandbox, delayMs));
    if (!isConnected || rule.connection === 'close') {
      note(request, reply, 0, null);
      dropConnection(reply);
      return true;
    }
    if (rule.status === undefined) return false;
    reply.header('x-understudy', understudyHeader);
    if (sandbox !== defaultSandbox) reply.header('x-understudy-sandbox', sandbox);
    sendFault(request, reply, strike);
    return true;
  }

  /** Notes the sandbox's use and the request. */
  function note(request: WatchedRequest, reply: FastifyReply, status: number, payload: unknown): void {
    const { sandbox } = placeOf(request);
    const exchange = journal.isKept ? exchangeOf(request, reply, status, payload) : undefined;
    const isKnown = sandbox === defaultSandbox || expiry.isNoted(sandbox);
    const isCallerKnown = exchange?.hasToken !== true || request.call?.caller !== undefined;
    if (isKnown && isCallerKnown) {
      if (exchange !== undefined) journal.add(sandbox, exchange);
    } else journal.addLater(lookUp(request, exchange));
  }

  // A name that no sandbox has leaves nothing of its own in memory, or clients could fill it and crowd out the sandboxes
  // that exist. Readers of the journal wait for this, and not the answer.
  async function lookUp(request: WatchedRequest, exchange: Exchange | undefined): Promise<void> {
    const { sandbox } = placeOf(request);
    // The requests that fail because the database is unavailable log that.
    const row = isSandboxName(sandbox) ? await findOnce(sandbox, hashOf(request)).catch(() => undefined) : noSandbox;
    if (row?.refused === 'sandbox_not_found') {
      forget(watched, sandbox);
      if (exchange !== undefined) journal.add(strays, strayOf(exchange, request));
      return;
    }
    if (row !== undefined && sandbox !== defaultSandbox) expiry.noteUse(sandbox);
    const caller = request.call?.caller ?? row?.caller ?? null;
    const isThere = row !== undefined || sandbox === defaultSandbox || journal.knows(sandbox);
    if (exchange !== undefined && isThere) journal.add(sandbox, { ...exchange, caller });
  }

  const asked = new Map<string, Promise<AccessResult | undefined>>();
  /** Requests with the same token share the query that is on its way. */
  function findOnce(sandbox: string, hash: Buffer | null): Promise<AccessResult | undefined> {
    const key = `${sandbox} ${hash?.toString('latin1') ?? ''}`;
    const known = asked.get(key);
    if (known !== undefined) return known;
    const found = findCaller(database.reads, { ...nobody, sandbox, hash })
      .then(([row]) => row)
      .finally(() => asked.delete(key));
    asked.set(key, found);
    return found;
  }

  function exchangeOf(request: WatchedRequest, reply: FastifyReply, status: number, payload: unknown): Exchange {
    const { path, search } = placeOf(request);
    const { headers } = request;
    const durationMs = reply.elapsedTime;
    return {
      at: Date.now() - durationMs,
      startedAt: performance.now() - durationMs,
      durationMs,
      method: request.method,
      path,
      search,
      status,
      hasToken: hashOf(request) !== null,
      caller: request.call?.caller ?? null,
      unmatched: request.is404,
      fault: request[struck]?.rule.name ?? null,
      hint: headerOf(reply, hintHeader),
      notMirrored: headerOf(reply, notMirroredHeader),
      error: status < 400 ? null : firstErrorIn(request.answer?.json ?? payload),
      fromPage: isForPage(request) && isOurs(request),
      requestHeaders: joinHeaders(requestHeaderNames, (name) =>
        name === 'content-type' ? contentTypeOf(request.raw) : headers[name],
      ),
      responseHeaders: joinHeaders(responseHeaderNames, (name) => reply.getHeader(name)),
      requestBody: keepBody(request.body),
      responseBody: keepBody(payload),
    };
  }

  function isOurs(request: FastifyRequest): boolean {
    try {
      return isFromOwnPage(request, findOrigin(request.raw, options));
    } catch {
      return false;
    }
  }
}

const noSandbox = { refused: 'sandbox_not_found', caller: null } as const;
const nobody = { username: '', anonymous_reads: false, anonymous_writes: false };
// What browsers request by themselves.
const ofBrowsers = /^\/(?:favicon\.ico|robots\.txt|apple-touch-icon[^/]*|\.well-known\/.*)$/;

/** The path as it was written, with what chooses the sandbox. */
const strayOf = (exchange: Exchange, { originalUrl }: FastifyRequest): Exchange => ({
  ...exchange,
  path: originalUrl.replace(/\?.*$/s, ''),
});

function headerOf(reply: FastifyReply, name: string): string | null {
  const value = reply.getHeader(name);
  return typeof value === 'string' ? value : null;
}

async function isUser({ reads }: Database, request: FastifyRequest, sandbox: string, username: string) {
  const hash = hashOf(request);
  if (hash === null) return false;
  const [caller] = await findCaller(reads, { ...nobody, sandbox, hash, username });
  return caller !== undefined && caller.principal_id !== null && caller.principal_id === caller.target_id;
}

function hashOf(request: FastifyRequest): Buffer | null {
  try {
    return tokenHashOf(request);
  } catch {
    return null;
  }
}
