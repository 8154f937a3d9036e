// The end of a response: it was sent, or its client has disconnected.
import type { FastifyReply } from 'fastify';

/** Calls back once; at once for a response that is closed already, as after a look-up that its client didn't wait for. */
export function whenClosed({ raw, request }: FastifyReply, then: () => void): void {
  const { socket } = request.raw;
  if (raw.closed || socket.destroyed) return then();
  const end = () => {
    raw.off('close', end);
    socket.off('close', end);
    then();
  };
  raw.once('close', end);
  // Under Node 22 a response that waits behind others of its connection isn't closed with that connection. Clients may
  // send any number of requests at once.
  if (raw.socket === null) socket.setMaxListeners(0).once('close', end);
}
