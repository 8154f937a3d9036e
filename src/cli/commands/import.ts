// The command `import`.
import { buildSeed } from '../import/build-seed.ts';
import { makeClient, readServer } from '../import/read-server.ts';
import { parseWhole } from '../../seeds/format/read-seeds.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { flag, readUrlOption, UsageError, valued } from '../usage.ts';
import { writeWhole } from '../write-whole.ts';

export const command = defineCommand({
  name: 'import',
  summary: 'read a running server, and write a seed',
  forms: ['weblate-understudy import --from URL [options]'],
  about: `Reads users, their subscriptions and groups through a server's public API, and
writes a seed with these and the projects and components that they name. In it,
users have made-up names and addresses. Only this server gets the token.`,
  options: {
    from: valued('URL', 'the server; the URL may have a path'),
    'token-env': valued('NAME', 'the variable that holds the token (default: no token)'),
    users: valued('NAME,…', 'only these users'),
    out: valued('FILE', 'the file to write (standard output)'),
    'keep-personal-data': flag('keep real names, e-mail addresses and profiles'),
  },
  async run({ from, out, ...values }, _operands, context) {
    const { signal, progress, note } = context;
    const baseUrl = readUrlOption('--from', from);
    const token = readToken(values['token-env'], context);
    const usernames = values.users?.split(',').filter((name) => name !== '');
    if (usernames?.length === 0) throw new UsageError('--users is empty; expected usernames with commas between them');
    progress.show('reading users');
    const read = await readServer(makeClient(baseUrl, token, signal), usernames, progress);
    const { text, leftOut } = buildSeed(read, baseUrl, values['keep-personal-data']);
    parseWhole({ text, file: out ?? 'the seed' });
    if (leftOut.length > 0)
      note(`left out: ${leftOut.length} subscriptions; a seed can't hold ${[...new Set(leftOut)].join(', ')}`);
    signal.throwIfAborted();
    if (out === undefined) context.stdout.write(text);
    else await writeWhole(out, text, signal);
    const subscriptions = read.users.reduce((sum, user) => sum + user.subscriptions.length, 0);
    note(`${read.users.length} users, ${subscriptions} subscriptions read`);
  },
});

// The token isn't an argument: other users of the machine can read command lines.
function readToken(name: string | undefined, { env }: CommandContext) {
  if (name === undefined) return undefined;
  const token = env[name] ?? '';
  if (token === '') throw new UsageError(`--token-env: the variable ${name} is not set`);
  if (!/^[!-~]+$/u.test(token)) throw new UsageError(`--token-env: ${name} has blanks, or is not ASCII`);
  return token;
}
