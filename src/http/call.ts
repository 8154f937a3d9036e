// `Call`, the context of a request: what the service knows of the request. `Answer`: what a handler
// returns.
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type AccessResult, type AnonymousAccess, admitRow } from '../access/permissions.ts';
import { callerOf, type CallerParams } from '../access/caller-queries.ts';
import { readTokenHash } from '../access/credentials.ts';
import { findPlace, isSandboxName, type Place } from '../access/which-sandbox.ts';
import type { Database } from '../database/database.ts';
import type { Handle } from '../database/prepare.ts';
import { apiError } from '../base/errors.ts';
import { attempt } from '../base/failure.ts';
import { type BaseUrlOptions, findOrigin } from './base-url.ts';
import { type ConnectionFault, whenClosed } from './connection.ts';
import { hideOddContentType } from './wire/media-type.ts';
import { type Negotiated, plainJson } from './wire/negotiate.ts';

/** What the Weblate API's handlers use; fixed for the app's life. */
export interface Services {
  readonly database: Database;
  readonly anonymous: AnonymousAccess;
}

/** The start and end of an answer's URLs. Neither needs an escape in JSON. */
export type UrlContext = Readonly<Pick<Call, 'baseUrl' | 'urlQuery'>>;

declare module 'fastify' {
  interface FastifyRequest {
    context: Call;
  }
}

/** Must come before all hooks that use the context. */
export function keepContexts(app: FastifyInstance, ofUrls: BaseUrlOptions) {
  app.decorateRequest('context');
  app.addHook('onRequest', (request, reply, done) => {
    request.context = new Call(reply, ofUrls);
    hideOddContentType(request.raw);
    done();
  });
}

export class Call<Params = unknown, Query = unknown> {
  readonly place: Place;
  readonly method: string;
  readonly accept: string | undefined;
  /** As the client wrote it. */
  readonly contentType: string | undefined;
  /** The request's share of the capacity (edge/overload.ts). A request that waits gives it back. */
  slot: { readonly take: (bodyBytes: number) => boolean; readonly giveBack: () => void } | undefined = undefined;
  negotiated: Negotiated = plainJson;
  /** `?format=…` if the request named a format: links keep it (transcript format__query). */
  urlQuery = '';
  /** If the browser's session has ended: a text that says so. */
  hint: string | undefined = undefined;
  /** Id and name of the token's user; null without a token, undefined until a statement finds it. */
  caller: string | null | undefined = undefined;
  /** The answer that was sent, before it was rendered. */
  answer: Answer | undefined = undefined;
  /** The fault rule that applies; null for none, undefined before rules are applied. */
  fault: { readonly name: string; readonly connection?: ConnectionFault } | null | undefined = undefined;
  readonly #reply: FastifyReply;
  readonly #ofUrls: BaseUrlOptions;
  #left: AbortSignal | undefined = undefined;
  #origin: string | undefined = undefined;
  #baseUrl: string | undefined = undefined;
  #tokenHash: Buffer | null | undefined = undefined;

  constructor(reply: FastifyReply, ofUrls: BaseUrlOptions) {
    const { method, headers } = reply.request;
    this.place = findPlace(reply.request);
    this.method = method;
    this.accept = headers.accept;
    this.contentType = headers['content-type'];
    this.#reply = reply;
    this.#ofUrls = ofUrls;
  }

  get params() {
    return this.#reply.request.params as Params;
  }

  get query() {
    return this.#reply.request.query as Query;
  }

  get body() {
    return this.#reply.request.body as Buffer | undefined;
  }

  /** Aborted when the client leaves or has its answer. */
  get left() {
    if (this.#left === undefined) {
      const end = new AbortController();
      whenClosed(this.#reply, () => end.abort(apiError('service_unavailable', 'the client left')));
      this.#left = end.signal;
    }
    return this.#left;
  }

  becomeIdle() {
    this.slot?.giveBack();
    return this.left;
  }

  /** `http://host:port`, as the client knows the service. Throws 400 for an invalid Host. */
  get origin() {
    return (this.#origin ??= findOrigin(this.#reply.request.raw, this.#ofUrls));
  }

  checkHost() {
    this.#origin = this.origin;
  }

  get baseUrl() {
    return (this.#baseUrl ??= this.origin + this.place.prefix);
  }

  /** SHA-256 of the token; null without Authorization. Throws 401 if this header is malformed. */
  get tokenHash() {
    if (this.#tokenHash === undefined) this.#tokenHash = readTokenHash(this.#reply.request.headers.authorization);
    return this.#tokenHash;
  }

  findTokenHash() {
    return attempt(() => this.tokenHash) ?? null;
  }

  /** Lets the request act with a session's token. */
  actWith(tokenHash: Buffer) {
    this.#tokenHash = tokenHash;
  }
}

export interface Answer {
  readonly status: number;
  /** The body as JSON; null for none. */
  readonly json: string | null;
  /** A body in place of `json`; `headers` has its content type. */
  readonly content?: string | Buffer | Readable;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler<Params = unknown, Query = unknown> = (
  call: Call<Params, Query>,
  services: Services,
) => Promise<Answer>;

export const ok = (json: string): Answer => ({ status: 200, json });
export const noContent: Answer = { status: 204, json: null };

/** Throws 404 for a name that no sandbox can have. */
export function checkSandboxName({ sandbox }: Pick<Place, 'sandbox'>) {
  if (!isSandboxName(sandbox)) throw apiError('sandbox_not_found', sandbox.slice(0, 63));
}

/** Returns a function that sends a statement for the caller and the path's user, and throws refusals. */
const sendOn =
  (handleOf: (services: Services, sandbox: string) => Handle) =>
  async <P extends object, R extends AccessResult>(
    call: Call,
    services: Services,
    statement: (db: Handle, parameters: CallerParams & P) => Promise<readonly R[]>,
    parameters: P,
  ) => {
    const { tokenHash: hash, params, place } = call;
    const { anonymous } = services;
    const caller = callerOf(hash, params, { sandbox: place.sandbox, anonymous });
    const rows = await statement(handleOf(services, place.sandbox), { ...caller, ...parameters });
    return admitRow(rows, call, hash === null && anonymous === 'strict' ? hidden : {});
  };

const hidden = { 'x-understudy-hint': 'UNDERSTUDY_ANONYMOUS=strict hides users from requests without a token.' };

/** Reads on a shared connection: the statement must not write or wait for a lock. */
export const readAsCaller = sendOn(({ database }) => database.read);

/** Reads on the connection for subscription lists: no slow read delays them. */
export const listAsCaller = sendOn(({ database }) => database.lists);

const sendOnLane = sendOn(({ database }, sandbox) => database.act(sandbox));

/**
 * Writes on the sandbox's lane, after its earlier writes. A statement that finds nothing is sent again,
 * once: a reset that it waited for may have replaced the row by one that only later statements see.
 */
export const writeAsCaller: typeof sendOnLane = async (...sent) => {
  const row = await sendOnLane(...sent);
  return 'found' in row && row.found === null ? sendOnLane(...sent) : row;
};
