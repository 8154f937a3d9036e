// `npm run verify`: replays recordings against any server, prints each difference, and sums them up.
import { plain } from '../../../src/service/process/log-output.ts';
import { type FoundDifference, formatClasses } from '../engine/classes.ts';
import { makeLeaveOutBaseUrl } from '../engine/placeholders.ts';
import { mapStrings } from '../engine/raw-json.ts';
import { replay, type StepResult } from '../engine/replay.ts';
import { noDifferences } from '../engine/transcript.ts';
import { Undo } from '../../../src/base/undo.ts';
import { defineCommand } from '../../../src/cli/command.ts';
import { exits } from '../../../src/cli/usage.ts';
import { openServer, openTranscriptSession, sessionOptions, sessionUsage } from './transcript-session.ts';

export const verify = defineCommand({
  name: 'verify',
  summary: 'replay the recordings against a server and print each difference',
  forms: ['npm run verify -- URL [options]'],
  about: `Replays the recordings against the server at URL and prints each difference as expected and received, and at the end
a table of what changed (Markdown): each class of differences with its values, the number of its steps, and the first step.

${sessionUsage}
  --exact           compare with what was recorded, without regard to differences.json
  --summary         print the table and the last line only`,
  exit: 'Exit: 0 no difference, 1 differences, 2 wrong usage or the server is unreachable.',
  options: { ...sessionOptions, exact: { type: 'boolean' }, summary: { type: 'boolean' } },
  operands: ['URL'],
  async run({ exact, summary, ...values }, [url = ''], context) {
    const { progress, signal, stdout } = context;
    await using owned = new Undo();
    const session = await openTranscriptSession(values, await openServer(url, owned, context), context);
    const differences = exact ? noDifferences : session.differences;
    const count = { different: 0, skipped: 0, done: 0 };
    const found: FoundDifference[] = [];
    for await (const result of replay({ ...session, differences, signal })) {
      count.done++;
      progress.show(result.scenario, `${count.done}/${session.stepCount}`);
      if (result.skipped !== undefined && result.mismatches.length === 0) count.skipped++;
      if (result.mismatches.length === 0) continue;
      count.different++;
      found.push(...listFound(result, session));
      const step = session.redact(`${result.scenario}: ${result.step}`);
      const mismatches = mapStrings(result.mismatches, session.redact);
      if (summary) continue;
      progress.clear();
      stdout.write(describeResult({ step, mismatches }));
    }
    progress.clear();
    if (found.length > 0) stdout.write(`${summary ? '' : '\n'}${formatClasses(found)}\n`);
    const skipped = count.skipped === 0 ? '' : `, ${count.skipped} not compared`;
    const verdict =
      count.different === 0 ? 'no difference' : `${count.different} ${count.different === 1 ? 'differs' : 'differ'}`;
    const scenarios = session.scenarios.length;
    stdout.write(`${scenarios} scenario${scenarios === 1 ? '' : 's'}, ${count.done} steps: ${verdict}${skipped}\n`);
    return count.different === 0 ? exits.done : exits.no;
  },
});

/** The differences of a step, without tokens and the server's URL. */
export function listFound(
  { scenario, step, request, mismatches }: StepResult,
  { baseUrl, redact }: { baseUrl: string; redact: (text: string) => string },
): FoundDifference[] {
  const leaveOutBaseUrl = makeLeaveOutBaseUrl(baseUrl);
  const shorten = (text: string) => leaveOutBaseUrl(redact(text));
  return mapStrings(mismatches, shorten).map((mismatch) => ({
    request,
    mismatch,
    step: redact(`${scenario}: ${step}`),
  }));
}

function describeResult({ step, mismatches }: Pick<StepResult, 'step' | 'mismatches'>): string {
  const blocks = mismatches.map(
    ({ place, expected, received }) =>
      `  ${show(place)}\n    expected ${show(expected)}\n    received ${show(received)}\n`,
  );
  return `${show(step)}\n${blocks.join('')}`;
}

const shownLength = 1_000;

/** Shortened, and without control characters: a server's text must not steer the terminal. */
function show(text: string): string {
  const safe = plain(text);
  return safe.length <= shownLength ? safe : `${safe.slice(0, shownLength)}… (${safe.length} characters)`;
}
