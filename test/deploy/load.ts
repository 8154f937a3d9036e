// Clients that read and write without pause and record each answer.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { baseUrlOf } from '../../src/access/which-sandbox.ts';
import { getToken, listTokens } from '../transcripts/engine/placeholders.ts';
import { withClient } from '../support/setting.ts';
import type { Owner } from '../support/database.ts';
import { readSeed } from '../support/service.ts';

export interface Load {
  /** Answers by status; 0 counts requests without an answer. */
  readonly statuses: Map<number, number>;
  /** Descriptions of failed requests, for the test's message. */
  readonly faults: string[];
  /** Acknowledged entries with their last acknowledged frequency, by `sandbox id`. */
  readonly acknowledged: Map<string, number>;
  /** Resolves after the last answer. */
  stop(): Promise<void>;
}

interface LoadOptions {
  readonly users?: readonly string[];
  /** `default` stands for the API without a prefix. */
  readonly sandboxes?: readonly string[];
  /** Retries requests that got 503. Any other refusal is then a fault, such as that of a write that was already done. */
  readonly retries?: boolean;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const everyone = ['alice', 'bob', 'carol', 'dave', 'erin'];
// Less than Retry-After says, to save the test's time.
const retryMs = 25;

/** Two clients for each user of each sandbox: one reads the list; the other creates entries, changes them and deletes them. */
export async function startLoad(
  url: string,
  { users = everyone, sandboxes = ['default'], retries = false }: LoadOptions = {},
): Promise<Load> {
  const seed = await readSeed('documented');
  const tokens = listTokens(
    seed.users.map(({ username, tokens: [token] }) => ({ username, token: token?.text ?? null })),
  );
  const agent = new Agent({ keepAlive: true });
  const load = { statuses: new Map<number, number>(), faults: [] as string[], acknowledged: new Map<string, number>() };
  const state = { isOver: false };

  const askOnce = (
    as: string,
    method: string,
    path: string,
    json?: object,
  ): Promise<{ status: number; text: string }> =>
    new Promise((resolve) => {
      const finish = (status: number, text: string) => {
        load.statuses.set(status, (load.statuses.get(status) ?? 0) + 1);
        resolve({ status, text });
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

  async function ask(as: string, method: string, path: string, json?: object): Promise<Answer> {
    const { status, text } = await askOnce(as, method, path, json);
    if (retries && status === 503) {
      await sleep(retryMs);
      return ask(as, method, path, json);
    }
    if (status === 0 || status >= (retries ? 400 : 500))
      load.faults.push(`${method} ${path} ${status} ${text.slice(0, 200)}`);
    return { status, body: status >= 200 && status < 300 && text !== '' ? (JSON.parse(text) as unknown) : undefined };
  }

  async function read(as: string, path: string): Promise<void> {
    while (!state.isOver) await ask(as, 'GET', path);
  }

  async function write(as: string, path: string, sandbox: string): Promise<void> {
    while (!state.isOver) {
      const created = await ask(as, 'POST', path, { notification: 'LockNotification', scope: 20, frequency: 1 });
      if (created.status !== 201) continue;
      const { id } = created.body as { id: number };
      const key = `${sandbox} ${id}`;
      load.acknowledged.set(key, 1);
      const changed = await ask(as, 'PATCH', `${path}${id}/`, { frequency: 3 });
      if (changed.status === 200) load.acknowledged.set(key, 3);
      if (state.isOver) return;
      load.acknowledged.delete(key);
      await ask(as, 'DELETE', `${path}${id}/`);
    }
  }

  const running = Promise.all(
    sandboxes.flatMap((sandbox) =>
      users.flatMap((as) => {
        const path = `${baseUrlOf('', sandbox)}/api/users/${as}/notifications/`;
        return [read(as, path), write(as, path, sandbox)];
      }),
    ),
  );
  return {
    ...load,
    stop: async () => {
      state.isOver = true;
      await running;
      agent.destroy();
    },
  };
}

/** The frequencies of the entries that a database has, by `sandbox id`. */
export async function readEntries(t: Owner, databaseUrl: string): Promise<Map<string, number>> {
  const { rows } = await withClient(t, databaseUrl, (client) =>
    client.query<{ name: string; id: number; frequency: number }>(
      `select sandboxes.name, s.id, s.frequency from understudy.subscriptions s
       join understudy.sandboxes on sandboxes.id = s.sandbox_id`,
    ),
  );
  return new Map(rows.map(({ name, id, frequency }) => [`${name} ${id}`, frequency]));
}
