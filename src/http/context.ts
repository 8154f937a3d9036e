// What the service knows about a request: one object for each, from its first hook on.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { attempt } from '../base/attempt.ts';
import { readTokenHash } from '../access/credentials.ts';
import { findPlace, type Place } from '../access/which-sandbox.ts';
import { type BaseUrlOptions, findOrigin } from './base-url.ts';
import type { Answer, Call, Visitor } from './call.ts';
import { type Negotiated, plainJson } from './wire/negotiate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext;
  }
}

export class RequestContext {
  readonly place: Place;
  /** As the client wrote it. */
  readonly contentType: string | undefined;
  /** Its share of the limits. A request that only waits gives it back for good. Undefined for rejected requests. */
  slot: { readonly take: () => boolean; readonly giveBack: () => void } | undefined = undefined;
  /** How answers are rendered, errors too. */
  negotiated: Negotiated = plainJson;
  /** Who is at the browser. Undefined if the answer is no page, or the database is unavailable. */
  visitor: Visitor | undefined = undefined;
  /** The call of the mirrored API, once it is made. */
  call: Call | undefined = undefined;
  /** What was sent; its error is the same in every rendering. */
  answer: Answer | undefined = undefined;
  /** The rule that applies; null for none. Undefined before the fault rules. */
  fault: { readonly name: string; readonly connection?: 'close' | 'cut' } | null | undefined = undefined;
  readonly #headers: FastifyRequest['headers'];
  readonly #ofUrls: BaseUrlOptions;
  #origin: string | undefined;
  #tokenHash: Buffer | null | undefined;

  constructor(request: FastifyRequest, ofUrls: BaseUrlOptions) {
    this.place = findPlace(request);
    this.contentType = (request.raw as KeptRequest)[given] ?? request.headers['content-type'];
    this.#headers = request.headers;
    this.#ofUrls = ofUrls;
  }

  /** `http://host:port`, as the client knows the service. Throws 400 for an invalid Host. */
  get origin(): string {
    return (this.#origin ??= findOrigin(this.#headers, this.#ofUrls));
  }

  /** The origin and the sandbox's prefix. Throws 400 for an invalid Host. */
  get baseUrl(): string {
    return this.origin + this.place.prefix;
  }

  /** SHA-256 of the token; null without a header. Throws 401 for a header without a token. */
  get tokenHash(): Buffer | null {
    if (this.#tokenHash === undefined) this.#tokenHash = readTokenHash(this.#headers.authorization);
    return this.#tokenHash;
  }

  /** The same; null for a header without a token too. */
  findTokenHash(): Buffer | null {
    return attempt(() => this.tokenHash) ?? null;
  }

  /** Lets the request act with the token of this hash: that of a browser's session. */
  actWith(tokenHash: Buffer): void {
    this.#tokenHash = tokenHash;
  }
}

/** To be called before all hooks that use the context. */
export function keepContexts(app: FastifyInstance, ofUrls: BaseUrlOptions): void {
  app.decorateRequest('context');
  app.addHook('onRequest', (request, _reply, done) => {
    request.context = new RequestContext(request, ofUrls);
    done();
  });
}

const given = Symbol('Content-Type');
type KeptRequest = IncomingMessage & { [given]?: string };

const token = "[!#$%&'*+.^`|~\\w-]+";
const mediaType = new RegExp(`^${token}/${token}[ \\t]*(?:;|$)`);

/**
 * Replaces a Content-Type that is no media type by one that Fastify accepts. To be called before the request is
 * routed: Fastify rejects it before any handler, Weblate only after it checked the permission, and not at all
 * without a body (transcript wire__content-type).
 */
export function hideOddContentType(request: KeptRequest): void {
  const type = request.headers['content-type'];
  // A request of method QUERY must have one for Fastify.
  if (type === undefined ? request.method !== 'QUERY' : mediaType.test(type)) return;
  request[given] = type ?? '';
  request.headers['content-type'] = 'application/octet-stream';
}
