// npm run verify, npm run record: one of the two commands with the arguments of this process.
import { record } from './record.ts';
import { verify } from './verify.ts';

const [name, ...args] = process.argv.slice(2);
const interrupt = new AbortController();
// A reader that closes its end, such as `| head`, ends the command too.
process.stdout.on('error', () => interrupt.abort());
process.once('SIGINT', () => interrupt.abort());
process.once('SIGTERM', () => interrupt.abort());

const { stdout, stderr, env } = process;
process.exitCode = await (name === 'record' ? record : verify).run(args, {
  stdout,
  stderr,
  env,
  signal: interrupt.signal,
});
