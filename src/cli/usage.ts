// The arguments of a command, its exit codes, and the errors that it may throw.
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { didYouMean } from '../base/nearest.ts';
import { UserError } from '../base/failure.ts';
import type { SeedError } from '../seeds/format/seed-errors.ts';

// 78 is EX_CONFIG of sysexits.h. A shell reports 130 for a program that SIGINT ended.
export const exits = { done: 0, no: 1, wrong: 2, unusable: 78, interrupted: 130 } as const;

export const exitCodes =
  'Exit: 0 done; 1 the answer is no, such as for an invalid seed, or standard output failed;\n' +
  '2 wrong usage or configuration, or a server that is unreachable; 130 Ctrl-C.';

/** For a supervisor: it tries again after 1, and not after 2 or 78. */
export const supervisedCodes =
  '1 a later attempt may succeed: the port is taken, the database is away;\n' +
  '2 wrong usage; 78 no attempt succeeds: a wrong variable, seed, password or database';

/** Wrong arguments. The usage lines follow the message. */
export class UsageError extends UserError {}

/** A transaction failed for a reason that the user can mend; nothing was written. */
export class RefusedError extends Error {}

/** An AbortSignal's reason: the user ended the command. The message says how. */
export class Interruption extends UserError {}

export class OutputError extends Error {}

export function describeSeedErrors({ message, errors, more }: SeedError) {
  const count = errors.length + more;
  return `${message}\n${count} ${count === 1 ? 'error' : 'errors'}; nothing was written.`;
}

export type Options = NonNullable<ParseArgsConfig['options']>;

export type Values<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; strict: true; allowPositionals: true }>
>['values'];

/** @param value the name of the value in the usage */
export const valued = (value: string, help: string) => ({ type: 'string', value, help }) as const;
export const flag = (help: string) => ({ type: 'boolean', default: false, help }) as const;

export function describeOptions(options: Options) {
  const all = Object.entries(options as Record<string, { value?: string; help?: string }>);
  const lines = all.map(([name, { value = '', help = '' }]) => [`--${name} ${value}`.trim(), help] as const);
  const width = Math.max(0, ...lines.map(([head]) => head.length));
  return lines.map(([head, help]) => `  ${head.padEnd(width)}  ${help}`).join('\n');
}

/** Throws UsageError, or an error of parseArgs. */
export function parseArguments<const O extends Options>(args: string[], options: O, expected: readonly string[]) {
  // Unknown options are refused here: parseArgs's error would also explain operands
  // with a dash.
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  const unknown = tokens.find((token) => token.kind === 'option' && !Object.hasOwn(options, token.name));
  if (unknown?.kind === 'option') {
    const known = [...Object.keys(options), 'help'].map((name) => `--${name}`);
    throw new UsageError(`unknown option ${unknown.rawName}${didYouMean(`--${unknown.name}`, known)}`);
  }
  const { values, positionals } = parseArgs({ args, options, strict: true, allowPositionals: true });
  // A script's unset variable makes an option empty.
  const empty = Object.entries(values).find(([, value]) => [value].flat().includes(''));
  if (empty !== undefined) throw new UsageError(`--${empty[0]} is empty`);
  checkOperands(expected, positionals);
  return { values, operands: positionals };
}

function checkOperands(expected: readonly string[], operands: readonly string[]) {
  const missing = expected.filter((operand) => !operand.startsWith('['))[operands.length];
  if (missing !== undefined) throw new UsageError(`missing ${missing.replace('...', '')}`);
  const extra = /\.\.\.\]?$/.test(expected.at(-1) ?? '') ? undefined : operands[expected.length];
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}"`);
  const empty = operands.indexOf('');
  if (empty !== -1) throw new UsageError(`argument ${empty + 1} is empty`);
}

export function readCount(option: string, text: string, min: number, max = Infinity) {
  const count = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= min && count <= max) return count;
  const range = max === Infinity ? `from ${min}` : `from ${min} to ${max}`;
  throw new UsageError(`${option} must be a whole number ${range}, not "${text}"`);
}

/** Returns the URL without a final slash or the default port. */
export function readUrlOption(option: string, text: string | undefined) {
  if (text === undefined) throw new UsageError(`missing ${option} URL`);
  const url = URL.parse(text);
  // The text is not repeated: it may hold a password.
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`${option} must begin with http:// or https://`);
  if (url.username || url.password) throw new UsageError(`${option} must not carry a user or a password`);
  if (url.search || url.hash) throw new UsageError(`${option} must end with its path, without query and fragment`);
  return url.href.replace(/\/+$/, '');
}
