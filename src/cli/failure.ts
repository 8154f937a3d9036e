// How a command fails.
import { UserError } from '../base/errors.ts';
import type { SeedError } from '../seeds/format/seed-errors.ts';

// 78 is sysexits' EX_CONFIG, and 130 what a shell reports of a program that SIGINT ended.
export const exits = { done: 0, no: 1, wrong: 2, unusable: 78, interrupted: 130 } as const;

export const exitCodes =
  'Exit: 0 done; 1 the answer is no: an invalid seed, an unknown sandbox; or standard output could not be written;\n' +
  '2 wrong usage or configuration, or a server that is unreachable; 130 Ctrl-C.';

/** For a supervisor, which tries again after 1 and not after the others. */
export const supervisedCodes =
  '1 a later attempt may succeed: the port is taken, the database is away;\n' +
  '2 wrong usage; 78 it will not: a wrong variable, seed or password, a database of another program';

/** Wrong arguments: the command's usage follows the message. */
export class UsageError extends UserError {}

/** What a transaction failed on that its user can mend; nothing was written. */
export class RefusedError extends Error {}

/** A signal's reason where the user ends the command; the message says how. */
export class Interruption extends UserError {}

export class OutputError extends Error {}

export function describeSeedErrors({ message, errors, more }: SeedError) {
  const count = errors.length + more;
  return `${message}\n${count} ${count === 1 ? 'error' : 'errors'}; nothing was written.`;
}
