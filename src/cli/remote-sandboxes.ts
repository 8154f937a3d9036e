// Sandboxes of a service far away, over its own API.
import { Readable } from 'node:stream';
import { ApiError, type ErrorLine } from '../errors.ts';
import { WrongUse } from './command.ts';
import type { Session } from './sandbox-session.ts';

export interface RemoteOptions {
  /** `http://127.0.0.1:8000` */
  readonly url: string;
  readonly adminToken: string | undefined;
  readonly signal: AbortSignal;
}

const json = (value: unknown) => ({ type: 'application/json', text: JSON.stringify(value) });
const read = async <T>(asking: Promise<string>): Promise<T> => JSON.parse(await asking) as T;
const at = (...parts: string[]) => parts.map((part) => `/${encodeURIComponent(part)}`).join('');

/** Refusals of the service become ApiErrors; where it gives no answer a WrongUse says so. */
export function remoteSandboxes({ url, adminToken, signal }: RemoteOptions): Session {
  const base = `${url.replace(/\/+$/, '')}/_understudy/sandboxes`;

  async function send(method: string, path: string, body?: { type: string; text: string }): Promise<Response> {
    const headers = {
      accept: '*/*',
      ...(adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` }),
      ...(body === undefined ? {} : { 'content-type': body.type }),
    };
    const answer = await fetch(base + path, { method, headers, signal, ...(body && { body: body.text }) }).catch(
      (error: unknown) => explain(error, 'is not reachable'),
    );
    if (!answer.ok) throw refusalOf(answer.status, await answer.text());
    return answer;
  }
  const ask = async (...request: Parameters<typeof send>) => (await send(...request)).text();

  async function* bodyOf({ body }: Response): AsyncGenerator<Uint8Array> {
    try {
      if (body !== null) yield* body;
    } catch (error) {
      explain(error, 'broke off its answer');
    }
  }

  function explain(error: unknown, what: string): never {
    if (signal.aborted) throw error;
    const { cause } = error as { cause?: unknown };
    const reason = cause instanceof Error ? cause.message || cause.name : String(error);
    throw new WrongUse(`${url} ${what} (${reason})`, { showUsage: false });
  }

  return {
    list: () => read(ask('GET', '')),
    get: (name) => read(ask('GET', at(name))),
    create(name, { seed, ...request }) {
      const body = json({ ...request, ...(seed === undefined ? {} : { seed: seed.text }) });
      return read(name === undefined ? ask('POST', '', body) : ask('PUT', at(name), body));
    },
    async remove(name) {
      await ask('DELETE', at(name));
    },
    async reset(name) {
      await ask('POST', at(name, 'reset'));
    },
    putSeed: (name, text) => read(ask('PUT', at(name, 'seed'), { type: 'application/yaml', text })),
    exportSeed: async (name, format) =>
      Readable.from(bodyOf(await send('GET', `${at(name, 'seed')}?format=${format}`)), {
        objectMode: false,
        encoding: 'utf8',
      }),
    async putSnapshot(name, snapshot) {
      await ask('PUT', at(name, 'snapshots', snapshot));
    },
    async restore(name, snapshot) {
      await ask('POST', at(name, 'snapshots', snapshot, 'restore'));
    },
    addToken: (name, username) => read(ask('POST', at(name, 'tokens'), json({ username }))),
  };
}

function refusalOf(status: number, text: string): Error {
  try {
    const { errors } = JSON.parse(text) as { errors: ErrorLine[] };
    return new ApiError(status, 'client_error', errors);
  } catch {
    return new WrongUse(`the server answered ${status}, and not as Understudy does`, { showUsage: false });
  }
}
