// `token`: makes a token that chooses its user's sandbox by itself.
import { defineCommand } from '../command.ts';
import { clientOptions, clientUsage, openClient } from '../sessions/open-client.ts';

export const token = defineCommand({
  name: 'token',
  summary: 'make a token for a user',
  usage: `Usage: weblate-understudy token USERNAME [options]

Makes a token for a user and prints it, this once. The token chooses the sandbox by itself, for clients that can change neither
their base URL nor their headers, and survives a reset for as long as the sandbox has a user of that name.

  --sandbox NAME        the user's sandbox (default)
${clientUsage}

Exit: 0 done; 1 refused: an unknown sandbox or user; 2 wrong usage or unreachable.`,
  options: { ...clientOptions, sandbox: { type: 'string', default: 'default' } },
  operands: ['USERNAME'],
  async run(values, [username = ''], context) {
    const client = await openClient(values, context);
    const sandbox = await client.open(values.sandbox);
    context.stdout.write(`${await sandbox.token(username)}\n`);
  },
});
