// `generate`: fills a sandbox with made-up users, as many as asked.
import { parseArgs } from 'node:util';
import { isUnavailable } from '../../database/sqlstates.ts';
import {
  generate as generateUsers,
  type Generated,
  GenerateError,
  mostSubscriptions,
} from '../../generate/generate-users.ts';
import { findSandboxId } from '../../load/queries.ts';
import { analyzeTables } from '../../load/write-queries.ts';
import { type Command, type CommandIo, exits, runCommand, WrongUse } from '../command.ts';
import { openForCommand } from '../open-database.ts';
import { showRate } from '../generate-progress.ts';
import { startProgress } from '../progress.ts';

const usage = `Usage: understudy generate --users N [options]

Fills a sandbox with made-up users, their projects, components, groups and subscriptions, while the service runs or
not, in one transaction: all of it or nothing. The database is DATABASE_URL, or the embedded one.

  --users N           how many users
  --subscriptions M   how many each of them has (10, at most ${mostSubscriptions})
  --seed TEXT         what the choices follow from: the same text gives the same data (1)
  --tokens            give each user the token wlu_generated_public_sample_<id in 12 digits>; everybody knows it
  --replace           empty the sandbox first; without it, what is there stays
  --sandbox NAME      the sandbox to fill (default)

Exit: 0 done; 1 it doesn't fit into the sandbox; 2 wrong usage or the database is not reachable; 130 Ctrl-C.`;

const options = {
  users: { type: 'string' },
  subscriptions: { type: 'string', default: '10' },
  seed: { type: 'string', default: '1' },
  tokens: { type: 'boolean', default: false },
  replace: { type: 'boolean', default: false },
  sandbox: { type: 'string', default: 'default' },
} as const;

export const generate: Command = {
  name: 'generate',
  summary: 'fill a sandbox with made-up users',
  usage,
  run: (args, io) => runCommand({ name: 'generate', usage }, args, io, () => run(args, io)),
};

async function run(args: string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({ args, options, strict: true });
  const { seed, tokens, replace } = values;
  const users = readCount('--users', values.users, 1, 100_000_000);
  const subscriptions = readCount('--subscriptions', values.subscriptions, 0, mostSubscriptions);
  const progress = startProgress(io.stderr);
  progress.show('opening the database', '');
  const { db, url, close } = await openForCommand(io);
  try {
    const sandboxId = await findSandboxId(db, values.sandbox);
    if (sandboxId === undefined) throw new WrongUse(`there is no sandbox ${values.sandbox}`, { showUsage: false });
    progress.show(replace ? 'emptying the sandbox' : 'preparing', '');
    const rate = showRate(progress);
    const { signal } = io;
    const wanted = { sandboxId, users, subscriptions, seed, tokens, replace, signal, onProgress: rate };
    const generated = await generateUsers(url, wanted);
    progress.show('gathering statistics', '');
    await analyzeTables(db);
    progress.clear();
    io.stdout.write(`${describe(generated).join('\n')}\n`);
    return exits.done;
  } catch (error) {
    progress.clear();
    if (error instanceof GenerateError) {
      io.stderr.write(`generate: ${error.message}\nNothing was written. --replace empties the sandbox first.\n`);
      return exits.no;
    }
    if (isUnavailable(error) && !io.signal.aborted)
      throw new WrongUse(error instanceof Error ? error.message : String(error), { showUsage: false });
    throw error;
  } finally {
    await close();
  }
}

function readCount(name: string, text: string | undefined, least: number, most: number): number {
  const count = /^\d{1,12}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (count >= least && count <= most) return count;
  throw new WrongUse(
    `${name} must be a whole number from ${least} to ${most}${text === undefined ? '' : `, not "${text}"`}`,
  );
}

const describe = (generated: Generated): string[] =>
  Object.entries(generated).flatMap(([table, count]) => (count === 0 ? [] : [`${table}: ${count} created`]));
