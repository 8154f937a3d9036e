// The command line: picks the command, gives it the process, and turns signals into one abort.
import { findNearest } from '../nearest.ts';
import { version } from '../version.ts';
import type { Command } from './command.ts';
import { exits } from './failure.ts';

// Imported when it is run: `seed --help` needn't load Fastify.
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  seed: async () => (await import('./commands/seed.ts')).seed,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  reset: async () => (await import('./commands/reset.ts')).reset,
  sandbox: async () => (await import('./commands/sandbox.ts')).sandbox,
  token: async () => (await import('./commands/token.ts')).token,
  generate: async () => (await import('./commands/generate.ts')).generate,
  import: async () => (await import('./commands/import.ts')).importCommand,
  verify: async () => (await import('./commands/verify.ts')).verify,
  record: async () => (await import('./commands/record.ts')).record,
};

async function main([name = '', ...args]: string[]): Promise<number> {
  const { stdout, stderr, env } = process;
  if (name === '--version') {
    stdout.write(`${version}\n`);
    return exits.done;
  }
  if (name === '--help' || name === '-h') {
    stdout.write(await describeCommands());
    return exits.done;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load !== undefined) return (await load()).run(args, { stdout, stderr, env, signal: abortOnSignals() });
  const nearest = findNearest(name, Object.keys(commands));
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  const fault = name === '' ? 'missing command' : `unknown command "${name}"${hint}`;
  stderr.write(`understudy: ${fault}\n\n${await describeCommands()}`);
  return exits.wrong;
}

async function describeCommands(): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  const lines = all.map((command) => `  ${command.name.padEnd(10)}${command.summary}\n`);
  return `Usage: understudy COMMAND [ARGUMENTS]\n\n${lines.join('')}\nRun understudy COMMAND --help for its options.\n`;
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
      controller.abort();
    });
  return controller.signal;
}

process.exitCode = await main(process.argv.slice(2));
