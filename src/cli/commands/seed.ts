// `seed`: loads files into a sandbox, or only checks them.
import { describeSummary } from '../../seeds/load/summary.ts';
import { SeedError } from '../../seeds/format/seed-errors.ts';
import { type Command, defineCommand } from '../command.ts';
import { describeSeedErrors, exits } from '../failure.ts';
import { flag, valued } from '../parse-arguments.ts';
import { loadSeed, readSeed } from '../sessions/load-seed.ts';
import { openForCommand } from '../sessions/open-database.ts';
import { databaseFlags, readSettings } from '../setting-flags.ts';

const options = {
  replace: flag('leave exactly what the seed says; without it, what is there stays'),
  sandbox: { ...valued('NAME', 'the sandbox to load into (default)'), default: 'default' },
  check: flag('load nothing, only report errors; needs no database'),
  ...databaseFlags,
} as const;

export const seed: Command = defineCommand({
  name: 'seed',
  summary: 'load a seed into a sandbox, or check it',
  usage: `Usage: weblate-understudy seed FILE... [options]

Loads seeds (YAML or JSON) while the service runs or not, in one transaction: all of it or nothing. FILE is a path, the name of
a seed that ships, such as documented, or - for standard input. Several files are combined in order. The file
seeds/seed.schema.json of the package weblate-understudy describes their format. The database must exist:
\`weblate-understudy serve\` or \`weblate-understudy migrate\` makes it.

{options}

Exit: 0 loaded, or no errors; 1 refused: an invalid seed or an unknown sandbox; 2 wrong usage or the database is unreachable.`,
  options,
  operands: ['FILE...'],
  isTransaction: true,
  async run({ check, replace, sandbox, ...values }, files, context) {
    const content = await readSeed(files, check || replace);
    if (check) {
      context.stdout.write(`${files.join(', ')}: no errors\n`);
      return exits.done;
    }
    context.progress.show('opening the database', '');
    await using database = await openForCommand(readSettings(values, context.env).configuration, context);
    const mode = replace ? 'replace' : 'merge';
    try {
      const summary = await loadSeed(database, files, { ...content, sandbox, mode }, context);
      context.stdout.write(`${describeSummary(summary).join('\n')}\n`);
      return exits.done;
    } catch (error) {
      if (replace || content.errors.length > 0 || !(error instanceof SeedError)) throw error;
      context.note(`${describeSeedErrors(error)}\nWith --replace the sandbox is emptied first, and every id is free.`);
      return exits.no;
    }
  },
});
