// Jobs over HTTP, each in a sandbox of its own. They use node:http, because fetch takes several times as much processor time, which the
// service on the same cores would lack.
import { Agent, request } from 'node:http';
import { free, type Place, seed } from './job.ts';

interface Sent {
  readonly token?: string;
  readonly body?: unknown;
}

export class Client implements Disposable {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #url: URL;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** Returns the body. @throws Error if the status isn't the expected one */
  ask(expected: number, method: string, path: string, { token, body }: Sent = {}): Promise<string> {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      ...(token === undefined ? {} : { authorization: `Token ${token}` }),
      ...(text === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    const { hostname, port } = this.#url;
    return new Promise((resolve, reject) => {
      const sent = request({ agent: this.#agent, hostname, port, method, path, headers }, (answer) => {
        let heard = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece: string) => (heard += piece));
        answer.once('error', reject);
        answer.once('end', () => {
          if (answer.statusCode === expected) resolve(heard);
          else reject(new Error(`${method} ${path} was answered ${answer.statusCode}: ${heard}`));
        });
      });
      sent.once('error', reject);
      sent.end(text);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

export async function makeSandbox(client: Client, name: string): Promise<Place> {
  const own = `/_understudy/sandboxes/${name}`;
  await client.ask(201, 'PUT', own, { body: { seed } });
  const path = (user: number, id?: number) =>
    `/sandboxes/${name}/api/users/user${user}/notifications/${id === undefined ? '' : `${id}/`}`;
  const tokenOf = (user: number): string => `bench_token_${user}`;
  return {
    list: async (user) => {
      const body = await client.ask(200, 'GET', path(user), { token: tokenOf(user) });
      // Reads only the first field. To parse whole lists would take processor time from the service.
      return Number(/^\{"count":(\d+),/.exec(body)?.[1]);
    },
    create: async (user) => {
      const body = { notification: free, scope: 10, frequency: 1 };
      const made = await client.ask(201, 'POST', path(user), { token: tokenOf(user), body });
      return (JSON.parse(made) as { id: number }).id;
    },
    change: (user, id) => client.ask(200, 'PATCH', path(user, id), { token: tokenOf(user), body: { frequency: 2 } }),
    remove: (user, id) => client.ask(204, 'DELETE', path(user, id), { token: tokenOf(user) }),
    drop: () => client.ask(204, 'DELETE', own),
  };
}
