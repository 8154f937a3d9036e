// `npm run follow` reports how the answers of a release of Weblate differ from those of the mirrored release.
import { once } from 'node:events';
import { mirrors } from '../../src/base/version.ts';
import { Undo } from '../../src/base/undo.ts';
import { type CommandContext, defineCommand } from '../../src/cli/command.ts';
import { exits, flag, readCount, UsageError, valued } from '../../src/cli/usage.ts';
import { leaveOutNow } from '../differential/compare.ts';
import { differ } from '../differential/differ.ts';
import { sandboxSide, startOwn } from '../differential/sides.ts';
import { declaredOperations } from '../generator/steps.ts';
import { readWorld } from '../generator/world.ts';
import { transcriptsFolder } from '../support/service.ts';
import { openTranscriptSession } from '../transcripts/commands/transcript-session.ts';
import { listFound } from '../transcripts/commands/verify.ts';
import { operationOf, toName } from '../transcripts/engine/classes.ts';
import type { Mismatch } from '../transcripts/engine/compare-json.ts';
import { replay } from '../transcripts/engine/replay.ts';
import { noDifferences, titleSteps } from '../transcripts/engine/transcript.ts';
import { listChanges, listMain, type Seen, seenByGenerator } from './changes.ts';
import { keepFindings } from './page.ts';
import { type Findings, formatReport } from './report.ts';
import { variables } from './weblate/machine.ts';
import { isRelease, openRelease, type Release } from './weblate/open-release.ts';

const options = {
  release: valued('NUMBER', 'the release, such as 2026.10.1'),
  steps: { ...valued('N', 'how many generated requests to send (default: 4000; 0 for none)'), default: '4000' },
  seed: { ...valued('N', 'the same seed makes the same requests (default: 1)'), default: '1' },
  page: flag('enter the release into docs/reference/releases.md'),
  serve: valued('PORT', 'only serve the release, with the data of seed.json, at http://localhost:PORT until Ctrl-C'),
};

export const follow = defineCommand({
  name: 'follow',
  summary: 'find the answers of a release of Weblate that differ from those of the mirrored release',
  forms: ['npm run follow -- --release NUMBER [options]'],
  about: `Installs the release from PyPI beside other releases, fills it with the data of seed.json, replays all recordings,
sends generated requests, and prints what changed, by operation (Markdown).`,
  more: `Variables of the environment, and their defaults:
${Object.entries(variables)
  .map(([name, value]) => `  ${name.padEnd(16)}  ${value}`)
  .join('\n')}`,
  exit: 'Exit: 0 nothing changed, 1 changes, 2 wrong usage or the machine lacks something, 130 Ctrl-C.',
  options,
  async run({ release, steps, seed, page, serve }, _operands, context) {
    if (release === undefined) throw new UsageError('missing --release NUMBER');
    if (!isRelease(release)) throw new UsageError(`--release ${release} is no number of a release`);
    const numbers = { steps: readCount('--steps', steps, 0), seed: readCount('--seed', seed, 0) };
    await using owned = new Undo();
    if (serve !== undefined) {
      await serveRelease(release, readCount('--serve', serve, 1, 65_535), owned, context);
      return exits.done;
    }
    const findings = await compareRelease(release, numbers, owned, context);
    context.progress.clear();
    context.stdout.write(formatReport(findings));
    if (page) await keepFindings(findings);
    return findings.changes.length === 0 ? exits.done : exits.no;
  },
});

async function serveRelease(release: string, port: number, owned: Undo, context: CommandContext): Promise<void> {
  const { side, restart } = await openRelease({ release, world: await readWorld(), port }, owned, context);
  await restart();
  context.note(`Weblate ${release} on ${side.baseUrl}; Ctrl-C ends it`);
  await once(context.signal, 'abort');
}

/** Sends the recordings one after the other, and then the generated requests. */
async function compareRelease(
  release: string,
  { steps, seed }: { steps: number; seed: number },
  owned: Undo,
  context: CommandContext,
): Promise<Findings> {
  const weblate = await openRelease({ release, world: await readWorld() }, owned, context);
  const session = await openTranscriptSession({ recordings: transcriptsFolder }, weblate, context);
  const replayed = await replayAll(session, context);
  const generated = steps === 0 ? undefined : await generate(weblate, { steps, seed }, owned, context);
  const compared = { ...replayed.compared };
  for (const [operation, times] of Object.entries(generated?.compared ?? {}))
    compared[operation] = (compared[operation] ?? 0) + times;
  const fromGenerator = generated ? seenByGenerator(generated.report, titleOf, session.redact) : [];
  return {
    release,
    mirrored: mirrors.replace('Weblate ', ''),
    recorded: session.stepCount,
    generated: generated?.report.steps ?? 0,
    notes: weblate.notes,
    compared,
    changes: listChanges([...replayed.seen, ...fromGenerator]),
  };
}

type Session = Awaited<ReturnType<typeof openTranscriptSession>>;

async function replayAll(session: Session, { progress, signal }: CommandContext) {
  const seen: Seen[] = [];
  const compared: Record<string, number> = {};
  let done = 0;
  let left: string | undefined;
  for await (const result of replay({ ...session, differences: noDifferences, signal })) {
    const { scenario, step, request, mismatches } = result;
    progress.show(`replaying ${scenario}`, `${++done}/${session.stepCount}`);
    // A write by only one of the two releases makes further steps differ too.
    if (scenario === left) continue;
    if (mismatches.some((one) => leavesOther(request.method, one))) left = scenario;
    const operation = operationOf(request);
    compared[operation] = (compared[operation] ?? 0) + 1;
    const title = session.redact(step);
    const found = listFound(result, session)
      .filter(({ mismatch: { expected, received } }) => leaveOutNow(expected) !== leaveOutNow(received))
      .map(({ mismatch }) => ({ request, mismatch, title, scenario }));
    seen.push(...listMain(found));
  }
  return { seen, compared };
}

/** Sends requests to the release and to a service of our own, which stands for the mirrored release. */
async function generate(
  { side, restart }: Release,
  { steps, seed }: { steps: number; seed: number },
  owned: Undo,
  { progress, signal }: CommandContext,
) {
  const world = await readWorld();
  const own = await startOwn(owned, { UNDERSTUDY_ANONYMOUS: 'strict' });
  const sides = { world, theirs: side, ours: await sandboxSide(own.url, 'subject') };
  await restart();
  const onStep = ({ steps: done }: { steps: number }) =>
    progress.show(`sending generated requests, ${Math.floor((10 * done) / steps)}0 %`, `${done}/${steps}`);
  const report = await differ({ sides, seed, steps, signal, onStep });
  signal.throwIfAborted();
  const counted = declaredOperations.map((operation) => [toName(operation), report.seen.get(operation)] as const);
  const compared = counted.flatMap(([name, times]) => (times === undefined ? [] : [[name, times] as const]));
  return { report, compared: Object.fromEntries(compared) };
}

const leavesOther = (method: string, { place, expected, received }: Mismatch): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(method) &&
  place === 'status' &&
  expected.startsWith('2') !== received.startsWith('2');

/** The title that a recorded step with this request would have. */
const titleOf = (request: Seen['request']): string =>
  titleSteps([{ request, response: { status: 200, headers: {}, body: null } }])[0]?.title ?? '';
