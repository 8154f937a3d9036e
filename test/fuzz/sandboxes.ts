// The three sandboxes of a run, the ways to name them, and how they return to the generator's world.
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Received, send, type Target } from '../transcripts/engine/send-request.ts';
import type { TranscriptRequest } from '../transcripts/engine/transcript.ts';
import { seedPath, type World } from '../generator/world.ts';

export const sandboxes = ['default', 'one', 'two'] as const;
export const ways = ['token', 'prefix', 'header'] as const;

export interface Place {
  readonly sandbox: (typeof sandboxes)[number];
  readonly way: (typeof ways)[number];
}

export const own = '/_understudy/sandboxes';
/** A sandbox that requests create and delete beside the three. */
export const spare = 'spare';

export type Ground = Awaited<ReturnType<typeof createGround>>;

/** @param url of a service, whose other sandboxes stay as they are */
export async function createGround(url: string, world: World) {
  const seed = await readFile(seedPath, 'utf8');
  /** The tokens that were made with each sandbox, by username. */
  const made = new Map<string, Map<string, string>>(sandboxes.map((name) => [name, new Map()]));

  /** Under `one/tokens`, the id of the last added token; under `one/faults`, the key of the last added rule. */
  const added = new Map<string, string>();

  const call = (method: string, path: string, raw?: string) =>
    send(
      { method, path: own + path, ...(raw !== undefined && { raw, headers: { 'Content-Type': 'application/json' } }) },
      { baseUrl: url, tokens: new Map() },
    ).catch(() => undefined);

  /** Notes the tokens of a created sandbox, and the ids of added tokens and rules. */
  function learn({ method, path }: TranscriptRequest, { status, body }: Received): void {
    const name = path.slice(own.length + 1);
    if (method === 'POST' && status === 201 && /\/(?:tokens|faults)$/.test(name)) {
      const { token = '', key } = JSON.parse(body) as { token?: string; key?: string };
      added.set(name, key ?? hash('sha256', token).slice(0, 16));
    }
    const tokens = method === 'PUT' && status === 201 ? made.get(name) : undefined;
    if (tokens === undefined) return;
    tokens.clear();
    for (const { username, token } of (JSON.parse(body) as { users: { username: string; token: string }[] }).users)
      tokens.set(username, token);
  }

  async function restoreOne(name: string): Promise<void> {
    const path = name === 'default' ? '/default/seed' : `/${name}`;
    const filled = await call('PUT', path, name === 'default' ? seed : `{"seed":${seed}}`);
    if (filled?.status === 201) learn({ method: 'PUT', path: own + path }, filled);
    await call('DELETE', `/${name}/faults`);
  }

  async function listNames(): Promise<string[]> {
    const { status, body } = (await call('GET', '')) ?? {};
    try {
      return status === 200 ? (JSON.parse(body ?? '') as { name: string }[]).map(({ name }) => name) : [];
    } catch {
      return [];
    }
  }
  const kept: ReadonlySet<string> = new Set([...sandboxes, ...(await listNames())]);

  return {
    learn,
    /** Replaces `:token` by the id of an added token, and `:key` by the key of an added rule. */
    fill<R extends TranscriptRequest>(request: R): R {
      const path = request.path.replace(
        /([^/]+\/(?:tokens|faults))\/:(?:token|key)/,
        (_, of: string) => `${of}/${added.get(of) ?? 'none'}`,
      );
      return { ...request, path };
    },
    /** Fills the three sandboxes, and deletes those that requests created. Does nothing if UNDERSTUDY_ADMIN is off. */
    async restore(): Promise<void> {
      const strays = (await listNames()).filter((name) => !kept.has(name));
      await Promise.all(strays.map((name) => call('DELETE', `/${name}`)));
      await Promise.all(sandboxes.map(restoreOne));
    },
    targetOf(place: Place | undefined): Target {
      if (place === undefined || place.way !== 'token' || place.sandbox === 'default')
        return { baseUrl: url, tokens: world.tokens };
      const { sandbox } = place;
      const known = made.get(sandbox);
      const tokens = [...world.tokens.keys()].map(
        (name) => [name, known?.get(name) ?? `wlu_sandbox_${sandbox}_unknown`] as const,
      );
      return { baseUrl: url, tokens: new Map(tokens) };
    },
  };
}

export function address({ sandbox, way }: Place, request: TranscriptRequest): TranscriptRequest {
  if (way === 'prefix') return { ...request, path: `/sandboxes/${sandbox}${request.path}` };
  if (way === 'header') return { ...request, headers: { 'X-Understudy-Sandbox': sandbox, ...request.headers } };
  return request;
}
