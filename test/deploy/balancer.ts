// The strictest possible balancer: it keeps connections open and retries a request elsewhere only if the connection was never
// established (refused, or reset while connecting), so that no server can have acted on it. Any other failure is a lost request,
// which the client sees as 502.
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import type { Owner } from '../support/database.ts';

export async function startBalancer(t: Owner, ports: readonly number[]): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 });
  let turn = 0;
  const server = createServer((incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const first = turn++;
      const send = (attempt: number): void => {
        const port = ports[(first + attempt) % ports.length];
        const outgoing = request(
          {
            agent,
            host: '127.0.0.1',
            port,
            method: incoming.method,
            path: incoming.url,
            headers: { ...incoming.headers, connection: 'keep-alive' },
          },
          (answered) => {
            const { connection: _, ...headers } = answered.headers;
            answer.writeHead(answered.statusCode ?? 500, headers);
            pipeline(answered, answer, () => undefined);
          },
        );
        outgoing.on('error', (error: NodeJS.ErrnoException) => {
          if (error.syscall === 'connect' && attempt + 1 < ports.length) send(attempt + 1);
          else if (answer.headersSent) answer.destroy();
          else answer.writeHead(502, { 'content-type': 'text/plain' }).end(String(error));
        });
        outgoing.end(body);
      };
      send(0);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
