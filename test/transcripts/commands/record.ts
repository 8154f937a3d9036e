// `npm run record`: sends the recorded requests to a server, and writes its answers to files of the same names.
import { join } from 'node:path';
import { formatScenario, record as recordScenarios } from '../engine/record-exchanges.ts';
import { Undo } from '../../../src/base/undo.ts';
import { defineCommand } from '../../../src/cli/command.ts';
import { UsageError } from '../../../src/cli/usage.ts';
import { openServer, openTranscriptSession, sessionOptions, sessionUsage } from './transcript-session.ts';
import { writeWhole } from '../../../src/cli/write-whole.ts';

export const record = defineCommand({
  name: 'record',
  summary: 'write the recordings again, with the answers of another server',
  forms: ['npm run record -- URL --into DIR [options]'],
  about: `Runs the requests of the recordings against the server at URL and writes the same files into DIR, with the answers
of that server. {token:NAME} replaces each token. To compare a server with the new files, name the recordings' seed:
npm run verify -- URL --recordings DIR --seed test/transcripts/data/seed.json

${sessionUsage}
  --into DIR        where the files go; files of the same name are replaced, all of them at the end`,
  exit: 'Exit: 0 written, 2 wrong usage or the server is unreachable. Nothing is written unless every answer came.',
  options: { ...sessionOptions, into: { type: 'string' } },
  operands: ['URL'],
  async run({ into, ...values }, [url = ''], context) {
    if (into === undefined) throw new UsageError('missing --into DIR');
    const { note, progress, signal } = context;
    await using owned = new Undo();
    const session = await openTranscriptSession(values, await openServer(url, owned, context), context);
    let done = 0;
    const recorded = await recordScenarios({
      ...session,
      signal,
      onStep: ({ name }) => progress.show(name, `${++done}/${session.stepCount}`),
    });
    for (const scenario of recorded) await writeWhole(join(into, scenario.file), formatScenario(scenario), signal);
    note(`${recorded.length} scenarios, ${done} steps written to ${into}`);
  },
});
