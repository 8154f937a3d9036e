// A database that a test can cut off: its connections go through a port that closes.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createSeededDatabase } from './service.ts';
import type { Owner } from './database.ts';

export interface CutDatabase {
  /** To be given to `startService`. */
  readonly databaseUrl: string;
  /** From now on it is not reached any more. */
  cut(): void;
}

export async function createCutDatabase(t: Owner, seed: string): Promise<CutDatabase> {
  const url = new URL(await createSeededDatabase(t, seed));
  const [host, port] = [url.hostname, Number(url.port || 5432)];
  const sockets = new Set<Socket>();
  const server = createServer((inward) => {
    const outward = connect(port, host);
    for (const [from, to] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  t.teardown(cut);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { databaseUrl: url.href, cut };
}
