// A command whose first argument is a subcommand, each with options of its own: `sandbox create`.
import { didYouMean } from '../base/nearest.ts';
import { type Command, defineCommand } from './command.ts';
import { UsageError } from './failure.ts';

/** @param commands each named as it is called, such as `sandbox create` */
export function defineGroup(name: string, summary: string, commands: readonly Command[]): Command {
  const bySubcommand = new Map(commands.map((command) => [command.name.slice(name.length + 1), command]));
  const group = defineCommand({
    name,
    summary,
    forms: [`weblate-understudy ${name} SUBCOMMAND [options]`],
    about: [...bySubcommand].map(([subcommand, command]) => `  ${subcommand.padEnd(10)}${command.summary}`).join('\n'),
    more: `Run weblate-understudy help ${name} SUBCOMMAND for its options.`,
    operands: ['SUBCOMMAND', '[ARGUMENT...]'],
    async run(_values, [given = '']) {
      const known = [...bySubcommand.keys()];
      const hint = didYouMean(given, known, `; expected ${known.join(', ')}`);
      throw new UsageError(`unknown subcommand "${given}"${hint}`);
    },
  });
  return {
    ...group,
    run(args, io) {
      const subcommand = bySubcommand.get(args[0] ?? '');
      return subcommand === undefined ? group.run(args, io) : subcommand.run(args.slice(1), io);
    },
  };
}
