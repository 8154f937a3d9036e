// `sandbox`: makes, shows and drops sandboxes, and keeps their states.
import { readFile } from 'node:fs/promises';
import { describeSummary } from '../../load/summary.ts';
import { findNearest } from '../../nearest.ts';
import { defaultLifetimeSeconds, readSandboxRequest } from '../../sandboxes/sandbox-requests.ts';
import type { Sandbox } from '../../sandboxes/sandbox-schemas.ts';
import { checkOperands, defineCommand, type Values } from '../command.ts';
import { UsageError } from '../failure.ts';
import { readSeed } from '../sessions/load-seed.ts';
import { openSession, type Session, sessionOptions, sessionUsage } from '../sessions/sandbox-session.ts';

const options = {
  ...sessionOptions,
  from: { type: 'string' },
  seed: { type: 'string' },
  expires: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

interface Subcommand {
  readonly operands: readonly string[];
  /** Resolves with what goes to stdout. */
  readonly run: (
    sandboxes: Session,
    operands: readonly string[],
    values: Values<typeof options>,
    note: (line: string) => void,
  ) => Promise<string>;
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const subcommands: Readonly<Record<string, Subcommand>> = {
  create: { operands: ['[NAME]'], run: create },
  list: {
    operands: [],
    run: async (sandboxes, _operands, values) => {
      const all = await sandboxes.list();
      return values.json ? json(all) : all.map(describeSandbox).join('');
    },
  },
  show: { operands: ['NAME'], run: async (sandboxes, [name = '']) => json(await sandboxes.get(name)) },
  delete: {
    operands: ['NAME'],
    run: async (sandboxes, [name = ''], _values, note) => {
      await sandboxes.remove(name);
      note(`${name} was deleted`);
      return '';
    },
  },
  seed: {
    operands: ['NAME', 'FILE'],
    run: async (sandboxes, [name = '', file = '']) =>
      `${describeSummary(await sandboxes.putSeed(name, file)).join('\n')}\n`,
  },
  snapshot: {
    operands: ['NAME', 'SNAPSHOT'],
    run: async (sandboxes, [name = '', snapshot = ''], _values, note) => {
      await sandboxes.putSnapshot(name, snapshot);
      note(`snapshot ${snapshot} of ${name} was taken`);
      return '';
    },
  },
  restore: {
    operands: ['NAME', 'SNAPSHOT'],
    run: async (sandboxes, [name = '', snapshot = ''], _values, note) => {
      await sandboxes.restore(name, snapshot);
      note(`${name} was restored from snapshot ${snapshot}`);
      return '';
    },
  },
};

export const sandbox = defineCommand({
  name: 'sandbox',
  summary: 'make, show and drop sandboxes, keep and restore their states',
  usage: `Usage: understudy sandbox create [NAME] [--from NAME | --seed FILE] [--expires SECONDS]
       understudy sandbox list [--json]
       understudy sandbox show NAME
       understudy sandbox delete NAME
       understudy sandbox seed NAME FILE
       understudy sandbox snapshot NAME SNAPSHOT
       understudy sandbox restore NAME SNAPSHOT

create makes a sandbox, or makes it anew, and prints its base URL and tokens as JSON; tokens are shown this once.
seed does what \`understudy seed --replace --sandbox NAME FILE\` does, also on a service by --url: it leaves exactly what the file says,
and the sandbox resets to that. \`understudy reset NAME\` puts a sandbox back.

  --from NAME           a seed that ships, or another sandbox as it stands (default: what \`default\` began with)
  --seed FILE           a seed of your own, YAML or JSON
  --expires SECONDS     how long the sandbox stays without being used (${defaultLifetimeSeconds})
${sessionUsage}

Exit: 0 done; 1 refused, such as for an unknown sandbox or an invalid seed; 2 wrong usage or unreachable.`,
  options,
  operands: ['SUBCOMMAND', '[ARGUMENT...]'],
  async run(values, [name = '', ...operands], context) {
    const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
    if (subcommand === undefined) {
      const known = Object.keys(subcommands);
      const nearest = findNearest(name, known);
      const hint = nearest === undefined ? `expected ${known.join(', ')}` : `did you mean ${nearest}?`;
      throw new UsageError(`unknown subcommand "${name}"; ${hint}`);
    }
    checkOperands(subcommand.operands, operands, `${name}: `);
    await using sandboxes = await openSession(values, context);
    context.stdout.write(await subcommand.run(sandboxes, operands, values, context.note));
  },
});

const describeSandbox = ({ name, seed, expires, snapshots }: Sandbox): string =>
  `${name.padEnd(24)} ${(seed ?? '-').padEnd(16)} ${(expires ?? 'stays').padEnd(25)} ${snapshots.join(' ')}`.trimEnd() +
  '\n';

async function create(
  sandboxes: Session,
  [name]: readonly string[],
  { from, seed, expires }: Values<typeof options>,
): Promise<string> {
  if (seed !== undefined) await readSeed([seed], true);
  const request = readSandboxRequest({
    ...(from === undefined ? {} : { from }),
    ...(seed === undefined ? {} : { seed: await readFile(seed, 'utf8') }),
    ...(expires === undefined ? {} : { expires_in_seconds: Number(expires) }),
  });
  return json(await sandboxes.create(name, request));
}
