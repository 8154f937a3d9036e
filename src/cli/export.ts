// `export`: a sandbox as a seed that makes it again.
import { parseArgs } from 'node:util';
import { tokensNote } from '../seeding/export.ts';
import { type Command, type CommandIo, runCommand, WrongUse } from './command.ts';
import { sessionOptions, sessionUsage, withSandboxes } from './sandbox-session.ts';

const usage = `Usage: understudy export [NAME] [options] > seed.yaml

Prints a sandbox (default: \`default\`) as a seed: loaded with \`seed --replace\` it gives the same answers, ids and order included.
Tokens are stored as hashes and can't be exported; write them into the file, or make new ones with \`understudy token\`.

  --format yaml|json    (yaml)
${sessionUsage}

Exit: 0 done; 1 there is no such sandbox; 2 wrong usage or not reachable.`;

export const exportCommand: Command = {
  name: 'export',
  summary: 'print a sandbox as a seed',
  usage,
  run: (args, io) => runCommand({ name: 'export', usage }, args, io, () => run(args, io)),
};

async function run(args: string[], io: CommandIo): Promise<number> {
  const options = { ...sessionOptions, format: { type: 'string', default: 'yaml' } } as const;
  const { values, positionals } = parseArgs({ args, options, strict: true, allowPositionals: true });
  const [name = 'default', ...others] = positionals;
  if (others.length > 0) throw new WrongUse('one sandbox at a time');
  const { format } = values;
  if (format !== 'yaml' && format !== 'json') throw new WrongUse('--format is yaml or json');
  return withSandboxes(values, io, async (sandboxes) => {
    io.stdout.write(await sandboxes.exportSeed(name, format));
    io.stderr.write(`${tokensNote}\n`);
  });
}
