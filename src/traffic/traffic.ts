// Watches the requests of the mirrored API for faults, journal and expiry: by a hook before each request and one at its
// answer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tokenHashOf } from '../access/credentials.ts';
import { findCaller } from '../access/queries.ts';
import type { Database } from '../database/database.ts';
import { contentTypeOf } from '../api/content-type.ts';
import { understudyHeader } from '../api/send.ts';
import { defaultSandbox, isSandboxName, placeOf } from '../access/which-sandbox.ts';
import { findSandboxId } from '../load/queries.ts';
import type { Expiry } from '../sandboxes/expiry.ts';
import { createDelay } from './delays.ts';
import { cutAnswer, dropConnection, sendFault } from './fault-answers.ts';
import type { Faults, Strike } from './faults.ts';
import { type Journal, keepBody, type KeptEntry, keepType } from './journal/journal.ts';
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

export function registerTraffic(app: FastifyInstance, watched: Watched): void {
  const { database, faults, journal, expiry } = watched;
  const delay = createDelay(app.ending);
  app.decorateRequest(struck);

  app.addHook('onRequest', (request: WatchedRequest, reply, done) => {
    if (!placeOf(request).path.startsWith('/api/')) return done();
    request[struck] = null;
    if (faults.isIdle()) return done();
    void strikeOrContinue(request, reply, done);
  });

  app.addHook('onSend', (request: WatchedRequest, reply, payload, done) => {
    const strike = request[struck];
    if (strike === undefined) return done(null, payload);
    note(request, reply, reply.statusCode, payload);
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
    const entry = journal.isKept ? entryOf(request, reply, status, payload) : undefined;
    const add = () => entry && journal.add(sandbox, entry);
    if (sandbox === defaultSandbox || expiry.isNoted(sandbox)) add();
    else if (isSandboxName(sandbox)) void noteUse(sandbox, add);
  }

  // A name that no sandbox has leaves nothing in memory, or clients could fill it and crowd out the sandboxes that
  // exist. The answer doesn't wait for this: the next reader of the journal queries the database later, on the same
  // connection.
  async function noteUse(sandbox: string, add: () => void): Promise<void> {
    // The requests that fail because the database is unavailable log that.
    const id = await findSandboxId(database.reads, sandbox).catch(() => null);
    if (id === null) return;
    if (id === undefined) return forget(watched, sandbox);
    expiry.noteUse(sandbox);
    add();
  }
}

function entryOf(request: WatchedRequest, reply: FastifyReply, status: number, payload: unknown): KeptEntry {
  const { path, search } = placeOf(request);
  const durationMs = reply.elapsedTime;
  const requestBody = keepBody(request.body);
  return {
    number: 0,
    at: Date.now() - durationMs,
    startedAt: performance.now() - durationMs,
    durationMs,
    method: request.method,
    path,
    search,
    status,
    tokenHash: hashOf(request)?.toString('hex') ?? null,
    unmatched: request.is404,
    fault: request[struck]?.rule.name ?? null,
    requestBody,
    contentType: requestBody === null ? null : keepType(contentTypeOf(request.raw)),
    responseBody: keepBody(payload),
  };
}

async function isUser({ reads }: Database, request: FastifyRequest, sandbox: string, username: string) {
  const hash = hashOf(request);
  if (hash === null) return false;
  const params = { sandbox, hash, username, anonymous_reads: false, anonymous_writes: false };
  const [caller] = await findCaller(reads, params);
  return caller !== undefined && caller.principal_id !== null && caller.principal_id === caller.target_id;
}

function hashOf(request: FastifyRequest): Buffer | null {
  try {
    return tokenHashOf(request);
  } catch {
    return null;
  }
}
