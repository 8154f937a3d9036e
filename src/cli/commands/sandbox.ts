// `sandbox`: makes, shows and drops sandboxes, and keeps their states.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { defaultLifetimeSeconds, readSandboxRequest } from '../../sandboxes/sandbox-requests.ts';
import type { Sandbox } from '../../sandboxes/sandbox-schemas.ts';
import type { Sandboxes } from '../../sandboxes/sandboxes.ts';
import { describeSummary } from '../../load/summary.ts';
import { type Command, type CommandIo, runCommand, WrongUse } from '../command.ts';
import { sessionOptions, sessionUsage, withSandboxes } from '../sandbox-session.ts';

const usage = `Usage: understudy sandbox create [NAME] [--from NAME | --seed FILE] [--expires SECONDS]
       understudy sandbox list [--json]
       understudy sandbox show NAME
       understudy sandbox delete NAME
       understudy sandbox seed NAME FILE
       understudy sandbox snapshot NAME SNAPSHOT
       understudy sandbox restore NAME SNAPSHOT

create makes a sandbox, or makes it anew, and prints its base URL and tokens as JSON; tokens are shown this once.
seed leaves exactly what the file says and makes it what the sandbox resets to. \`understudy reset NAME\` puts it back.

  --from NAME           a seed that ships, or another sandbox as it stands (default: what \`default\` began with)
  --seed FILE           a seed of one's own, YAML or JSON
  --expires SECONDS     how long it stays without being used (${defaultLifetimeSeconds})
${sessionUsage}

Exit: 0 done; 1 refused, such as for an unknown sandbox or an invalid seed; 2 wrong usage or not reachable.`;

const options = {
  ...sessionOptions,
  from: { type: 'string' },
  seed: { type: 'string' },
  expires: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

export const sandbox: Command = {
  name: 'sandbox',
  summary: 'make, show and drop sandboxes, keep and restore their states',
  usage,
  run: (args, io) => runCommand({ name: 'sandbox', usage }, args, io, () => run(args, io)),
};

type Values = ReturnType<typeof read>['values'];
type Act = (sandboxes: Sandboxes, names: readonly string[], values: Values, io: CommandIo) => Promise<void>;
const read = (args: string[]) => parseArgs({ args, options, strict: true, allowPositionals: true });
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const create: Act = async (sandboxes, [name], { from, seed, expires }, io) => {
  const request = readSandboxRequest({
    ...(from === undefined ? {} : { from }),
    ...(seed === undefined ? {} : { seed: await readText(seed) }),
    ...(expires === undefined ? {} : { expires_in_seconds: Number(expires) }),
  });
  io.stdout.write(json(await sandboxes.create(name, request)));
};

const list: Act = async (sandboxes, _names, values, io) => {
  const all = await sandboxes.list();
  io.stdout.write(values.json ? json(all) : all.map(lineOf).join(''));
};

const show: Act = async (sandboxes, [name = ''], _values, io) => {
  io.stdout.write(json(await sandboxes.get(name)));
};

const remove: Act = async (sandboxes, [name = ''], _values, io) => {
  await sandboxes.remove(name);
  io.stderr.write(`${name} is gone\n`);
};

const seed: Act = async (sandboxes, [name = '', file = ''], _values, io) => {
  const summary = await sandboxes.putSeed(name, await readText(file), file);
  io.stdout.write(`${describeSummary(summary).join('\n')}\n`);
};

const snapshot: Act = async (sandboxes, [name = '', as = ''], _values, io) => {
  await sandboxes.putSnapshot(name, as);
  io.stderr.write(`${name} is kept as ${as}\n`);
};

const restore: Act = async (sandboxes, [name = '', from = ''], _values, io) => {
  await sandboxes.restore(name, from);
  io.stderr.write(`${name} is as it was in ${from}\n`);
};

/** What each takes beside its options: at least and at most so many names. */
const acts: Readonly<Record<string, readonly [act: Act, least: number, most: number]>> = {
  create: [create, 0, 1],
  list: [list, 0, 0],
  show: [show, 1, 1],
  delete: [remove, 1, 1],
  seed: [seed, 2, 2],
  snapshot: [snapshot, 2, 2],
  restore: [restore, 2, 2],
};

async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = read(args);
  const [what = '', ...names] = positionals;
  const found = Object.hasOwn(acts, what) ? acts[what] : undefined;
  if (found === undefined) throw new WrongUse(`what is to be done? ${Object.keys(acts).join(', ')}`);
  const [act, least, most] = found;
  if (names.length < least || names.length > most || names.includes('')) throw new WrongUse(`${what}: which sandbox?`);
  return withSandboxes(values, io, (sandboxes) => act(sandboxes, names, values, io));
}

const lineOf = ({ name, seed: from, expires, snapshots }: Sandbox): string =>
  `${name.padEnd(24)} ${(from ?? '-').padEnd(16)} ${(expires ?? 'stays').padEnd(25)} ${snapshots.join(' ')}`.trimEnd() +
  '\n';

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new WrongUse(`the file can't be read: ${(error as Error).message}`, { showUsage: false });
  });
}
