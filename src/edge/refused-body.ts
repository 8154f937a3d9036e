// A body beyond its limit, or of a request that is rejected, is refused while the client still sends it. If the service closed the connection then, the
// system would reset it, and the client, or a proxy between, could lose the response. So the service closes its own side
// alone, reads no more, and leaves the connection a moment later (RFC 9112, section 9.6).
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

const lingerMs = 1000;

/** To be called before the response, which is the last one of the connection. */
export function closeLater({ socket }: IncomingMessage): void {
  // Node calls it once the response is written.
  socket.destroySoon = () => {
    socket.end();
    socket.pause();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };
}

export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** For a request that is answered without reading its body, if it has one: no other can follow on its connection. */
export function leaveBody(request: FastifyRequest, reply: FastifyReply): void {
  if (!hasBody(request)) return;
  reply.raw.shouldKeepAlive = false;
  closeLater(request.raw);
}
