// The program: finds the command and runs it.
import { setImmediate } from 'node:timers/promises';
import { codeOf } from '../base/failure.ts';
import { didYouMean } from '../base/nearest.ts';
import { version } from '../base/version.ts';
import type { Command } from './command.ts';
import { exits, Interruption, OutputError } from './usage.ts';

// Commands are imported late: `seed --help` needn't load Fastify.
const commands: Record<string, () => Promise<{ command: Command }>> = {
  serve: () => import('./commands/serve.ts'),
  migrate: () => import('./commands/migrate.ts'),
  seed: () => import('./commands/seed.ts'),
  export: () => import('./commands/export.ts'),
  reset: () => import('./commands/reset.ts'),
  sandbox: () => import('./commands/sandbox.ts'),
  token: () => import('./commands/token.ts'),
  requests: () => import('./commands/requests-command.ts'),
  generate: () => import('./commands/generate.ts'),
  sql: () => import('./commands/sql.ts'),
  import: () => import('./commands/import.ts'),
};

async function main([name = '', ...args]: string[]) {
  const { stdout, stderr, env } = process;
  if (name === 'version' || name === '--version') {
    stdout.write(`${version}\n`);
    return exits.done;
  }
  const asksForHelp = name === 'help' || name === '--help' || name === '-h';
  if (asksForHelp && args.length === 0) {
    stdout.write(await describeCommands());
    return exits.done;
  }
  // `help sandbox create` is `sandbox create --help`.
  const [command = '', ...rest] = asksForHelp ? [...args, '--help'] : [name, ...args];
  const load = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (load !== undefined) {
    const { command: found } = await load();
    const interrupted = abortOnSignals();
    const signal = found.isService ? interrupted : AbortSignal.any([interrupted, output.signal]);
    return found.run(rest, { stdout, stderr, env, signal });
  }
  // Suggests a command even for an option: serve for --serve.
  const hint = didYouMean(command.replace(/^-+/, ''), [...Object.keys(commands), 'help', 'version']);
  const problem = command === '' ? 'missing command' : `unknown command "${command}"${hint}`;
  stderr.write(`weblate-understudy: ${problem}\n\n${await describeCommands()}`);
  return exits.wrong;
}

async function describeCommands() {
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  const lines = all.map(({ command }) => `  ${command.name.padEnd(10)}${command.summary}\n`);
  return (
    `Usage: weblate-understudy COMMAND [ARGUMENTS]\n\n${lines.join('')}\n` +
    'help COMMAND prints the options of a command; version prints the version.\n'
  );
}

// The first signal asks the command to end. The second one ends the process.
function abortOnSignals() {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(exits.interrupted);
      controller.abort(new Interruption('interrupted'));
    });
  return controller.signal;
}

const output = new AbortController();
process.stdout.on('error', (error) => {
  // A reader that closes the pipe, such as `| head`, wants no more: that is no error.
  output.abort(codeOf(error) === 'EPIPE' ? undefined : new OutputError(error.message, { cause: error }));
});
// A failure of standard error can't be reported anywhere.
process.stderr.on('error', () => undefined);
process.exitCode = await main(process.argv.slice(2));
// Commands report failed output themselves; help and version don't.
await setImmediate();
const { reason } = output.signal as { readonly reason: unknown };
if (process.exitCode === exits.done && reason instanceof OutputError) {
  process.stderr.write(`weblate-understudy: standard output can't be written: ${reason.message}\n`);
  process.exitCode = exits.no;
}
