// `token`: makes a token that chooses its user's sandbox by itself.
import { defineCommand } from '../command.ts';
import { openSession, sessionOptions, sessionUsage } from '../sessions/sandbox-session.ts';

export const token = defineCommand({
  name: 'token',
  summary: 'make a token for a user',
  usage: `Usage: understudy token USERNAME [options]

Makes a token for a user and prints it, this once. The token chooses the sandbox by itself, for clients that can change neither
their base URL nor their headers, and survives a reset for as long as the sandbox has a user of that name.

  --sandbox NAME        the user's sandbox (default)
${sessionUsage}

Exit: 0 done; 1 refused: an unknown sandbox or user; 2 wrong usage or unreachable.`,
  options: { ...sessionOptions, sandbox: { type: 'string', default: 'default' } },
  operands: ['USERNAME'],
  async run(values, [username = ''], context) {
    await using sandboxes = await openSession(values, context);
    context.stdout.write(`${(await sandboxes.addToken(values.sandbox, username)).token}\n`);
  },
});
