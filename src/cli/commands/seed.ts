// `seed`: loads files into a sandbox, or only checks them.
import { basename, extname } from 'node:path';
import { parseArgs } from 'node:util';
import { isUnavailable } from '../../database/sqlstates.ts';
import { applySeed } from '../../load/apply.ts';
import { checkAlone, type ReadSeeds, readSeedFiles } from '../../seed/read-files.ts';
import { findSandboxId } from '../../load/queries.ts';
import { type FirstFaults, firstFaults, formatFaults, SeedError } from '../../seed/seed-faults.ts';
import { describeSummary, hasChanges } from '../../load/summary.ts';
import { analyzeTables } from '../../load/write-queries.ts';
import { type Command, type CommandIo, exits, runCommand, WrongUse } from '../command.ts';
import { openForCommand } from '../open-database.ts';
import { startProgress } from '../progress.ts';
import { whileWatching } from '../watch.ts';

const usage = `Usage: understudy seed FILE... [options]

Loads seeds (YAML or JSON, docs/seeds.md) while the service runs or not, in one transaction: all of it or nothing.
Several files are combined in order. The database is DATABASE_URL, or the embedded one.

  --replace         leave exactly what the seed says; without it, what is there stays
  --sandbox NAME    the sandbox to load into (default)
  --check           load nothing, only say what is wrong; needs no database
  --watch           again at each change of a file, until Ctrl-C; where there are faults, what was loaded stays

Exit: 0 loaded, or nothing wrong; 1 the seed has faults; 2 wrong usage or the database is not reachable.`;

const options = {
  replace: { type: 'boolean', default: false },
  sandbox: { type: 'string', default: 'default' },
  check: { type: 'boolean', default: false },
  watch: { type: 'boolean', default: false },
} as const;

export const seed: Command = {
  name: 'seed',
  summary: 'load a seed into a sandbox, or check it',
  usage,
  run: (args, io) => runCommand({ name: 'seed', usage }, args, io, () => run(args, io)),
};

interface Wanted {
  readonly sandbox: string;
  readonly replace: boolean;
  readonly check: boolean;
}

async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals: files } = parseArgs({ args, options, strict: true, allowPositionals: true });
  if (files.length === 0) throw new WrongUse('which file?');
  return values.watch ? await loadAtEachChange(files, values, io) : await loadOnce(files, values, io);
}

async function loadOnce(files: readonly string[], wanted: Wanted, io: CommandIo): Promise<number> {
  const read = await readFiles(files);
  // A merge may refer to what the sandbox has, so its faults are known only there.
  const { faults } = wanted.check || wanted.replace ? checkAlone(read) : { faults: [] };
  if (faults.length > 0) return refuse(io, firstFaults(faults));
  if (wanted.check) {
    io.stdout.write(`${files.join(', ')}: nothing wrong\n`);
    return exits.done;
  }
  return await load(files, read, wanted, io);
}

async function loadAtEachChange(files: readonly string[], wanted: Wanted, io: CommandIo): Promise<number> {
  await whileWatching({ files, signal: io.signal }, async () => {
    try {
      await loadOnce(files, wanted, io);
    } catch (error) {
      if (io.signal.aborted) return;
      // A file that is away for a moment, or a database that starts again: the next change may find it.
      if (!(error instanceof WrongUse)) throw error;
      io.stderr.write(`seed: ${error.message}\n`);
    }
    if (!io.signal.aborted) io.stderr.write(`watching ${files.join(', ')}; Ctrl-C ends it\n`);
  });
  return exits.interrupted;
}

async function readFiles(files: readonly string[]): Promise<ReadSeeds> {
  try {
    return await readSeedFiles(files);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new WrongUse(`a file can't be read: ${error.message}`, { showUsage: false });
  }
}

async function load(
  files: readonly string[],
  read: ReadSeeds,
  { sandbox, replace }: Wanted,
  io: CommandIo,
): Promise<number> {
  const progress = startProgress(io.stderr);
  progress.show('opening the database', '');
  const { db, close } = await openForCommand(io);
  try {
    const sandboxId = await findSandboxId(db, sandbox);
    if (sandboxId === undefined) throw new WrongUse(`there is no sandbox ${sandbox}`, { showUsage: false });
    const summary = await applySeed(db, {
      ...read,
      sandboxId,
      mode: replace ? 'replace' : 'merge',
      seedName: files.map((file) => basename(file, extname(file))).join(', '),
      signal: io.signal,
      onProgress: (what, done, total) => progress.show(`loading ${what}`, `${done}/${total}`),
    });
    if (hasChanges(summary)) await analyzeTables(db);
    progress.clear();
    io.stdout.write(`${describeSummary(summary).join('\n')}\n`);
    return exits.done;
  } catch (error) {
    progress.clear();
    if (error instanceof SeedError) {
      refuse(io, error);
      if (!replace && read.faults.length === 0)
        io.stderr.write('With --replace the sandbox is emptied first, and every id is free.\n');
      return exits.no;
    }
    if (isUnavailable(error))
      throw new WrongUse(error instanceof Error ? error.message : String(error), { showUsage: false });
    throw error;
  } finally {
    await close();
  }
}

function refuse(io: CommandIo, first: FirstFaults): number {
  for (const line of formatFaults(first)) io.stderr.write(`${line}\n`);
  const count = first.faults.length + first.more;
  io.stderr.write(`${count} ${count === 1 ? 'fault' : 'faults'}; nothing was loaded.\n`);
  return exits.no;
}
