// The programs that answer the same list: ours as installed, and the peers. Each has a port for the whole run.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { findFreePort } from '../../test/support/programs.ts';
import { ask } from '../check.ts';
import { launch, launchTemporary, type Running } from '../launch.ts';
import type { LoadRequest } from '../load.ts';
import { type Peer, peers } from './fixed-answers.ts';

/** The documented sample. */
export const request: LoadRequest = {
  method: 'GET',
  path: '/api/users/alice/notifications/',
  headers: { authorization: 'Token wlu_alice_public_sample_token_0000000000' },
};
const pollMs = 5;

export interface Program {
  readonly name: string;
  /** Resolves with the first answer of this body, or of any where it isn't known yet. */
  readonly start: (body?: object) => Promise<Running>;
}

/** The first start fills the cache in the folder. */
export async function prepareOurs(folder: string): Promise<Program> {
  const port = await findFreePort();
  const cache = join(folder, 'cache');
  await mkdir(cache, { mode: 0o755 });
  const settings = { PORT: String(port), XDG_CACHE_HOME: cache };
  return {
    name: 'understudy',
    start: (body) => launchTemporary(settings, { awaitUrl: (signal) => untilAnswered(port, body, signal) }),
  };
}

/** @param body of every answer */
export const preparePeers = (folder: string, body: object): Promise<Program[]> =>
  Promise.all(peers.map((peer) => preparePeer(folder, peer, body)));

async function preparePeer(folder: string, peer: Peer, body: object): Promise<Program> {
  const port = await findFreePort();
  const cwd = join(folder, peer.name);
  await mkdir(cwd);
  for (const [name, text] of Object.entries(peer.files({ path: request.path, body, port })))
    await writeFile(join(cwd, name), text);
  const args = [join(folder, 'node_modules', peer.package, peer.file), ...peer.args(port).split(' ')];
  const env = { NODE_ENV: 'production', HOME: folder };
  return {
    name: `${peer.name} ${peer.version}`,
    start: () => launch(process.execPath, args, env, { cwd, awaitUrl: (signal) => untilAnswered(port, body, signal) }),
  };
}

async function untilAnswered(port: number, body: object | undefined, signal: AbortSignal): Promise<string> {
  const url = `http://127.0.0.1:${port}`;
  while (!signal.aborted) {
    const answer = await ask(url, request).catch(() => undefined);
    if (answer?.status === 200 && (body === undefined || isDeepStrictEqual(answer.body, body))) return url;
    await sleep(pollMs);
  }
  throw new Error(`${url} was not awaited any longer`);
}
