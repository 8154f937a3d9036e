// Clients that read and write without pause and record each answer.
import { Agent, request } from 'node:http';
import { getToken, listTokens } from '../../src/transcripts/placeholders.ts';
import { readSeed } from '../support/service.ts';

export interface Load {
  /** Answers by status; 0 counts requests without an answer. */
  readonly statuses: Map<number, number>;
  /** Descriptions of failed requests, for the test's message. */
  readonly faults: string[];
  /** Acknowledged entries with their last acknowledged frequency. */
  readonly acknowledged: Map<number, number>;
  /** Resolves after the last answer. */
  stop(): Promise<void>;
}

const users = ['alice', 'bob', 'carol', 'dave', 'erin'];

/** Two clients for each user: one reads the list; the other creates entries, changes them and deletes every second one. */
export async function startLoad(url: string): Promise<Load> {
  const seed = await readSeed('documented');
  const tokens = listTokens(
    seed.users.map(({ username, tokens: [token] }) => ({ username, token: token?.text ?? null })),
  );
  const agent = new Agent({ keepAlive: true });
  const load = { statuses: new Map<number, number>(), faults: [] as string[], acknowledged: new Map<number, number>() };
  const state = { isOver: false };

  const ask = (as: string, method: string, path: string, json?: object): Promise<{ status: number; body: unknown }> =>
    new Promise((resolve) => {
      const finish = (status: number, text: string) => {
        load.statuses.set(status, (load.statuses.get(status) ?? 0) + 1);
        if (status === 0 || status >= 500) load.faults.push(`${method} ${status} ${text.slice(0, 200)}`);
        resolve({ status, body: status >= 200 && status < 300 && text !== '' ? JSON.parse(text) : undefined });
      };
      const bytes = json === undefined ? undefined : JSON.stringify(json);
      const headers = {
        authorization: `Token ${getToken(tokens, as)}`,
        ...(bytes === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }),
      };
      const outgoing = request(new URL(path, url), { agent, method, headers }, (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => (text += chunk));
        incoming.on('end', () => finish(incoming.statusCode ?? 0, text));
        incoming.on('error', (error) => finish(0, String(error)));
      });
      outgoing.on('error', (error) => finish(0, String(error)));
      outgoing.end(bytes);
    });

  async function read(as: string): Promise<void> {
    while (!state.isOver) await ask(as, 'GET', `/api/users/${as}/notifications/`);
  }

  async function write(as: string): Promise<void> {
    const path = `/api/users/${as}/notifications/`;
    for (let round = 0; !state.isOver; round++) {
      const created = await ask(as, 'POST', path, { notification: 'LockNotification', scope: 20, frequency: 1 });
      if (created.status !== 201) continue;
      const { id } = created.body as { id: number };
      load.acknowledged.set(id, 1);
      const changed = await ask(as, 'PATCH', `${path}${id}/`, { frequency: 3 });
      if (changed.status === 200) load.acknowledged.set(id, 3);
      if (state.isOver) return;
      load.acknowledged.delete(id);
      await ask(as, 'DELETE', `${path}${id}/`);
    }
  }

  const running = Promise.all(users.flatMap((as) => [read(as), write(as)]));
  return {
    ...load,
    stop: async () => {
      state.isOver = true;
      await running;
      agent.destroy();
    },
  };
}
