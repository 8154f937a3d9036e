// The sandboxes of a running service, over its own API.
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ApiError, type ErrorLine } from '../../errors.ts';
import type { ExportFormat } from '../../export/export-sandbox.ts';
import type { SeedSummary } from '../../load/apply.ts';
import type { SandboxRequest } from '../../sandboxes/sandbox-requests.ts';
import type { NewSandbox, Sandbox, SandboxDetail, UserToken } from '../../sandboxes/sandbox-schemas.ts';
import { CommandError } from '../failure.ts';
import { readSeed } from './load-seed.ts';

const json = (value: unknown) => ({ type: 'application/json', text: JSON.stringify(value) });
const at = (...parts: string[]) => parts.map((part) => `/${encodeURIComponent(part)}`).join('');

/**
 * Errors of the service become ApiErrors; without a response, and for one that isn't Understudy's, a CommandError is
 * thrown.
 * @param url `http://127.0.0.1:8000`
 */
export function remoteSandboxes(url: string, adminToken: string | undefined, signal: AbortSignal) {
  async function send(method: string, path: string, body?: { type: string; text: string }): Promise<Response> {
    const headers = new Headers(body && { 'content-type': body.type });
    if (adminToken !== undefined) headers.set('authorization', `Bearer ${adminToken}`);
    const request = { method, headers, signal, ...(body && { body: body.text }) };
    const response = await fetch(`${url}/_understudy/sandboxes${path}`, request).catch((error: unknown) =>
      explain(error, 'is not reachable'),
    );
    if (!response.ok) throw readError(response.status, await response.text());
    return response;
  }
  const read = async <T>(...request: Parameters<typeof send>): Promise<T> =>
    (await (await send(...request)).json()) as T;
  const act = async (...request: Parameters<typeof send>): Promise<void> =>
    void (await (await send(...request)).text());

  async function* bodyOf({ body }: Response): AsyncGenerator<Uint8Array> {
    try {
      if (body !== null) yield* body;
    } catch (error) {
      explain(error, 'closed the connection before the end of its response');
    }
  }

  function explain(error: unknown, what: string): never {
    if (signal.aborted) throw error;
    const { cause } = error as { cause?: unknown };
    const reason = cause instanceof Error ? cause.message || cause.name : String(error);
    throw new CommandError(`${url} ${what} (${reason})`);
  }

  return {
    list: () => read<Sandbox[]>('GET', ''),
    get: (name: string) => read<SandboxDetail>('GET', at(name)),
    create(name: string | undefined, { seed, ...request }: SandboxRequest) {
      const body = json({ ...request, ...(seed === undefined ? {} : { seed: seed.text }) });
      return name === undefined ? read<NewSandbox>('POST', '', body) : read<NewSandbox>('PUT', at(name), body);
    },
    remove: (name: string) => act('DELETE', at(name)),
    reset: (name: string) => act('POST', at(name, 'reset')),
    async putSeed(name: string, file: string) {
      // Checked here first, so that faults are reported with the file's name.
      await readSeed([file], true);
      const text = await readFile(file, 'utf8');
      return read<SeedSummary>('PUT', at(name, 'seed'), { type: 'application/yaml', text });
    },
    exportSeed: async (name: string, format: ExportFormat) =>
      Readable.from(bodyOf(await send('GET', `${at(name, 'seed')}?format=${format}`)), {
        objectMode: false,
        encoding: 'utf8',
      }),
    putSnapshot: (name: string, snapshot: string) => act('PUT', at(name, 'snapshots', snapshot)),
    restore: (name: string, snapshot: string) => act('POST', at(name, 'snapshots', snapshot, 'restore')),
    addToken: (name: string, username: string) => read<UserToken>('POST', at(name, 'tokens'), json({ username })),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function readError(status: number, text: string): Error {
  try {
    const { errors } = JSON.parse(text) as { errors: ErrorLine[] };
    return new ApiError(status, 'client_error', errors);
  } catch {
    return new CommandError(`the server returned ${status} in a form that is not Understudy's; check --url`);
  }
}
