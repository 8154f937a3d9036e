// One client address may hold at most three quarters of the connections, so that a second address can always connect.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** How much of a total one client address may take. */
export const shareOf = (total: number): number => Math.max(1, Math.floor(total * 0.75));

/**
 * Not for a service behind proxies: all connections come from their addresses, and a proxy keeps idle ones open.
 *
 * Beyond its share an address loses its oldest connection that has not sent a request yet, or the new one if there is
 * none. So a client that only connects never locks out others, not even health checks from its own machine.
 */
export function shareConnections(server: Server, maxConnections: number): void {
  const share = shareOf(maxConnections);
  // An entry ends with the last connection of its address.
  const open = new Map<string, number>();
  const silent = new Set<Socket>();

  function dropOne(newest: Socket, address: string): void {
    let dropped = newest;
    for (const socket of silent)
      if (socket.remoteAddress === address) {
        dropped = socket;
        break;
      }
    silent.delete(dropped);
    dropped.destroy();
  }

  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket;
    // The client has disconnected already.
    if (address === undefined) return;
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      silent.delete(socket);
      const left = (open.get(address) as number) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    silent.add(socket);
    if (count > share) dropOne(socket, address);
  });
  server.on('request', ({ socket }: IncomingMessage) => void silent.delete(socket));
}
