// `token`: a token for a user, which chooses the user's sandbox by itself.
import { parseArgs } from 'node:util';
import { type Command, type CommandIo, runCommand, WrongUse } from '../command.ts';
import { sessionOptions, sessionUsage, withSandboxes } from '../sandbox-session.ts';

const usage = `Usage: understudy token USERNAME [options]

Makes a token for a user and prints it; it is shown this once. It chooses the sandbox by itself, for clients that can change neither
their base URL nor their headers, and it survives a reset for as long as the sandbox has a user of that name.

  --sandbox NAME        the user's sandbox (default)
${sessionUsage}

Exit: 0 done; 1 there is no such sandbox or user; 2 wrong usage or not reachable.`;

export const token: Command = {
  name: 'token',
  summary: 'make a token for a user',
  usage,
  run: (args, io) => runCommand({ name: 'token', usage }, args, io, () => run(args, io)),
};

async function run(args: string[], io: CommandIo): Promise<number> {
  const options = { ...sessionOptions, sandbox: { type: 'string', default: 'default' } } as const;
  const { values, positionals } = parseArgs({ args, options, strict: true, allowPositionals: true });
  const [username] = positionals;
  if (username === undefined || positionals.length > 1) throw new WrongUse('whose token? One username');
  return withSandboxes(values, io, async (sandboxes) => {
    io.stdout.write(`${(await sandboxes.addToken(values.sandbox, username)).token}\n`);
  });
}
