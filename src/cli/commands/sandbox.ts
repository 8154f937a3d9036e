// `sandbox`: makes, shows and drops sandboxes, and keeps their states.
import type { Sandbox } from '../../package/client/sandbox-client.ts';
import type { SandboxDescription } from '../../package/client/wire-types.ts';
import { didYouMean } from '../../base/nearest.ts';
import { readNamedSeeds } from '../../seeds/load/named-seed.ts';
import { describeSummary } from '../../seeds/load/summary.ts';
import { defaultLifetimeSeconds } from '../../sandboxes/sandbox-requests.ts';
import { defineCommand } from '../command.ts';
import { UsageError } from '../failure.ts';
import { checkOperands, flag, readCount, valued } from '../parse-arguments.ts';
import { clientOptions, openClient, openSandbox } from '../sessions/open-client.ts';

/** As the usage shows their arguments. */
const subcommands: Readonly<Record<string, string>> = {
  create: '[NAME] [--from NAME | --seed FILE] [--expires SECONDS]',
  list: '[--json]',
  show: 'NAME',
  delete: 'NAME',
  seed: 'NAME FILE',
  snapshot: 'NAME SNAPSHOT',
  restore: 'NAME SNAPSHOT',
};

export const command = defineCommand({
  name: 'sandbox',
  summary: 'make, show and drop sandboxes, keep and restore their states',
  usage: `Usage: weblate-understudy sandbox SUBCOMMAND [options]
${Object.entries(subcommands)
  .map((parts) => `  ${parts.join(' ')}\n`)
  .join('')}
create makes or replaces a sandbox, and prints its base URL and tokens as JSON;
tokens are shown this once. seed leaves exactly what the file says, and the
sandbox resets to that. \`weblate-understudy reset NAME\` puts a sandbox back.

{options}

{exit}`,
  options: {
    from: valued(
      'NAME',
      'a seed that ships, or another sandbox as it is now (default: the seed that `default` started with)',
    ),
    seed: valued('FILE', 'a seed of your own, YAML or JSON; - for standard input'),
    expires: valued('SECONDS', `how long the sandbox stays without being used (${defaultLifetimeSeconds})`),
    json: flag('list them as JSON'),
    ...clientOptions,
  },
  operands: ['SUBCOMMAND', '[ARGUMENT...]'],
  async run({ from, seed, expires, json, ...values }, [subcommand = '', ...operands], context) {
    const expected = Object.hasOwn(subcommands, subcommand) ? subcommands[subcommand] : undefined;
    const known = Object.keys(subcommands);
    if (expected === undefined)
      throw new UsageError(
        `unknown subcommand "${subcommand}"${didYouMean(subcommand, known, `; expected ${known.join(', ')}`)}`,
      );
    checkOperands(expected.replace(/\[--.*/, '').match(/\S+/g) ?? [], operands, `${subcommand}: `);
    if (from !== undefined && seed !== undefined) throw new UsageError('--from and --seed exclude each other');
    const expiresInSeconds = expires === undefined ? undefined : readCount('--expires', expires, 0);
    const [name, second = ''] = operands;
    const { print, note, stdout } = context;
    // Checked here, before a service is sought: errors have the file's name and lines, and come without a service.
    const file = subcommand === 'seed' ? second : seed;
    const text = file && (await readNamedSeeds([file], true)).texts.join('');
    if (subcommand === 'create') {
      const client = await openClient(values, context);
      print((await client.sandbox({ name, from, seed: text, expiresInSeconds })).description);
    } else if (subcommand === 'list') {
      const all = await (await openClient(values, context)).sandboxes();
      if (json) print(all);
      else stdout.write(all.map(describeSandbox).join(''));
    } else {
      const opened = await openSandbox(name, values, context);
      if (subcommand === 'show') print(opened.description);
      else if (subcommand === 'seed') print(describeSummary(await opened.seed(text ?? '')).join('\n'));
      else note(await change(subcommand, opened, second));
    }
  },
});

const describeSandbox = ({ name, seed, expires, snapshots }: SandboxDescription): string =>
  `${name.padEnd(24)} ${(seed ?? '-').padEnd(16)} ${(expires ?? 'stays').padEnd(25)} ${snapshots.join(' ')}`.trimEnd() +
  '\n';

/** Returns what was done. */
async function change(subcommand: string, sandbox: Sandbox, snapshot: string): Promise<string> {
  if (subcommand === 'delete') {
    await sandbox.drop();
    return `${sandbox.name} was deleted`;
  }
  if (subcommand === 'snapshot') {
    await sandbox.snapshot(snapshot);
    return `snapshot ${snapshot} of ${sandbox.name} was taken`;
  }
  await sandbox.restore(snapshot);
  return `${sandbox.name} was restored from snapshot ${snapshot}`;
}
