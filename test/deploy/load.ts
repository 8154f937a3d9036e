// Clients that read and write without pause and record each answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { baseUrlOf } from '../../src/access/which-sandbox.ts';
import type { Owner } from '../support/database.ts';
import { type Answered, openClient, readSeed } from '../support/service.ts';
import { withClient } from '../support/setting.ts';

export interface Load {
  /** Answers by status; 0 counts requests without an answer. */
  readonly statuses: Map<number, number>;
  /** Descriptions of failed requests, for the test's message. */
  readonly faults: string[];
  /** Acknowledged entries with their last acknowledged frequency. A key is sandbox and id: `default 7`. */
  readonly acknowledged: Map<string, number>;
  /** The pause before a client's next request; without a pause, the clients take the whole machine. */
  pauseMs: number;
  /** Resolves after the last answer. */
  stop(): Promise<void>;
}

interface LoadOptions {
  readonly users?: readonly string[];
  /** `default` stands for the API without a prefix. */
  readonly sandboxes?: readonly string[];
  /** If true, requests are repeated after a 503. Any other refusal is a fault, even 404 for such a DELETE. */
  readonly retries?: boolean;
}

const everyone = ['alice', 'bob', 'carol', 'dave', 'erin'];
// Less than Retry-After says, to save the test's time.
const retryMs = 25;

/** Two clients for each user of each sandbox: one reads the list, one makes, changes and deletes entries. */
export async function startLoad(
  t: Owner,
  url: string,
  { users = everyone, sandboxes = ['default'], retries = false }: LoadOptions = {},
): Promise<Load> {
  const client = openClient(t, url, await readSeed('documented'));
  const load = {
    statuses: new Map<number, number>(),
    faults: [] as string[],
    acknowledged: new Map<string, number>(),
    pauseMs: 0,
  };
  const state = { isOver: false };

  async function ask(
    as: string,
    method: string,
    path: string,
    json?: object,
  ): Promise<Pick<Answered, 'status' | 'json'>> {
    const answer = await client
      .request(method, path, { as, json })
      .catch((error: unknown) => ({ status: 0, text: String(error), json: undefined }));
    const { status, text } = answer;
    load.statuses.set(status, (load.statuses.get(status) ?? 0) + 1);
    if (load.pauseMs > 0) await sleep(load.pauseMs);
    if (retries && status === 503) {
      await sleep(retryMs);
      return ask(as, method, path, json);
    }
    if (status === 0 || status >= (retries ? 400 : 500))
      load.faults.push(`${method} ${path} ${status} ${text.slice(0, 200)}`);
    return answer;
  }

  async function read(as: string, path: string): Promise<void> {
    while (!state.isOver) await ask(as, 'GET', path);
  }

  async function write(as: string, path: string, sandbox: string): Promise<void> {
    while (!state.isOver) {
      const created = await ask(as, 'POST', path, { notification: 'LockNotification', scope: 20, frequency: 1 });
      if (created.status !== 201) continue;
      const { id } = created.json as { id: number };
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
  const stop = async () => {
    state.isOver = true;
    await running;
  };
  return Object.assign(load, { stop });
}

/** The frequencies of the entries that a database has. A key is sandbox and id: `default 7`. */
export async function readEntries(t: Owner, databaseUrl: string): Promise<Map<string, number>> {
  const { rows } = await withClient(t, databaseUrl, (client) =>
    client.query<{ name: string; id: number; frequency: number }>(
      `select sandboxes.name, s.id, s.frequency from understudy.subscriptions s
       join understudy.sandboxes on sandboxes.id = s.sandbox_id`,
    ),
  );
  return new Map(rows.map(({ name, id, frequency }) => [`${name} ${id}`, frequency]));
}
