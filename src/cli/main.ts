// The command line.
import { didYouMean } from '../base/nearest.ts';
import { version } from '../base/version.ts';
import type { Command } from './command.ts';
import { exits, Interruption } from './failure.ts';

// Imported when it is run: `seed --help` needn't load Fastify.
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  migrate: async () => (await import('./commands/migrate.ts')).migrate,
  seed: async () => (await import('./commands/seed.ts')).seed,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  reset: async () => (await import('./commands/reset.ts')).reset,
  sandbox: async () => (await import('./commands/sandbox.ts')).sandbox,
  token: async () => (await import('./commands/token.ts')).token,
  requests: async () => (await import('./commands/requests-command.ts')).requests,
  generate: async () => (await import('./commands/generate.ts')).generate,
  sql: async () => (await import('./commands/sql.ts')).sqlCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
};

async function main([name = '', ...args]: string[]): Promise<number> {
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
  // `help seed` is `seed --help`.
  const [command = '', rest] = asksForHelp ? [args[0], ['--help']] : [name, args];
  const load = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (load !== undefined) return (await load()).run(rest, { stdout, stderr, env, signal: abortOnSignals() });
  // An option that stands before its command is none that is misspelt.
  const hint = didYouMean(command.replace(/^-+/, ''), [...Object.keys(commands), 'help', 'version']);
  const problem = command === '' ? 'missing command' : `unknown command "${command}"${hint}`;
  stderr.write(`understudy: ${problem}\n\n${await describeCommands()}`);
  return exits.wrong;
}

async function describeCommands(): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  const lines = all.map((command) => `  ${command.name.padEnd(10)}${command.summary}\n`);
  return (
    `Usage: weblate-understudy COMMAND [ARGUMENTS]\n\n${lines.join('')}\n` +
    'Run weblate-understudy help COMMAND for its options, and weblate-understudy version for the version.\n'
  );
}

// The first signal asks the command to end, the second ends the process. The embedded PostgreSQL's watchdog then ends
// PostgreSQL.
function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  // A reader that closes its end, such as `| head`, ends the command too.
  process.stdout.on('error', () => controller.abort());
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(exits.interrupted);
      controller.abort(new Interruption('interrupted'));
    });
  return controller.signal;
}

process.exitCode = await main(process.argv.slice(2));
