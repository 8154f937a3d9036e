// How a command fails: its exit codes, and the errors whose message is all that the user needs.
import { UserError } from '../base/errors.ts';
import type { SeedError } from '../seeds/format/seed-errors.ts';

export const exits = {
  done: 0,
  /** The answer is no: an invalid seed, an unknown sandbox. */
  no: 1,
  /** Wrong usage or configuration, or a server that is unreachable. */
  wrong: 2,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** Wrong arguments: the command's usage follows the message. */
export class UsageError extends UserError {}

/** What is wrong with SQL and where: lines of `FILE:LINE:COL MESSAGE`. */
export class ScriptError extends Error {}

/** The reason of an abort by the command's user; the message says how it came. */
export class Interruption extends UserError {}

export function describeSeedErrors({ message, errors, more }: SeedError): string {
  const count = errors.length + more;
  return `${message}\n${count} ${count === 1 ? 'error' : 'errors'}; nothing was written.`;
}
