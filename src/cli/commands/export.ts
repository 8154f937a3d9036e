// `export`: a sandbox as a seed that makes it again.
import { EventEmitter, once } from 'node:events';
import { basename, dirname, resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { tokensNote } from '../../export/export-write.ts';
import { writeFiles } from '../../transcripts/write-files.ts';
import { type Command, type CommandIo, runCommand, WrongUse } from '../command.ts';
import { startProgress } from '../progress.ts';
import { sessionOptions, sessionUsage, withSandboxes } from '../sandbox-session.ts';

const usage = `Usage: understudy export [NAME] [options] > seed.yaml

Prints a sandbox (default: \`default\`) as a seed: loaded with \`seed --replace\` it gives the same answers, ids and order included.
Tokens are stored as hashes and can't be exported; write them into the file, or make new ones with \`understudy token\`.

  --format yaml|json    (yaml)
  --out FILE            where the seed goes, as a whole or not at all (standard output)
${sessionUsage}

Exit: 0 done; 1 there is no such sandbox; 2 wrong usage or not reachable; 130 Ctrl-C.`;

export const exportCommand: Command = {
  name: 'export',
  summary: 'print a sandbox as a seed',
  usage,
  run: (args, io) => runCommand({ name: 'export', usage }, args, io, () => run(args, io)),
};

async function run(args: string[], io: CommandIo): Promise<number> {
  const options = { ...sessionOptions, format: { type: 'string', default: 'yaml' }, out: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args, options, strict: true, allowPositionals: true });
  const [name = 'default', ...others] = positionals;
  if (others.length > 0) throw new WrongUse('one sandbox at a time');
  const { format, out } = values;
  if (format !== 'yaml' && format !== 'json') throw new WrongUse('--format is yaml or json');
  return withSandboxes(values, io, async (sandboxes) => {
    const text = countMegabytes(addAbortSignal(io.signal, await sandboxes.exportSeed(name, format)), out, io);
    if (out === undefined) await print(text, io);
    else await writeFiles(dirname(resolve(out)), new Map([[basename(out), text]]), io.signal);
    io.stderr.write(`${tokensNote}\n`);
  });
}

async function print(text: AsyncIterable<string>, { stdout, signal }: CommandIo): Promise<void> {
  for await (const piece of text)
    if (stdout.write(piece) === false && stdout instanceof EventEmitter) await once(stdout, 'drain', { signal });
}

// A terminal that shows the seed itself has no room for progress.
async function* countMegabytes(stream: Readable, out: string | undefined, { stdout, stderr }: CommandIo) {
  const progress = stderr.isTTY === true && (out !== undefined || stdout.isTTY !== true) && startProgress(stderr);
  let characters = 0;
  let shown = 0;
  try {
    for await (const piece of stream as AsyncIterable<string>) {
      characters += piece.length;
      const megabytes = Math.floor(characters / 1e6);
      if (progress && megabytes > shown) progress.show('exported', `${megabytes} MB`);
      shown = megabytes;
      yield piece;
    }
  } finally {
    if (progress) progress.clear();
  }
}
