// Names for prepared statements. A named statement is parsed and planned once a connection; Kysely's own driver names none.
import { hash } from 'node:crypto';

/** Gives a SQL text its name on the wire, or undefined where it should be sent without one. */
export type StatementNames = (text: string) => string | undefined;

/**
 * Names by content, so that processes that share a pooler's connections agree on them. Every name costs memory in each server
 * process: beyond `limit` texts, further ones go without.
 */
export function nameStatements(limit = 200): StatementNames {
  const names = new Map<string, string>();
  return (text) => {
    let name = names.get(text);
    if (name === undefined && names.size < limit) {
      name = `understudy_${hash('sha256', text).slice(0, 16)}`;
      names.set(text, name);
    }
    return name;
  };
}

/** For pools that can't hold prepared statements (PgBouncer before 1.21). */
export const withoutNames: StatementNames = () => undefined;
