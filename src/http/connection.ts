// A request's connection: when its response has ended, and how to close it if a body stays unread.
import type { FastifyReply, FastifyRequest } from 'fastify';

/** How a fault rule ends a connection: instead of an answer, or amid the answer. */
export const connectionFaults = ['close', 'cut'] as const;
export type ConnectionFault = (typeof connectionFaults)[number];

/** Calls `then` when the response is closed: at once if it already is, as after the client left. */
export function whenClosed({ raw, request }: FastifyReply, then: () => void) {
  const { socket } = request.raw;
  if (raw.closed || socket.destroyed) return then();
  if (raw.socket !== null) return void raw.once('close', then);
  // Under Node 22, a response that waits behind others isn't closed with its socket. Many
  // may listen to one socket.
  const end = () => {
    raw.off('close', end);
    socket.off('close', end);
    then();
  };
  raw.once('close', end);
  socket.setMaxListeners(0).once('close', end);
}

const lingerMs = 1000;

/**
 * Ends the connection of a client that still sends its body. First, the service only stops sending (RFC
 * 9112, section 9.6): if it closed both directions at once, the system would reset the connection, and the
 * client or a proxy could lose the answer.
 */
export function closeLater({ raw: { socket, complete }, headers }: FastifyRequest) {
  if (complete || !hasBody({ headers })) return;
  // Node calls this after the connection's last answer.
  socket.destroySoon = () => {
    socket.end();
    socket.pause();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };
}

export const hasBody = ({ headers }: Pick<FastifyRequest, 'headers'>) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Leaves a body unread. No request can follow it, so the connection closes after the answer. */
export function leaveBody(request: FastifyRequest, reply: FastifyReply) {
  if (!hasBody(request)) return;
  reply.raw.shouldKeepAlive = false;
  closeLater(request);
}
