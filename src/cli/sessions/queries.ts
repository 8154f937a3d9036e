// Runs scripts of SQL in one transaction.
import { addAbortListener } from 'node:events';
import { DatabaseError, type QueryArrayResult, types } from 'pg';
import type { Database } from '../../database/database.ts';
import { RefusedError } from '../usage.ts';

export type Script = Readonly<Record<'file' | 'text', string>>;

// These statements would end the transaction, or begin another. `rollback to` a savepoint does not.
const transactionStatement =
  /^(?:begin|start\s+transaction|commit|end|abort|rollback(?!\s+(?:(?:work|transaction)\s+)?to\b)|prepare\s+transaction)\b/i;

const { BOOL, INT2, INT4, FLOAT4, FLOAT8, JSON: ofJson, JSONB } = types.builtins;
const typesOfJson = new Set<number>([BOOL, INT2, INT4, FLOAT4, FLOAT8, ofJson, JSONB]);
/** Other values stay PostgreSQL's text: a date has no time zone, and a bigint may not fit a number. */
const getTypeParser = (oid: number) => (typesOfJson.has(oid) ? types.getTypeParser(oid) : String);

/** Returns the result of each statement. If one fails, or the signal aborts, nothing was written. */
export async function runScripts({ openConnection }: Database, scripts: readonly Script[], signal: AbortSignal) {
  const steps = scripts.flatMap((script) => splitStatements(script.text).map((step) => ({ ...step, script })));
  const refused = steps.filter(({ text }) => transactionStatement.test(text));
  const advice = 'all SQL runs in one transaction: remove this statement';
  if (refused.length > 0) throw new RefusedError(refused.map((step) => `${placeOf(step)} ${advice}`).join('\n'));
  const client = await openConnection();
  // The end of the connection rolls back what isn't committed.
  await using _open = { [Symbol.asyncDispose]: () => client.end() };
  signal.throwIfAborted();
  using _ending = addAbortListener(signal, () => void client.end());
  // With this setting, the server ends a statement whose client is gone.
  await client.query('begin; set local client_connection_check_interval = 100');
  const results: QueryArrayResult<unknown[]>[] = [];
  for (const step of steps) {
    const query = { text: step.text, rowMode: 'array', types: { getTypeParser } } as const;
    const result = await client.query<unknown[]>(query).catch((error: unknown) => {
      throw error instanceof DatabaseError ? new RefusedError(describeError(step, error)) : error;
    });
    // With `begin atomic`, a step may have several results.
    results.push(...[result].flat());
  }
  await client.query('commit');
  return results;
}

type Step = ReturnType<typeof splitStatements>[number] & { readonly script: Script };

function describeError(step: Step, { message, position, detail, hint, where }: DatabaseError) {
  const lines = [detail, hint, where].filter((line) => line !== undefined).map((line) => `  ${line}`);
  // PostgreSQL counts code points from 1. Without a position, the statement's place is reported.
  const before = Array.from(step.text).slice(0, Number(position ?? 1) - 1);
  return [`${placeOf(step, before.join(''))} ${message}`, ...lines].join('\n');
}

function placeOf({ script: { file, text }, at }: Step, before = '') {
  const lines = `${text.slice(0, at)}${before}`.split('\n');
  return `${file}:${lines.length}:${Array.from(lines.at(-1) ?? '').length + 1}`;
}

// A comment may hold another comment.
const comment = String.raw`--[^\n]*|/\*(?:/\*.*?\*/|.)*?\*/`;
// Semicolons, and tokens whose semicolons end no statement. Only PostgreSQL's grammar finds the end of a
// function's body that begins with `begin atomic`. So the body and all that follows are one piece.
const token = new RegExp(
  String.raw`${comment}|\be'(?:''|\\.|[^'\\])*'|'[^']*'|"[^"]*"|(?<![\w$])\$([a-z_]\w*)?\$.*?\$\1\$|\bbegin\s+atomic\b.*|;`,
  'gis',
);
const blank = new RegExp(String.raw`^(?:\s|${comment})*`, 's');

/** Splits SQL into statements. `at` is the index of a statement's first word. */
export function splitStatements(script: string) {
  const ends = [...script.matchAll(token)].filter(([found]) => found === ';').map(({ index }) => index);
  let start = 0;
  return [...ends, script.length].flatMap((end) => {
    const piece = script.slice(start, end);
    const [{ length }] = blank.exec(piece) ?? [''];
    const at = start + length;
    start = end + 1;
    return length < piece.length ? [{ at, text: piece.slice(length) }] : [];
  });
}
