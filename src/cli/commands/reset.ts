// `reset`: restores the seed that last filled a sandbox as a whole.
import { defineCommand } from '../command.ts';
import { clientOptions, openSandbox } from '../sessions/open-client.ts';

export const command = defineCommand({
  name: 'reset',
  summary: 'put a sandbox back to what it was made from',
  about: `Puts a sandbox (default: \`default\`) back to the seed that last filled it as a
whole, with its ids and counters. The content of seeds merged since then goes.`,
  options: clientOptions,
  operands: ['[NAME]'],
  async run(values, [name = 'default'], context) {
    await (await openSandbox(name, values, context)).reset();
    context.note(`${name} was reset`);
  },
});
