// The command sql: runs SQL in the service's database.
import { createReadStream, existsSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { QueryArrayResult } from 'pg';
import { UserError } from '../../base/failure.ts';
import { fromStdin } from '../../seeds/load/seed-name.ts';
import { defineCommand } from '../command.ts';
import { flag } from '../usage.ts';
import { openForCommand } from '../sessions/open-database.ts';
import { runScripts, type Script } from '../sessions/queries.ts';
import { databaseFlags } from '../setting-flags.ts';

export const command = defineCommand({
  name: 'sql',
  summary: "run SQL in the service's database",
  about: `Runs SQL in one transaction, whether the service runs or not. Prints the rows
that the SQL returns. FILE is a path, or - for standard input, the default.`,
  options: {
    json: flag('print one array with the rows of all statements'),
    ...databaseFlags,
  },
  operands: ['[FILE...]'],
  isTransaction: true,
  async run({ json, ...values }, files, context) {
    const { stdout, print, note, signal, progress } = context;
    const scripts: Script[] = [];
    for (const file of files.length > 0 ? files : [fromStdin]) {
      if (file === fromStdin) progress.show('reading standard input');
      scripts.push(await readScript(file, signal));
    }
    progress.clear();
    await using opened = await openForCommand(values, context);
    const results = await runScripts(opened.database, scripts, signal);
    const withRows = results.filter(({ fields }) => fields.length > 0);
    if (json) print(withRows.flatMap(toObjects));
    else stdout.write(withRows.map(toTable).join('\n'));
    const writes = results.filter((one) => /^(?:INSERT|UPDATE|DELETE|MERGE)$/.test(one.command));
    const rows = writes.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
    note(`statements: ${results.length}, rows written: ${rows}`);
  },
});

async function readScript(file: string, signal: AbortSignal) {
  if (file !== fromStdin && !existsSync(file))
    throw new UserError(`there is no file ${file}. To run SQL text, send it to standard input`);
  const stream = file === fromStdin ? process.stdin : createReadStream(file);
  return { file: file === fromStdin ? 'stdin' : file, text: await text(addAbortSignal(signal, stream)) };
}

type Result = QueryArrayResult<unknown[]>;

const toObjects = ({ fields, rows }: Result) =>
  rows.map((row) => Object.fromEntries(fields.map(({ name }, n) => [name, row[n]])));

function toTable({ fields, rows }: Result) {
  const lines = [fields.map(({ name }) => name), ...rows.map((row) => row.map(toCell))];
  const widths = fields.map((_, n) => lines.reduce((most, line) => Math.max(most, line[n]?.length ?? 0), 0));
  const padded = lines.map((line) => line.map((cell, n) => cell.padEnd(widths[n] ?? 0)));
  const [head = '', ...body] = padded.map((line) => line.join(' | ').trimEnd());
  return [head, widths.map((width) => '-'.repeat(width)).join('-+-'), ...body, ''].join('\n');
}

/** The value on one line, without control characters: they must not reach the terminal. */
function toCell(value: unknown) {
  const cell = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  return cell.replaceAll(/\p{Cc}+/gu, ' ');
}
