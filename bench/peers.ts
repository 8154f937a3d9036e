// Measures one list from our built package, from programs that give the list as a fixed answer, and, with --real, from a real Weblate.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { readWorld } from '../test/generator/world.ts';
import { findFreePort } from '../test/support/programs.ts';
import { getToken } from '../test/transcripts/engine/placeholders.ts';
import { ask, assertSameAnswer } from './check.ts';
import type { BenchServer } from './databases.ts';
import { launch, launchTemporary, type Running } from './launch.ts';
import type { LoadRequest } from './load.ts';
import type { Options } from './options.ts';
import { fetchPackages } from './peers/fetch-packages.ts';
import { packageOf, type Peer, peers } from './peers/fixed-answers.ts';
import { printTable } from './report.ts';
import { type Subject, takeTurns } from './rounds.ts';

const pollMs = 5;
const requestBy = (token: string): LoadRequest => ({
  method: 'GET',
  path: '/api/users/alice/notifications/',
  headers: { authorization: `Token ${token}` },
});
const request = requestBy('wlu_alice_public_sample_token_0000000000');

/** Needs `dist/`: npm run build. */
export async function benchPeers(_server: BenchServer, options: Options): Promise<void> {
  const folder = await fetchPackages('peers', peers.map(packageOf));
  await using undo = new AsyncDisposableStack();
  const ours = undo.use(await launchTemporary({ XDG_CACHE_HOME: folder }));
  const body = (await ask(ours.url, request)).body as object;
  const subjects = [subjectOf('service', ours.url)];
  for (const peer of peers) {
    const { url } = undo.use(await launchPeer(folder, peer, body));
    subjects.push(subjectOf(`${peer.name} ${peer.version}`, url));
  }
  await assertSameAnswer(
    subjects.map(({ url }) => url),
    request,
    200,
  );
  if (options.real !== undefined) subjects.push(await subjectOfReal(options.real));
  printTable('One list from several programs', await takeTurns('peers', subjects, options, [1, 32]), subjects.slice(1));
}

const subjectOf = (name: string, url: string, asked = request): Subject => ({
  name,
  url,
  // Waits for one more answer. Otherwise a slow program would answer its last requests in the next program's turn.
  next: () => ({ requests: [asked], once: false, sent: () => ask(url, asked) }),
});

/** Not compared with our answer: this alice has the subscriptions of test/transcripts/data/seed.json. */
async function subjectOfReal(url: string): Promise<Subject> {
  const { tokens } = await readWorld();
  return subjectOf('real system', url, requestBy(getToken(tokens, 'alice')));
}

async function launchPeer(folder: string, peer: Peer, body: object): Promise<Running> {
  const port = await findFreePort();
  const cwd = join(folder, peer.name);
  await mkdir(cwd);
  for (const [name, text] of Object.entries(peer.files({ path: request.path, body, port })))
    await writeFile(join(cwd, name), text);
  const args = [join(folder, 'node_modules', peer.package, peer.file), ...peer.args(port).split(' ')];
  const awaitUrl = (signal: AbortSignal) => untilAnswered(port, body, signal);
  return await launch(process.execPath, args, { NODE_ENV: 'production', HOME: folder }, { cwd, awaitUrl });
}

async function untilAnswered(port: number, body: object, signal: AbortSignal): Promise<string> {
  const url = `http://127.0.0.1:${port}`;
  while (!signal.aborted) {
    const answer = await ask(url, request).catch(() => undefined);
    if (answer?.status === 200 && isDeepStrictEqual(answer.body, body)) return url;
    await sleep(pollMs);
  }
  throw new Error(`gave up waiting for ${url}`);
}
