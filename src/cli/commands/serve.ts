// bin/understudy serve: the service in the foreground, until it is told to end.
import { parseArgs } from 'node:util';
import { DatabaseError } from 'pg';
import {
  type Configuration,
  ConfigurationError,
  isLoopback,
  readConfiguration,
  variables,
} from '../../process/config.ts';
import { EmbeddedError } from '../../embedded-postgres/embedded.ts';
import { MigrationError } from '../../database/migrator.ts';
import { SettingsError } from '../../database/session-settings.ts';
import { SeedError } from '../../seed/seed-faults.ts';
import { type RunningServer, startServer, StartError } from '../../process/server.ts';
import { version } from '../../version.ts';
import { type Command, type CommandIo, exits, runCommand, WrongUse } from '../command.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'start the service',
  usage: `usage: understudy serve

Starts the service in the foreground. Ctrl-C or SIGTERM: what has come is answered, then it ends.

Environment:
${variables.map(({ name, default: value, description }) => `  ${name.padEnd(32)}${description}${value === '' ? '' : ` (${value})`}`).join('\n')}`,
  run: (args, io) =>
    runCommand(serve, args, io, async () => {
      parseArgs({ args, options: {}, strict: true });
      const say = (line: string) => void io.stderr.write(`${line}\n`);
      const running = await start(io, say);
      say(greeting(running));
      await untilAborted(io.signal);
      say('ending');
      await running.stop();
      return exits.done;
    }),
};

async function start({ env, signal }: CommandIo, say: (line: string) => void): Promise<RunningServer> {
  try {
    const configuration = readConfiguration(env);
    const running = await startServer({ configuration, signal, say });
    warnOfPublicTokens(configuration, running, say);
    return running;
  } catch (error) {
    throw isForPeople(error) ? new WrongUse(error.message, { showUsage: false }) : error;
  }
}

function warnOfPublicTokens(
  { UNDERSTUDY_HOST: host }: Configuration,
  { samples }: RunningServer,
  say: (line: string) => void,
): void {
  if (isLoopback(host) || samples.length === 0) return;
  say(
    `warning: the tokens of the sample users are public, a superuser's among them, and on ${host} other machines may reach this ` +
      'service; publish its port on 127.0.0.1 alone, or set UNDERSTUDY_SEED to a seed of your own',
  );
}

function isForPeople(error: unknown): error is Error {
  return [ConfigurationError, EmbeddedError, MigrationError, SeedError, SettingsError, StartError, DatabaseError].some(
    (type) => error instanceof type,
  );
}

function greeting({ url, database, samples }: RunningServer): string {
  const alice = samples.find(({ username }) => username === 'alice');
  const [user, token] = alice === undefined ? ['USERNAME', 'TOKEN'] : [alice.username, alice.token];
  const list = `${url}/api/users/${user}/notifications/`;
  return `Understudy ${version} on ${url}, data in ${database}\n\n  curl ${list}\n  curl -H 'Authorization: Token ${token}' ${list}\n`;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
