// Runs one of the commands of `npm run`: differential, follow, fuzz, record or verify, as the arguments say.
import type { Command } from '../../src/cli/command.ts';

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  differential: async () => (await import('../differential/differential.ts')).differential,
  follow: async () => (await import('../follow/follow.ts')).follow,
  fuzz: async () => (await import('../fuzz/fuzz-command.ts')).fuzzing,
  record: async () => (await import('../transcripts/commands/record.ts')).record,
  verify: async () => (await import('../transcripts/commands/verify.ts')).verify,
};

const [name = '', ...args] = process.argv.slice(2);
const interrupt = new AbortController();
const { signal } = interrupt;
// A reader that closes the pipe, such as `| head`, ends the command too.
process.stdout.on('error', () => interrupt.abort());
process.once('SIGINT', () => interrupt.abort());
process.once('SIGTERM', () => interrupt.abort());

const { stdout, stderr, env } = process;
process.exitCode = await (await commands[name]?.())?.run(args, { stdout, stderr, env, signal });
