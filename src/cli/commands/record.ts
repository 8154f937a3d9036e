// `record`: runs the requests of a folder of transcripts against a server and writes the same files with its answers.
import { formatScenario, record as recordScenarios } from '../../transcripts/record-exchanges.ts';
import { defineCommand } from '../command.ts';
import { UsageError } from '../failure.ts';
import { openTranscriptSession, sessionOptions, sessionUsage } from '../sessions/transcript-session.ts';
import { writeFiles } from '../write-files.ts';

export const record = defineCommand({
  name: 'record',
  summary: 'write transcripts anew, with the answers of another server',
  usage: `Usage: understudy record DIR --against URL --into DIR2 [options]

Runs the requests of the transcripts in DIR against a server and writes the same files into DIR2, with the answers
of that server. Tokens are left out: where one stood, {token:NAME} stands. To verify with what was written, name
the seed: understudy verify DIR2 --seed DIR/seed.json …

${sessionUsage}
  --into DIR2       where the files go; files of the same name are replaced, all of them at the end

Exit: 0 written, 2 wrong usage or the server is unreachable. Nothing is written unless every answer came.`,
  options: { ...sessionOptions, into: { type: 'string' } },
  operands: ['DIR'],
  async run({ into, ...values }, [folder = ''], context) {
    if (into === undefined) throw new UsageError('missing --into DIR2');
    const { note, progress, signal } = context;
    const session = await openTranscriptSession(values, folder, context);
    let done = 0;
    const recorded = await recordScenarios({
      ...session,
      signal,
      onStep: ({ name }) => progress.show(name, `${++done}/${session.stepCount}`),
    });
    await writeFiles(into, new Map(recorded.map((scenario) => [scenario.file, formatScenario(scenario)])), signal);
    note(`${recorded.length} scenarios, ${done} steps written to ${into}`);
  },
});
