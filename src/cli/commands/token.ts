// The command `token`.
import { defineCommand } from '../command.ts';
import { flag, UsageError, valued } from '../usage.ts';
import { clientOptions, openSandbox } from '../sessions/open-client.ts';

export const command = defineCommand({
  name: 'token',
  summary: 'make a token for a user, list and revoke tokens',
  forms: [
    'weblate-understudy token USERNAME [options]',
    'weblate-understudy token --list [options]',
    'weblate-understudy token --revoke ID [options]',
  ],
  about: `Makes a token for a user, and prints it only once. The token itself names the
sandbox, and survives resets for as long as the sandbox has a user of that name.`,
  options: {
    list: flag('print id, time and user of the tokens that the service made'),
    revoke: valued('ID', 'revoke the token of this id'),
    sandbox: { ...valued('NAME', "the user's sandbox (default)"), default: 'default' },
    ...clientOptions,
  },
  operands: ['[USERNAME]'],
  async run({ list, revoke, sandbox: name, ...values }, [username = ''], context) {
    const actions = [username, list, revoke].filter(Boolean);
    if (actions.length === 0) throw new UsageError('missing USERNAME');
    if (actions.length > 1) throw new UsageError('USERNAME, --list and --revoke exclude each other');
    const sandbox = await openSandbox(name, values, context);
    if (list)
      for (const { id, created, username: user } of await sandbox.tokens()) context.print(`${id} ${created} ${user}`);
    else if (revoke !== undefined) await sandbox.revokeToken(revoke);
    else
      context.print(await sandbox.token(username), `A token was made for ${username}: \`token --list\` shows its id.`);
  },
});
