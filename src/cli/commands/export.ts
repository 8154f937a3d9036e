// The command `export`.
import { EventEmitter, once } from 'node:events';
import { tokensNote } from '../../seeds/export/export-sandbox.ts';
import { defineCommand } from '../command.ts';
import { UsageError, valued } from '../usage.ts';
import { clientOptions, openSandbox } from '../sessions/open-client.ts';
import { writeWhole } from '../write-whole.ts';

export const command = defineCommand({
  name: 'export',
  summary: 'print a sandbox as a seed',
  about: `Prints a sandbox (default: \`default\`) as a seed, which restores it with the same
ids and order. Tokens are left out: only their hashes are stored.`,
  options: {
    format: { ...valued('yaml|json', '(yaml)'), default: 'yaml' },
    out: valued('FILE', 'the file to write, as a whole or not at all (standard output)'),
    ...clientOptions,
  },
  operands: ['[NAME]'],
  async run({ format, out, ...values }, [name], context) {
    const { stdout, signal, note } = context;
    if (format !== 'yaml' && format !== 'json') throw new UsageError(`--format must be yaml or json, not "${format}"`);
    const text = (await openSandbox(name, values, context)).exportPieces(format);
    if (out !== undefined) await writeWhole(out, text, signal);
    else
      for await (const piece of text)
        if (stdout.write(piece) === false && stdout instanceof EventEmitter) await once(stdout, 'drain', { signal });
    note(tokensNote);
  },
});
