// `import`: reads a running server by its public API and writes what it holds as a seed.
import { basename, dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { disguise } from '../../import/disguise.ts';
import { draftSeed, writeSeed } from '../../import/build-seed.ts';
import { ImportError, makeClient } from '../../import/weblate-client.ts';
import { readServer } from '../../import/read-server.ts';
import { checkAlone, parseSeed } from '../../seed/read-files.ts';
import { firstFaults, formatFaults } from '../../seed/seed-faults.ts';
import { BaseUrlError, readBaseUrl } from '../../transcripts/placeholder.ts';
import { writeFiles } from '../../transcripts/write-files.ts';
import { type Command, type CommandIo, exits, runCommand, WrongUse } from '../command.ts';
import { startProgress } from '../progress.ts';

const usage = `Usage: understudy import --from URL [options]

Reads a running server by its public API (Weblate's, or ours) and writes a seed with its users, their subscriptions
and groups, and the projects and components that these name. People get made-up names and addresses.

  --from URL             the server; the URL may carry a path
  --token-env NAME       the environment variable that holds the token to read with; without it nobody's eyes
  --users NAME,…         only these users
  --out FILE             where the seed goes (standard output)
  --keep-personal-data   real names, e-mail addresses and profiles

The token is sent to that server alone, and never written anywhere. docs/import.md says what can't be read.

Exit: 0 written; 1 what was read makes no valid seed; 2 wrong usage or no usable answer; 130 Ctrl-C.`;

const options = {
  from: { type: 'string' },
  'token-env': { type: 'string' },
  users: { type: 'string' },
  out: { type: 'string' },
  'keep-personal-data': { type: 'boolean', default: false },
} as const;

export const importCommand: Command = {
  name: 'import',
  summary: 'read a running server and write what it holds as a seed',
  usage,
  run: (args, io) => runCommand({ name: 'import', usage }, args, io, () => run(args, io)),
};

async function run(args: string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({ args, options, strict: true });
  const baseUrl = readUrl(values.from);
  const token = readToken(values['token-env'], io);
  const usernames = values.users?.split(',').filter((name) => name !== '');
  if (usernames?.length === 0) throw new WrongUse('--users names nobody');
  const progress = startProgress(io.stderr);
  const say = (line: string) => {
    progress.clear();
    // Some of it is the server's words, which must not steer the terminal.
    io.stderr.write(`${line.replaceAll(/[^\P{Cc}\n]/gu, '?')}\n`);
  };
  try {
    progress.show('reading users', '');
    const client = makeClient({ baseUrl, token, signal: io.signal, say });
    const read = await readServer(client, {
      usernames,
      onProgress: (what, done, total) => progress.show(what, `${done}/${total}`),
    });
    const users = values['keep-personal-data'] ? read.users : read.users.map(disguise);
    const { document, leftOut } = draftSeed({ ...read, users });
    const text = writeSeed(document, baseUrl);
    const faults = check(text, values.out ?? 'the seed');
    if (faults.length > 0) {
      say(`${faults.join('\n')}\nNothing was written.`);
      return exits.no;
    }
    for (const what of read.unseen) say(`not to be seen with this token: ${what}`);
    for (const what of leftOut) say(`left out: ${what}`);
    io.signal.throwIfAborted();
    await write(text, values.out, io);
    say(`${users.length} users, ${users.reduce((sum, user) => sum + user.subscriptions.length, 0)} subscriptions read`);
    return exits.done;
  } catch (error) {
    if (error instanceof ImportError) throw new WrongUse(error.message, { showUsage: false });
    throw error;
  } finally {
    progress.clear();
  }
}

function readUrl(text: string | undefined): string {
  if (text === undefined) throw new WrongUse('--from must say which server');
  try {
    return readBaseUrl(text);
  } catch (error) {
    if (error instanceof BaseUrlError) throw new WrongUse(`--from: ${error.message}`);
    throw error;
  }
}

// From the environment alone: what stands on a command line can be read by everybody on the machine.
function readToken(name: string | undefined, { env }: CommandIo): string | undefined {
  if (name === undefined) return undefined;
  const token = env[name];
  if (token === undefined || token === '') throw new WrongUse(`--token-env: the variable ${name} is not set`);
  if (!/^[!-~]+$/u.test(token)) throw new WrongUse(`--token-env: what ${name} holds is no token`);
  return token;
}

function check(text: string, file: string): string[] {
  return formatFaults(firstFaults(checkAlone(parseSeed(text, file)).faults));
}

async function write(text: string, out: string | undefined, { stdout, signal }: CommandIo): Promise<void> {
  if (out === undefined) stdout.write(text);
  else await writeFiles(dirname(resolve(out)), new Map([[basename(out), text]]), signal);
}
