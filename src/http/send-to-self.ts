// Requests that the service sends to itself for a visitor of its pages. They come on a connection within the
// process, by which the service knows them: nothing that a client sends can claim to be one.
import { request as send, type Server } from 'node:http';
import { duplexPair } from 'node:stream';

/** What the service knows of a request of its own. */
export interface SelfSent {
  /** As the visitor knows the service. */
  readonly origin: string;
  /** The visitor's, for rate limits. */
  readonly address: string;
  /** SHA-256 of the token that it acts with; null for none. */
  readonly tokenHash: Buffer | null;
  /** Where the journal has the exchange, once it is there. */
  entry?: { readonly sandbox: string; readonly number: number };
}

interface OwnRequest {
  readonly method: string;
  /** With the query. It is sent as it is. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const bySocket = new WeakMap<object, SelfSent>();

export const findSelfSent = (socket: object): SelfSent | undefined => bySocket.get(socket);

export type SendToSelf = ReturnType<typeof createSelfSender>;

/** The promise resolves once the answer has ended, or the connection broke, as an injected fault may have it. */
export const createSelfSender =
  (server: Server) =>
  async ({ method, path, headers, body }: OwnRequest, sent: SelfSent): Promise<void> => {
    const [client, own] = duplexPair();
    bySocket.set(Object.assign(own, { remoteAddress: sent.address }), sent);
    server.emit('connection', own);
    const ofBody = body !== null && { 'content-length': Buffer.byteLength(body) };
    const all = { ...headers, ...ofBody, host: new URL(sent.origin).host, connection: 'close' };
    const { promise, resolve } = Promise.withResolvers<void>();
    send({ createConnection: () => client, method, path, headers: all })
      .once('response', (answer) => answer.once('error', resolve).once('close', resolve).resume())
      .once('error', resolve)
      .end(body ?? undefined);
    await promise;
    client.destroy();
    own.destroy();
  };
