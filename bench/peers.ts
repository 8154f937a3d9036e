// The same list from our service as installed, from programs that give it as a fixed answer, and from a real Weblate if one runs:
// under load in turn, how long a start takes, and memory.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, assertSameAnswer } from './check.ts';
import type { BenchServer } from './databases.ts';
import { listTree, peakMegabytes, restMegabytes } from './memory.ts';
import type { Options } from './options.ts';
import { prepareOurs, preparePeers, type Program, request } from './peers/compared.ts';
import { fetchPackages } from './peers/fetch-packages.ts';
import { peers } from './peers/fixed-answers.ts';
import { compareReal, requestOfReal } from './peers/real-system.ts';
import { print, row, say, whole } from './report.ts';
import { median, type Result, type Subject, takeTurns } from './rounds.ts';

const restMs = 5000;
const unknown = '-';

/** A line of the table. */
interface Line {
  readonly name: string;
  /** Undefined for what answers nothing itself. */
  readonly subject?: Subject;
  readonly startMs?: number | undefined;
  /** Whose memory counts; undefined where the bench hasn't started it. */
  readonly pids?: () => readonly number[];
  restMegabytes?: number | undefined;
}

/** Needs `dist/`: npm run build. */
export async function benchPeers(_server: BenchServer, options: Options): Promise<void> {
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    await comparePeers(options, interrupt.signal);
  } catch (error) {
    // Ctrl-C ends the programs too, so that the error may be about one of them.
    throw interrupt.signal.aborted ? new Error('interrupted', { cause: error }) : error;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

async function comparePeers(options: Options, signal: AbortSignal): Promise<void> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'understudy-peers-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  // If root starts our PostgreSQL, it runs as another user, who needs access.
  await chmod(folder, 0o711);

  const ours = await prepareOurs(folder);
  const body = await answerOf(ours);
  const real = options.real === undefined ? undefined : subjectOf('real system', options.real, await requestOfReal());
  const note = real && (await compareReal(real, body));
  const packages = peers.map((peer) => `${peer.package}@${peer.version}`);
  say(`peers: fetching ${packages.join(', ')}`);
  await fetchPackages(folder, packages, signal);
  const programs = [ours, ...(await preparePeers(folder, body))];
  const starts = await timeStarts(programs, options.rounds, signal);

  const lines: Line[] = [];
  for (const program of programs) {
    const { url, pid } = undo.use(await program.start());
    const line = { name: program.name, subject: subjectOf(program.name, url), startMs: starts.get(program) };
    if (program === ours)
      lines.push(
        { ...line, pids: () => [pid] },
        { name: 'its PostgreSQL and watchdog', pids: () => listTree(pid).slice(1) },
      );
    else lines.push({ ...line, pids: () => listTree(pid) });
  }
  const subjects = lines.flatMap(({ subject }) => subject ?? []);
  await assertSameAnswer(
    subjects.map(({ url }) => url),
    request,
    200,
  );
  if (real !== undefined) {
    subjects.push(real);
    lines.push({ name: real.name, subject: real });
  }
  await sleep(restMs, undefined, { signal });
  for (const line of lines) line.restMegabytes = line.pids && restMegabytes(line.pids());
  const turns = { ...options, connections: options.connections ?? [1, 32], signal };
  await printLines(lines, turns.connections, await takeTurns('peers', subjects, turns));
  if (note !== undefined) print(`\n${note}`);
}

const subjectOf = (name: string, url: string, asked = request): Subject => ({
  name,
  url,
  // The load ends with requests under way. A slow program would answer them in the next one's turn.
  next: () => ({ requests: [asked], once: false, sent: () => ask(url, asked) }),
});

async function answerOf(program: Program): Promise<object> {
  await using running = await program.start();
  return (await ask(running.url, request)).body as object;
}

/** Medians, in milliseconds from the beginning of the process to the first right answer. */
async function timeStarts(programs: readonly Program[], rounds: number, signal: AbortSignal) {
  const tookMs = new Map<Program, number[]>(programs.map((program) => [program, []]));
  // The first isn't counted: the system reads all files for the first time.
  for (let round = 0; round <= rounds; round++) {
    say(`peers: starts, ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}`);
    for (const program of programs) {
      signal.throwIfAborted();
      const beganMs = performance.now();
      await using _running = await program.start();
      if (round > 0) tookMs.get(program)?.push(performance.now() - beganMs);
    }
  }
  return new Map([...tookMs].map(([program, all]) => [program, median(all)]));
}

async function printLines(lines: readonly Line[], connections: readonly number[], results: readonly Result[]) {
  const rates = connections.flatMap((count) => [`${count}: a second`, 'p50 ms', 'p99 ms', 'of understudy']);
  const head = ['program', 'bytes', ...rates, 'first answer ms', 'MB at rest', 'MB at most'];
  print(`\n**One list from several programs, at ${connections.join(' and ')} connections**\n`);
  print(row(head));
  print(row(head.map((_, i) => (i === 0 ? '---' : '---:'))));
  for (const { name, subject, startMs, pids, restMegabytes: rest } of lines) {
    const figures = connections.flatMap((count) =>
      figuresOf(
        subject,
        results.filter((result) => result.connections === count),
      ),
    );
    const most = pids && peakMegabytes(pids());
    const start = subject === undefined ? '' : startMs?.toFixed(0);
    const cells = [start, rest, most].map((cell) => String(cell ?? unknown));
    print(row([name, await sizeOf(subject), ...figures, ...cells]));
  }
}

function figuresOf(subject: Subject | undefined, [ours, ...others]: readonly Result[]): string[] {
  const result = [ours, ...others].find((one) => one?.subject === subject);
  if (result === undefined || ours === undefined) return Array(4).fill('') as string[];
  const ratio = result.perSecond / ours.perSecond;
  const shown = result === ours ? '' : ratio.toFixed(ratio < 0.1 ? 3 : 2);
  return [whole(result.perSecond), result.p50Ms.toFixed(2), result.p99Ms.toFixed(1), shown];
}

/** Bytes of the answer's body. */
async function sizeOf(subject: Subject | undefined): Promise<string> {
  const asked = subject?.next().requests[0];
  if (subject === undefined || asked === undefined) return '';
  const answer = await fetch(subject.url + asked.path, { headers: asked.headers });
  return whole((await answer.arrayBuffer()).byteLength);
}
