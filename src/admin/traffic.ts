// What faults, journal and expiry need of each request of the mirrored API: two hooks that look at a map and go on where nobody
// asked for anything.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Credentials, readCredentials } from '../auth/credentials.ts';
import { findCaller } from '../auth/queries.ts';
import type { Database } from '../database/database.ts';
import { defaultSandbox, understudyHeader } from '../http/reply.ts';
import type { Expiry } from '../seeding/sandboxes-expiry.ts';
import { cutAnswer, dropConnection, sendFault, wait } from './fault-answers.ts';
import type { Faults, Strike } from './faults.ts';
import { bodyText, type Journal, withoutTokens } from './journal.ts';

export interface Traffic {
  readonly database: Database;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly expiry: Expiry;
}

/** What is known of a request that somebody watches. */
interface Watched {
  readonly sandbox: string;
  readonly path: string;
  readonly query: string;
  readonly startedAt: number;
  strike: Strike | undefined;
}

const watched = Symbol('watched');
type WatchedRequest = FastifyRequest & { [watched]?: Watched };

export function registerTraffic(app: FastifyInstance, traffic: Traffic): void {
  const { faults, journal, expiry } = traffic;
  // Fastify asks that a property which some requests get stands on all of them from the beginning.
  app.decorateRequest(watched);

  app.addHook('onRequest', (request: WatchedRequest, reply, done) => {
    const url = request.originalUrl;
    if (!url.startsWith('/api/') && !url.startsWith('/sandboxes/')) return done();
    const sandbox = sandboxOf(request);
    if (sandbox !== defaultSandbox) expiry.noteUse(sandbox);
    if (faults.isIdle() && !journal.isKept(sandbox)) return done();
    const found = { sandbox, ...splitUrl(url), startedAt: performance.now(), strike: undefined };
    request[watched] = found;
    if (faults.isIdle()) return done();
    void meet(request, reply, found, traffic, done);
  });

  app.addHook('onSend', (request: WatchedRequest, reply, payload, done) => {
    const found = request[watched];
    if (found === undefined) return done(null, payload);
    note(request, reply.statusCode, payload, found, journal);
    if (found.strike?.rule.connection === 'cut') cutAnswer(reply, payload);
    else done(null, payload);
  });
}

type Done = (error?: Error) => void;

/** Lets a fault strike, and the request go on where that didn't answer it. */
async function meet(request: FastifyRequest, reply: FastifyReply, found: Watched, traffic: Traffic, done: Done) {
  try {
    if (!(await isAnswered(request, reply, found, traffic))) done();
  } catch (error) {
    // What goes wrong here is an error of the request, as in any hook.
    done(error as Error);
  }
}

async function isAnswered(
  request: FastifyRequest,
  reply: FastifyReply,
  found: Watched,
  { faults, database, journal }: Traffic,
): Promise<boolean> {
  const strike = await faults.strike(found.sandbox, {
    method: request.method,
    path: found.path,
    isUser: (username) => isUser(database, request, found.sandbox, username),
  });
  if (strike === undefined) return false;
  found.strike = strike;
  reply.header('x-understudy-fault', strike.rule.name);
  if (strike.delayMs > 0) await wait(strike.delayMs);
  if (strike.rule.connection === 'close') {
    note(request, 0, null, found, journal);
    dropConnection(reply);
    return true;
  }
  if (strike.rule.status === undefined) return false;
  reply.header('x-understudy', understudyHeader);
  if (found.sandbox !== defaultSandbox) reply.header('x-understudy-sandbox', found.sandbox);
  sendFault(reply, strike.rule);
  return true;
}

function note(request: FastifyRequest, status: number, payload: unknown, found: Watched, journal: Journal): void {
  if (!journal.isKept(found.sandbox)) return;
  journal.add(found.sandbox, {
    at: new Date(Date.now() - (performance.now() - found.startedAt)).toISOString(),
    method: request.method,
    path: withoutTokens(found.path),
    query: withoutTokens(found.query),
    status,
    duration_ms: Math.round((performance.now() - found.startedAt) * 100) / 100,
    tokenHash: credentialsOf(request)?.tokenHash ?? null,
    unmatched: request.is404,
    fault: found.strike?.rule.name ?? null,
    request_body: bodyText(request.body),
    response_body: bodyText(payload),
  });
}

async function isUser(database: Database, request: FastifyRequest, sandbox: string, username: string) {
  const hash = credentialsOf(request)?.tokenHash;
  if (hash === undefined) return false;
  const [caller] = await findCaller(database.reads, { sandbox, hash, username, open: false });
  return caller !== undefined && caller.principal_id !== null && caller.principal_id === caller.target_id;
}

function credentialsOf(request: FastifyRequest): Credentials | null {
  try {
    return readCredentials(request.headers.authorization);
  } catch {
    return null;
  }
}

const prefix = /^\/sandboxes\/([a-z0-9-]{1,63})(?=\/api\/)/;

// As http/reply.ts finds it, but also for paths that aren't served, which have no parameters. The token is read only where it may
// name a sandbox.
function sandboxOf(request: FastifyRequest): string {
  const inPath = request.originalUrl.startsWith('/sandboxes/') ? prefix.exec(request.originalUrl)?.[1] : undefined;
  if (inPath !== undefined) return inPath;
  const header = request.headers['x-understudy-sandbox'];
  if (typeof header === 'string') return header.slice(0, 63);
  const mayName = request.headers.authorization?.includes('wlu_sandbox_') === true;
  return (mayName ? credentialsOf(request)?.sandbox : undefined) ?? defaultSandbox;
}

function splitUrl(url: string): { path: string; query: string } {
  const at = url.indexOf('?');
  const path = (at === -1 ? url : url.slice(0, at)).replace(prefix, '');
  return { path, query: at === -1 ? '' : url.slice(at + 1) };
}
