// Runs scripts of SQL in one transaction.
import { DatabaseError, type QueryArrayResult, types } from 'pg';
import { cancelStatement } from '../../seeds/load/queries.ts';
import { ScriptError } from '../failure.ts';
import type { CommandDatabase } from './open-database.ts';
import { splitStatements, type Statement } from './split-statements.ts';

export interface Script {
  /** As its user named it. */
  readonly file: string;
  readonly text: string;
}

// They would end the transaction, or begin another one. `rollback to` a savepoint does neither.
const ofTransactions =
  /^(?:begin|start\s+transaction|commit|end|abort|rollback(?!\s+(?:(?:work|transaction)\s+)?to\b)|prepare\s+transaction)\b/i;

const { BOOL, INT2, INT4, FLOAT4, FLOAT8, JSON: ofJson, JSONB } = types.builtins;
const ofJavaScript = new Set<number>([BOOL, INT2, INT4, FLOAT4, FLOAT8, ofJson, JSONB]);
/** All other values stay PostgreSQL's text: a date has no time zone, a bigint may have more digits than a number. */
const getTypeParser = (oid: number) => (ofJavaScript.has(oid) ? types.getTypeParser(oid) : String);

/**
 * Returns the result of each statement. Where one fails, nothing was written.
 * @throws ScriptError, and the signal's reason
 */
export async function runScripts(
  { db, openConnection }: CommandDatabase,
  scripts: readonly Script[],
  signal: AbortSignal,
): Promise<QueryArrayResult<unknown[]>[]> {
  const steps = scripts.flatMap((script) => splitStatements(script.text).map((statement) => ({ script, statement })));
  const refused = steps.filter(({ statement }) => ofTransactions.test(statement.text));
  const advice = 'all of it runs in one transaction: remove this statement';
  if (refused.length > 0) throw new ScriptError(refused.map((step) => describe(step, advice)).join('\n'));
  const client = await openConnection();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ backend: number }>('select pg_backend_pid() as backend');
    const cancel = () => cancelStatement(db, rows[0]?.backend ?? 0);
    signal.addEventListener('abort', cancel, { once: true });
    const results: QueryArrayResult<unknown[]>[] = [];
    for (const step of steps) {
      signal.throwIfAborted();
      const query = { text: step.statement.text, rowMode: 'array', types: { getTypeParser } } as const;
      const result = await client.query<unknown[]>(query).catch((error: unknown) => {
        throw error instanceof DatabaseError ? new ScriptError(describeError(step, error), { cause: error }) : error;
      });
      // A piece of several statements has several.
      results.push(...[result].flat());
    }
    signal.removeEventListener('abort', cancel);
    signal.throwIfAborted();
    await client.query('commit');
    return results;
  } finally {
    // Which rolls back what wasn't committed.
    await client.end();
  }
}

interface Step {
  readonly script: Script;
  readonly statement: Statement;
}

function describeError(step: Step, { message, position, detail, hint, where }: DatabaseError): string {
  const lines = [detail, hint, where].filter((line) => line !== undefined).map((line) => `  ${line}`);
  // PostgreSQL counts code points from 1. An error of a value or a constraint has no place but its statement.
  const before = Array.from(step.statement.text)
    .slice(0, Number(position ?? 1) - 1)
    .join('');
  return [describe(step, message, before), ...lines].join('\n');
}

function describe({ script: { file, text }, statement: { at } }: Step, message: string, before = ''): string {
  const lines = `${text.slice(0, at)}${before}`.split('\n');
  return `${file}:${lines.length}:${Array.from(lines.at(-1) ?? '').length + 1} ${message}`;
}
