// The command line: picks the command, hands it the process, and turns signals into one abort.
import { version } from '../version.ts';
import type { Command } from './command.ts';
import { exits } from './command.ts';

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

async function main([name, ...args]: string[]): Promise<number> {
  if (name === '--version') {
    process.stdout.write(`${version}\n`);
    return exits.done;
  }
  const load = name === undefined || !Object.hasOwn(commands, name) ? undefined : commands[name];
  if (load === undefined) {
    const asked = name === '--help' || name === '-h';
    (asked ? process.stdout : process.stderr).write(`${await usage(name)}\n`);
    return asked ? exits.done : exits.wrong;
  }
  const { stdout, stderr, env } = process;
  return (await load()).run(args, { stdout, stderr, env, signal: abortOnSignals() });
}

async function usage(name: string | undefined): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  const lines = all.map((command) => `  ${command.name.padEnd(10)}${command.summary}`);
  const wrong = name === undefined || name.startsWith('-') ? '' : `understudy: there is no command ${name}\n\n`;
  return `${wrong}usage: understudy COMMAND [ARGUMENTS]\n\n${lines.join('\n')}\n\nunderstudy COMMAND --help says more.`;
}

// The first signal asks, the second one doesn't: whoever presses Ctrl-C twice wants out. The embedded PostgreSQL's watchdog ends
// that by itself then.
function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  // A reader that goes away, such as `| head`, ends the command too.
  process.stdout.on('error', () => controller.abort());
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(exits.interrupted);
      controller.abort();
    });
  return controller.signal;
}

process.exitCode = await main(process.argv.slice(2));
