// `verify`: replays a folder of transcripts against any server and prints where its answers differ.
import { plain } from '../../process/pretty-log.ts';
import { replay, type StepResult } from '../../transcripts/replay.ts';
import { describeStep, noDifferences } from '../../transcripts/transcript.ts';
import { defineCommand } from '../command.ts';
import { exits } from '../failure.ts';
import { openTranscriptSession, sessionOptions, sessionUsage } from '../sessions/transcript-session.ts';

export const verify = defineCommand({
  name: 'verify',
  summary: 'replay transcripts against a server and print each difference',
  usage: `Usage: understudy verify DIR --against URL [options]

Replays the transcripts in DIR against a server and prints each difference as expected and received.

${sessionUsage}
  --exact           compare with what was recorded, without regard to differences.json

Exit: 0 no difference, 1 differences, 2 wrong usage or the server is unreachable.`,
  options: { ...sessionOptions, exact: { type: 'boolean' } },
  operands: ['DIR'],
  async run({ exact, ...values }, [folder = ''], context) {
    const { progress, signal, stdout } = context;
    const session = await openTranscriptSession(values, folder, context);
    const differences = exact ? noDifferences : session.differences;
    const count = { different: 0, skipped: 0, done: 0 };
    for await (const result of replay({ ...session, differences, signal })) {
      count.done++;
      progress.show(result.scenario, `${count.done}/${session.stepCount}`);
      if (result.skipped !== undefined && result.mismatches.length === 0) count.skipped++;
      if (result.mismatches.length === 0) continue;
      count.different++;
      progress.clear();
      stdout.write(describeResult(result, session.redact));
    }
    progress.clear();
    const skipped = count.skipped === 0 ? '' : `, ${count.skipped} not compared`;
    const verdict = count.different === 0 ? 'no difference' : `${count.different} differ`;
    stdout.write(`${session.scenarios.length} scenarios, ${count.done} steps: ${verdict}${skipped}\n`);
    return count.different === 0 ? exits.done : exits.no;
  },
});

function describeResult({ scenario, step, request, mismatches }: StepResult, redact: (text: string) => string): string {
  const blocks = mismatches.map(
    ({ place, expected, received }) =>
      `  ${show(redact(place))}\n    expected ${show(redact(expected))}\n    received ${show(redact(received))}\n`,
  );
  return `${describeStep(scenario, step, request)}\n${blocks.join('')}`;
}

/** Longest text of a value that is shown whole. */
const shownLength = 1_000;

/** Shortened, and without control characters: a server's text must not steer the terminal. */
function show(text: string): string {
  const safe = plain(text);
  return safe.length <= shownLength ? safe : `${safe.slice(0, shownLength)}… (${safe.length} characters)`;
}
