// A proxy that can cut, refuse, stall and slow connections. Its address stays when the server moves.
import { type AddressInfo, createServer, connect, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { Owner } from './database.ts';

export type Target = NetConnectOpts;

export interface Proxy {
  readonly port: number;
  /** How many connections have come so far. */
  readonly accepted: number;
  /** Sets the target of new connections. */
  aim(target: Target): void;
  /** Ends all connections. */
  cut(): void;
  /** Ends all connections and takes no new ones until `accept`. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  /** Connections stay open, and nothing passes until `resume`. */
  stall(): void;
  resume(): void;
  /** How many answers are still to be lost: when such an answer arrives, its connection is cut. */
  answersToLose: number;
  /** The delay of the server's answers. */
  delayMs: number;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

export async function startProxy(t: Owner, firstTarget: Target): Promise<Proxy> {
  let target = firstTarget;
  let server: Server | undefined;
  let port = 0;
  let accepted = 0;
  let stalled = false;
  const pairs = new Set<Pair>();

  function join(near: Socket): void {
    accepted++;
    const far = connect({ ...target, noDelay: true } as Target);
    near.setNoDelay(true);
    const pair = { near, far };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
    near.on('data', (chunk) => far.write(chunk));
    far.on('data', (chunk) => {
      if (proxy.answersToLose > 0) {
        proxy.answersToLose--;
        end();
      } else if (proxy.delayMs === 0) near.write(chunk);
      else setTimeout(() => near.write(chunk), proxy.delayMs);
    });
    if (stalled) pause(pair);
  }

  const pause = ({ near, far }: Pair) => void [near.pause(), far.pause()];

  async function listen(): Promise<void> {
    server = createServer(join).listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  }

  function cut(): void {
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
    pairs.clear();
  }

  async function refuse(): Promise<void> {
    const closed = server && once(server, 'close');
    server?.close();
    server = undefined;
    cut();
    await closed;
  }

  await listen();
  t.teardown(() => refuse());
  const proxy: Proxy = {
    get port() {
      return port;
    },
    get accepted() {
      return accepted;
    },
    aim: (to) => void (target = to),
    cut,
    refuse,
    accept: async () => {
      if (server === undefined) await listen();
    },
    stall: () => {
      stalled = true;
      for (const pair of pairs) pause(pair);
    },
    resume: () => {
      stalled = false;
      for (const { near, far } of pairs) {
        near.resume();
        far.resume();
      }
    },
    answersToLose: 0,
    delayMs: 0,
  };
  return proxy;
}
