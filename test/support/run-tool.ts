// npm run verify, npm run record, npm run follow: one of these commands with the arguments of this process.
import { follow } from '../../follow/follow.ts';
import { record } from './record.ts';
import { verify } from './verify.ts';

const commands = { follow, record, verify };

const [name = '', ...args] = process.argv.slice(2);
const interrupt = new AbortController();
// A reader that closes its end, such as `| head`, ends the command too.
process.stdout.on('error', () => interrupt.abort());
process.once('SIGINT', () => interrupt.abort());
process.once('SIGTERM', () => interrupt.abort());

const { stdout, stderr, env } = process;
process.exitCode = await commands[name as keyof typeof commands].run(args, {
  stdout,
  stderr,
  env,
  signal: interrupt.signal,
});
