// The command `seed`.
import { parse } from 'node:path';
import { applySeed, describeSummary, hasChanges } from '../../seeds/load/apply.ts';
import { readNamedSeeds } from '../../seeds/load/named-seed.ts';
import { fromStdin } from '../../seeds/load/seed-name.ts';
import { getSandboxId } from '../../sandboxes/sandboxes.ts';
import { analyzeTables } from '../../seeds/load/write-queries.ts';
import { SeedError } from '../../seeds/format/seed-errors.ts';
import { defineCommand, showLoad } from '../command.ts';
import { describeSeedErrors, exits, flag, valued } from '../usage.ts';
import { openForCommand } from '../sessions/open-database.ts';
import { databaseFlags } from '../setting-flags.ts';

export const command = defineCommand({
  name: 'seed',
  summary: 'load a seed into a sandbox, or check it',
  about: `Loads seeds (YAML or JSON) in one transaction, whether the service runs or not.
FILE is a path, a shipped seed such as documented, or - for standard input.
Several files are combined in order.`,
  options: {
    replace: flag('remove the former content, which otherwise stays'),
    sandbox: { ...valued('NAME', 'the sandbox to load into (default)'), default: 'default' },
    check: flag('only report errors; needs no database'),
    ...databaseFlags,
  },
  operands: ['FILE...'],
  isTransaction: true,
  async run({ check, replace, sandbox, ...values }, files, context) {
    const { print, progress, signal, note } = context;
    const content = await readNamedSeeds(files, check || replace);
    if (check) return print(`${files.join(', ')}: no errors`);
    progress.show('opening the database');
    await using opened = await openForCommand(values, context);
    const { load } = opened.database;
    try {
      const summary = await applySeed(load, {
        ...content,
        sandboxId: await getSandboxId(load, sandbox),
        seedName: files.map((file) => (file === fromStdin ? 'seed' : parse(file).name)).join(', '),
        mode: replace ? 'replace' : 'merge',
        signal,
        onProgress: showLoad(context),
      });
      if (hasChanges(summary)) await analyzeTables(load);
      return print(describeSummary(summary).join('\n'), 'The seed was loaded.');
    } catch (error) {
      if (replace || content.errors.length > 0 || !(error instanceof SeedError)) throw error;
      note(`${describeSeedErrors(error)}\n--replace empties the sandbox first: then every id is free.`);
      return exits.no;
    }
  },
});
