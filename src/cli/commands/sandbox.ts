// `sandbox`: makes, shows and drops sandboxes, and keeps their states.
import type { SandboxDescription } from '../../package/client/wire-types.ts';
import { didYouMean } from '../../base/nearest.ts';
import { readNamedSeeds } from '../../seeds/load/named-seed.ts';
import { describeSummary } from '../../seeds/load/summary.ts';
import { defaultLifetimeSeconds } from '../../sandboxes/sandbox-requests.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { UsageError } from '../failure.ts';
import { checkOperands, flag, readCount, valued, type Values } from '../parse-arguments.ts';
import { clientOptions, openClient, openSandbox } from '../sessions/open-client.ts';

const options = {
  from: valued(
    'NAME',
    'a seed that ships, or another sandbox as it is now (default: the seed that `default` started with)',
  ),
  seed: valued('FILE', 'a seed of your own, YAML or JSON; - for standard input'),
  expires: valued('SECONDS', `how long the sandbox stays without being used (${defaultLifetimeSeconds})`),
  json: flag('list them as JSON'),
  ...clientOptions,
} as const;

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
create makes or replaces a sandbox, and prints its base URL and tokens as JSON; tokens are shown this once.
seed leaves exactly what the file says, and the sandbox resets to that. \`weblate-understudy reset NAME\` puts a sandbox back.

{options}

{exit}`,
  options,
  operands: ['SUBCOMMAND', '[ARGUMENT...]'],
  async run(values, [subcommand = '', ...operands], context) {
    const expected = Object.hasOwn(subcommands, subcommand) ? subcommands[subcommand] : undefined;
    const known = Object.keys(subcommands);
    if (expected === undefined)
      throw new UsageError(
        `unknown subcommand "${subcommand}"${didYouMean(subcommand, known, `; expected ${known.join(', ')}`)}`,
      );
    checkOperands(expected.replace(/\[--.*/, '').match(/\S+/g) ?? [], operands, `${subcommand}: `);
    if (subcommand === 'create') await create(operands[0], values, context);
    else if (subcommand === 'list') await list(values, context);
    else await act(subcommand, operands, values, context);
  },
});

type SandboxValues = Values<typeof options>;

async function create(name: string | undefined, values: SandboxValues, context: CommandContext): Promise<void> {
  const { from, seed, expires } = values;
  if (from !== undefined && seed !== undefined) throw new UsageError('--from and --seed exclude each other');
  const expiresInSeconds = expires === undefined ? undefined : readCount('--expires', expires, 0);
  const text = seed && (await readSeedText(seed));
  const client = await openClient(values, context);
  const { description } = await client.sandbox({ name, from, seed: text, expiresInSeconds });
  context.print(description);
}

/** Checked here, before a service is sought: errors have the file's name and lines, and come without a service. */
const readSeedText = async (name: string): Promise<string> => (await readNamedSeeds([name], true)).texts.join('');

async function list(values: SandboxValues, context: CommandContext): Promise<void> {
  const all = await (await openClient(values, context)).sandboxes();
  if (values.json) context.print(all);
  else context.stdout.write(all.map(describeSandbox).join(''));
}

const describeSandbox = ({ name, seed, expires, snapshots }: SandboxDescription): string =>
  `${name.padEnd(24)} ${(seed ?? '-').padEnd(16)} ${(expires ?? 'stays').padEnd(25)} ${snapshots.join(' ')}`.trimEnd() +
  '\n';

async function act(
  subcommand: string,
  [name, second = '']: readonly string[],
  values: SandboxValues,
  context: CommandContext,
): Promise<void> {
  const { print, note } = context;
  const content = subcommand === 'seed' ? await readSeedText(second) : '';
  const opened = await openSandbox(name, values, context);
  if (subcommand === 'show') {
    print(opened.description);
  } else if (subcommand === 'delete') {
    await opened.drop();
    note(`${name} was deleted`);
  } else if (subcommand === 'seed') {
    print(describeSummary(await opened.seed(content)).join('\n'));
  } else if (subcommand === 'snapshot') {
    await opened.snapshot(second);
    note(`snapshot ${second} of ${name} was taken`);
  } else {
    await opened.restore(second);
    note(`${name} was restored from snapshot ${second}`);
  }
}
