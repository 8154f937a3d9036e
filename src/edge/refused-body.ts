// A body beyond its limit is refused while the client still sends it. If the service closed the connection then, the
// system would reset it, and the client, or a proxy between, could lose the response. So the service closes its own side
// alone, reads no more, and leaves the connection a moment later (RFC 9112, section 9.6).
import type { IncomingMessage } from 'node:http';

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
