// `generate`: fills a sandbox with made-up users.
import { generate, maxSubscriptions } from '../generate/generate-users.ts';
import { getSandboxId } from '../../sandboxes/sandboxes.ts';
import { analyzeTables } from '../../seeds/load/write-queries.ts';
import { defineCommand, showLoad } from '../command.ts';
import { UsageError } from '../failure.ts';
import { flag, readCount, valued } from '../parse-arguments.ts';
import { openForCommand } from '../sessions/open-database.ts';
import { databaseFlags } from '../setting-flags.ts';

export const command = defineCommand({
  name: 'generate',
  summary: 'fill a sandbox with made-up users',
  forms: ['weblate-understudy generate --users N [options]'],
  about: `Fills a sandbox with made-up users, their projects, components, groups and
subscriptions, while the service runs or not, in one transaction: all of it or
nothing. The database must exist.`,
  options: {
    users: valued('N', 'how many users'),
    subscriptions: { ...valued('M', `how many each of them has (10, at most ${maxSubscriptions})`), default: '10' },
    seed: { ...valued('TEXT', 'what the choices follow from: the same text gives the same data (1)'), default: '1' },
    tokens: flag('give each user the token wlu_generated_public_sample_<id in 12 digits>, which is public'),
    replace: flag('empty the sandbox first; without it, what is there stays'),
    sandbox: { ...valued('NAME', 'the sandbox to fill (default)'), default: 'default' },
    ...databaseFlags,
  },
  isTransaction: true,
  async run({ sandbox, seed, tokens, replace, users: howMany, subscriptions: each, ...flags }, _operands, context) {
    const { signal, progress, print } = context;
    if (howMany === undefined) throw new UsageError('--users is missing: pass a number, such as --users 1000');
    const users = readCount('--users', howMany, 1, 100_000_000);
    const subscriptions = readCount('--subscriptions', each, 0, maxSubscriptions);
    progress.show('opening the database');
    await using opened = await openForCommand(flags, context);
    const { load } = opened.database;
    const sandboxId = await getSandboxId(load, sandbox);
    progress.show(replace ? 'emptying the sandbox' : 'preparing');
    const request = { sandboxId, users, subscriptions, seed, tokens, replace, signal, onProgress: showLoad(context) };
    const generated = await generate(load, request);
    progress.show('gathering statistics');
    await analyzeTables(load);
    for (const [table, count] of Object.entries(generated))
      if (count > 0) print(`${table}: ${count} created`, 'All users were created.');
  },
});
