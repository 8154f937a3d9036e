// `reset`: puts a sandbox back to what it was made from.
import { parseArgs } from 'node:util';
import { type Command, type CommandIo, runCommand, WrongUse } from '../command.ts';
import { sessionOptions, sessionUsage, withSandboxes } from '../sandbox-session.ts';

const usage = `Usage: understudy reset [NAME] [options]

Puts a sandbox (default: \`default\`) back to what it was made from, ids and counters included: the seed that it was last filled with
as a whole. It is one atomic act, while the service runs or not. Seeds that were merged since are taken away again.

${sessionUsage}

Exit: 0 done; 1 there is no such sandbox, or nothing to reset it to; 2 wrong usage or not reachable.`;

export const reset: Command = {
  name: 'reset',
  summary: 'put a sandbox back to what it was made from',
  usage,
  run: (args, io) => runCommand({ name: 'reset', usage }, args, io, () => run(args, io)),
};

async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = parseArgs({ args, options: sessionOptions, strict: true, allowPositionals: true });
  const [name = 'default', ...others] = positionals;
  if (others.length > 0) throw new WrongUse('one sandbox at a time');
  return withSandboxes(values, io, async (sandboxes) => {
    await sandboxes.reset(name);
    io.stderr.write(`${name} is as it was made\n`);
  });
}
