// The command `sandbox`. It reads seeds first, so that their errors show without a service.
import { didYouMean } from '../../base/nearest.ts';
import type { Sandbox } from '../../package/client/sandbox-client.ts';
import type { SandboxDescription } from '../../package/client/wire-types.ts';
import { defaultLifetimeSeconds } from '../../sandboxes/sandbox-requests.ts';
import { readNamedSeeds } from '../../seeds/load/named-seed.ts';
import { describeSummary } from '../../seeds/load/apply.ts';
import { type Command, defineCommand } from '../command.ts';
import { flag, readCount, UsageError, valued } from '../usage.ts';
import { clientOptions, openClient, openSandbox } from '../sessions/open-client.ts';

const readText = async (file: string) => (await readNamedSeeds([file], true)).texts.join('');

const create = defineCommand({
  name: 'sandbox create',
  summary: 'make a sandbox, or replace one',
  about: `Makes or replaces a sandbox, and prints its base URL and tokens as JSON. The
tokens are shown only once. Without a NAME, the service makes up a name.`,
  options: {
    from: valued('NAME', 'a shipped seed, or a sandbox to copy (default: what sandbox `default` resets to)'),
    seed: valued('FILE', 'a seed of your own, YAML or JSON; - for standard input'),
    expires: valued('SECONDS', `lifetime without use (${defaultLifetimeSeconds})`),
    ...clientOptions,
  },
  operands: ['[NAME]'],
  async run({ from, seed: file, expires, ...values }, [name], context) {
    if (from && file) throw new UsageError('--from and --seed exclude each other');
    const expiresInSeconds = expires === undefined ? undefined : readCount('--expires', expires, 0);
    const seed = file && (await readText(file));
    const client = await openClient(values, context);
    const sandbox = await client.sandbox({ name, from, seed, expiresInSeconds });
    context.print(sandbox.description, `The sandbox ${sandbox.name} was made. To get tokens, make it again.`);
  },
});

const list = defineCommand({
  name: 'sandbox list',
  summary: 'list the sandboxes: seed, time of expiry, snapshots',
  options: { json: flag('as JSON'), ...clientOptions },
  async run({ json, ...values }, _operands, context) {
    const all = await (await openClient(values, context)).sandboxes();
    context.print(json ? all : all.map(describeSandbox).join('\n'));
  },
});

const describeSandbox = ({ name, seed, expires, snapshots }: SandboxDescription) =>
  [name.padEnd(24), (seed ?? '-').padEnd(16), (expires ?? 'stays').padEnd(25), ...snapshots].join(' ').trimEnd();

const show = defineCommand({
  name: 'sandbox show',
  summary: 'print a sandbox and its users as JSON',
  options: clientOptions,
  operands: ['NAME'],
  async run(values, [name], context) {
    context.print((await openSandbox(name, values, context)).description);
  },
});

const seed = defineCommand({
  name: 'sandbox seed',
  summary: 'replace what a sandbox holds',
  about: `Replaces what a sandbox holds, and what a reset brings back. FILE is a path, a
shipped seed such as documented, or - for standard input.`,
  options: clientOptions,
  operands: ['NAME', 'FILE'],
  async run(values, [name, file = ''], context) {
    const text = await readText(file);
    const summary = await (await openSandbox(name, values, context)).seed(text);
    context.print(describeSummary(summary).join('\n'), 'The seed was loaded.');
  },
});

/** Makes a subcommand that prints no data. @param act returns what it did */
const acting = (
  subcommand: string,
  summary: string,
  operands: readonly string[],
  act: (sandbox: Sandbox, snapshot: string) => Promise<string>,
) =>
  defineCommand({
    name: `sandbox ${subcommand}`,
    summary,
    options: clientOptions,
    operands,
    async run(values, [name, snapshot = ''], context) {
      context.note(await act(await openSandbox(name, values, context), snapshot));
    },
  });

const remove = acting('delete', 'delete a sandbox', ['NAME'], async (sandbox) => {
  await sandbox.drop();
  return `${sandbox.name} was deleted`;
});

const operands = ['NAME', 'SNAPSHOT'];

const snapshot = acting('snapshot', 'keep the state of a sandbox', operands, async (sandbox, name) => {
  await sandbox.snapshot(name);
  return `snapshot ${name} of ${sandbox.name} was taken`;
});

const restore = acting('restore', 'put a sandbox back to a snapshot', operands, async (sandbox, name) => {
  await sandbox.restore(name);
  return `${sandbox.name} was restored from snapshot ${name}`;
});

const all = [create, list, show, remove, seed, snapshot, restore];
const subcommands = new Map(all.map((one) => [one.name.replace('sandbox ', ''), one]));

const group = defineCommand({
  name: 'sandbox',
  summary: 'make, show and drop sandboxes, keep and restore their states',
  forms: ['weblate-understudy sandbox SUBCOMMAND [options]'],
  about: [...subcommands].map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`).join('\n'),
  more: 'Run weblate-understudy help sandbox SUBCOMMAND for its options.',
  operands: ['SUBCOMMAND', '[ARGUMENT...]'],
  async run(_values, [given = '']) {
    const known = [...subcommands.keys()];
    const hint = didYouMean(given, known, `; expected ${known.join(', ')}`);
    throw new UsageError(`unknown subcommand "${given}"${hint}`);
  },
});

export const command: Command = {
  ...group,
  run: (args, io) => subcommands.get(args[0] ?? '')?.run(args.slice(1), io) ?? group.run(args, io),
};
