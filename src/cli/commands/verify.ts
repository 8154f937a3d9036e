// `verify`: replays a folder of transcripts against any server and prints where it answers otherwise.
import { parseArgs } from 'node:util';
import { replay } from '../../transcripts/replay.ts';
import type { StepResult } from '../../transcripts/replay.ts';
import { describeStep, noDifferences } from '../../transcripts/transcript.ts';
import { exits, runCommand } from '../command.ts';
import type { Command, CommandIo } from '../command.ts';
import { openTranscriptSession, sessionOptions, sessionUsage, withServer } from '../transcript-session.ts';
import type { TranscriptSession } from '../transcript-session.ts';

const usage = `Usage: understudy verify DIR --against URL [options]

Replays the transcripts in DIR against a server and prints each difference as expected and received.

${sessionUsage}
  --exact           compare with what was recorded, without regard to differences.json

Exit: 0 no difference, 1 differences, 2 wrong usage or the server is not reachable.`;

/** Longest text of a value that is shown whole. */
const shownLength = 1_000;

export const verify: Command = {
  name: 'verify',
  summary: 'replay transcripts against a server and print each difference',
  usage,
  run: (args, io) => runCommand({ name: 'verify', usage }, args, io, () => run(args, io)),
};

async function run(args: string[], io: CommandIo): Promise<number> {
  const options = { ...sessionOptions, exact: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args, options, strict: true, allowPositionals: true });
  const session = await openTranscriptSession(values, positionals, io);
  const differences = values.exact ? noDifferences : session.differences;
  const count = { different: 0, skipped: 0, done: 0 };
  await withServer(session, async () => {
    for await (const result of replay({ ...session, differences, signal: io.signal })) {
      count.done++;
      session.progress.show(result.scenario, `${count.done}/${session.stepCount}`);
      if (result.skipped !== undefined && result.mismatches.length === 0) count.skipped++;
      if (result.mismatches.length === 0) continue;
      count.different++;
      session.progress.clear();
      io.stdout.write(format(result, session));
    }
  });
  const skipped = count.skipped === 0 ? '' : `, ${count.skipped} not compared`;
  const verdict = count.different === 0 ? 'no difference' : `${count.different} differ`;
  io.stdout.write(`${session.scenarios.length} scenarios, ${count.done} steps: ${verdict}${skipped}\n`);
  return count.different === 0 ? exits.done : exits.no;
}

function format({ scenario, step, request, mismatches }: StepResult, { redact }: TranscriptSession): string {
  const blocks = mismatches.map(
    ({ place, expected, received }) =>
      `  ${show(redact(place))}\n    expected ${show(redact(expected))}\n    received ${show(redact(received))}\n`,
  );
  return `${describeStep(scenario, step, request)}\n${blocks.join('')}`;
}

/** Shortened, and without control characters: a server's text must not steer the terminal. */
function show(text: string): string {
  const safe = text.replaceAll(
    /\p{Cc}/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return safe.length <= shownLength ? safe : `${safe.slice(0, shownLength)}… (${safe.length} characters)`;
}
