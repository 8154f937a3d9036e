// The same list from our service as installed, from programs that give it as a fixed answer, and from a real Weblate if one runs:
// under load in turn, how long a start takes, and memory.
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, assertSameAnswer } from './check.ts';
import type { BenchServer } from './databases.ts';
import { listTree, restMegabytes } from './processes.ts';
import type { Options } from './options.ts';
import { prepareOurs, preparePeers, type Program, request } from './peers/compared.ts';
import { withPackages } from './peers/fetch-packages.ts';
import { packageOf, peers } from './peers/fixed-answers.ts';
import { compareReal, requestOfReal } from './peers/real-system.ts';
import { type Line, printLines } from './peers/table.ts';
import { print, say } from './report.ts';
import { median, type Subject, takeTurns } from './rounds.ts';

const restMs = 5000;

/** Needs `dist/`: npm run build. */
export const benchPeers = (_server: BenchServer, options: Options): Promise<void> =>
  withPackages('peers', peers.map(packageOf), (folder, signal) => comparePeers(options, folder, signal));

async function comparePeers(options: Options, folder: string, signal: AbortSignal): Promise<void> {
  await using undo = new AsyncDisposableStack();
  const ours = await prepareOurs(folder);
  const body = await answerOf(ours);
  const real = options.real === undefined ? undefined : subjectOf('real system', options.real, await requestOfReal());
  const note = real && (await compareReal(real, body));
  const programs = [ours, ...(await preparePeers(folder, body))];
  const starts = await timeStarts(programs, body, options.rounds, signal);

  const lines: Line[] = [];
  for (const program of programs) {
    const { url, pid } = undo.use(await program.start(body));
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
  await printLines(lines, await takeTurns('peers', subjects, { ...options, signal }, [1, 32]));
  print(`\nThe bodies are equal, the headers differ.${note === undefined ? '' : ` ${note}`}`);
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
async function timeStarts(programs: readonly Program[], body: object, rounds: number, signal: AbortSignal) {
  const tookMs = new Map<Program, number[]>(programs.map((program) => [program, []]));
  // The first isn't counted: the system reads all files for the first time.
  for (let round = 0; round <= rounds; round++) {
    say(`peers: starts, ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}`);
    for (const program of programs) {
      signal.throwIfAborted();
      const beganMs = performance.now();
      await using _running = await program.start(body);
      if (round > 0) tookMs.get(program)?.push(performance.now() - beganMs);
    }
  }
  return new Map([...tookMs].map(([program, all]) => [program, median(all)]));
}
