// `record`: runs the requests of a folder of transcripts against a server and writes the same files with its answers.
import { parseArgs } from 'node:util';
import { formatScenario, record as recordScenarios } from '../../transcripts/record-exchanges.ts';
import { writeFiles } from '../../transcripts/write-files.ts';
import { exits, runCommand, WrongUse } from '../command.ts';
import type { Command, CommandIo } from '../command.ts';
import { openTranscriptSession, sessionOptions, sessionUsage, withServer } from '../transcript-session.ts';

const usage = `Usage: understudy record DIR --against URL --into DIR2 [options]

Runs the requests of the transcripts in DIR against a server and writes the same files into DIR2, with the answers
of that server. Tokens are left out: where one stood, {token:NAME} stands. To verify with what was written, name
the seed: understudy verify DIR2 --seed DIR/seed.json …

${sessionUsage}
  --into DIR2       where the files go; files of the same name are replaced, all of them at the end

Exit: 0 written, 2 wrong usage or the server is not reachable. Nothing is written unless every answer came.`;

export const record: Command = {
  name: 'record',
  summary: 'write transcripts anew, with the answers of another server',
  usage,
  run: (args, io) => runCommand({ name: 'record', usage }, args, io, () => run(args, io)),
};

async function run(args: string[], io: CommandIo): Promise<number> {
  const options = { ...sessionOptions, into: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args, options, strict: true, allowPositionals: true });
  const { into } = values;
  if (into === undefined) throw new WrongUse('--into must say where the files go');
  const session = await openTranscriptSession(values, positionals, io);
  let done = 0;
  const recorded = await withServer(session, () =>
    recordScenarios({
      ...session,
      signal: io.signal,
      onStep: ({ name }) => session.progress.show(name, `${++done}/${session.stepCount}`),
    }),
  );
  await writeFiles(into, new Map(recorded.map((scenario) => [scenario.file, formatScenario(scenario)])), io.signal);
  io.stderr.write(`${recorded.length} scenarios, ${done} steps written to ${into}\n`);
  return exits.done;
}
