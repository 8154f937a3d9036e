// The command `reset`.
import { defineCommand } from '../command.ts';
import { clientOptions, openSandbox } from '../sessions/open-client.ts';

export const command = defineCommand({
  name: 'reset',
  summary: 'put a sandbox back to its seed',
  about: `Puts a sandbox (default: \`default\`) back to the seed that last filled it as a
whole, with the seed's ids and counters. All later changes are lost.`,
  options: clientOptions,
  operands: ['[NAME]'],
  async run(values, [name = 'default'], context) {
    await (await openSandbox(name, values, context)).reset();
    context.note(`${name} was reset`);
  },
});
