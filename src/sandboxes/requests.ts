// What a new sandbox is asked for, checked: every fault at once, in the documented form of errors.
import { findNearest } from '../nearest.ts';
import { type ErrorLine, validationError } from '../errors.ts';
import type { SeedText } from '../seed/read-text.ts';
import type { FirstFaults } from '../seed/seed-faults.ts';

export interface SandboxRequest {
  /** A shipped seed or another sandbox. */
  readonly from?: string;
  readonly seed?: SeedText;
  readonly expires_in_seconds: number;
}

export const defaultLifetimeSeconds = 24 * 60 * 60;
const shortestSeconds = 60;
const longestSeconds = 30 * 24 * 60 * 60;
const keys = ['from', 'seed', 'expires_in_seconds'];

// Their faults are shown, and how many others there are.
const mostUnknown = 100;

/**
 * Reads a body; an empty one asks for what `default` began with. Throws ApiError 400.
 * @param text what the body was read from: the faults of a seed in it are found there
 */
export function readSandboxRequest(body: unknown, text = JSON.stringify(body)): SandboxRequest {
  if (body === undefined || body === null) return { expires_in_seconds: defaultLifetimeSeconds };
  if (!isObject(body)) throw validationError([fault(null, 'invalid', 'The body is no object.')]);
  const { from, seed, expires_in_seconds: seconds = defaultLifetimeSeconds } = body;
  const unknown = Object.keys(body).filter((key) => !keys.includes(key));
  const faults = unknown.slice(0, mostUnknown).map((key) => unknownKey(key, keys));
  if (unknown.length > mostUnknown)
    faults.push(fault(null, 'unknown', `and ${unknown.length - mostUnknown} more unknown keys`));
  if (from !== undefined && typeof from !== 'string')
    faults.push(fault('from', 'invalid', 'Must be the name of a shipped seed or of a sandbox.'));
  if (seed !== undefined && !isObject(seed) && typeof seed !== 'string')
    faults.push(fault('seed', 'invalid', 'Must be a seed, an object, or its text.'));
  if (from !== undefined && seed !== undefined)
    faults.push(fault('seed', 'invalid', 'Takes either from or seed, not both.'));
  if (!isWithin(seconds, shortestSeconds, longestSeconds))
    faults.push(
      fault('expires_in_seconds', 'invalid', `Must be a whole number from ${shortestSeconds} to ${longestSeconds}.`),
    );
  if (faults.length > 0) throw validationError(faults);
  return {
    ...(from === undefined ? {} : { from: from as string }),
    ...(seed === undefined
      ? {}
      : { seed: typeof seed === 'string' ? { text: seed, file: 'inline' } : { text, file: 'inline', at: ['seed'] } }),
    expires_in_seconds: seconds as number,
  };
}

export const fault = (attr: string | null, code: string, detail: string): ErrorLine => ({ code, detail, attr });

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isWithin = (value: unknown, low: number, high: number): value is number =>
  Number.isInteger(value) && (value as number) >= low && (value as number) <= high;

export function unknownKey(key: string, known: readonly string[], path = ''): ErrorLine {
  const nearest = findNearest(key, known);
  const hint = nearest === undefined ? `known are ${known.join(', ')}` : `did you mean ${nearest}?`;
  return fault(path + key, 'unknown', `Not a known key; ${hint}`);
}

/** A seed's faults, each with its place. */
export const seedRefused = ({ faults, more }: FirstFaults) =>
  validationError([
    ...faults.map(({ path, message, line, column }) =>
      fault(path === '' ? null : path, 'invalid_seed', `${message} (line ${line}, column ${column})`),
    ),
    ...(more > 0 ? [fault(null, 'invalid_seed', `and ${more} more ${more === 1 ? 'fault' : 'faults'}`)] : []),
  ]);

const namePattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
// What scripts write where a variable of theirs is not set, and names that mean something else.
const reserved = ['default', 'all', 'new', 'none', 'null', 'undefined', 'nan', 'true', 'false'];

/** Throws ApiError 400 for a name that no new sandbox may have. */
export function checkNewName(name: string, shippedSeeds: readonly string[]): void {
  if (!namePattern.test(name))
    throw validationError([
      fault('name', 'invalid', 'A name has 1 to 63 of a to z, 0 to 9 and -, and neither begins nor ends with -.'),
    ]);
  if (reserved.includes(name)) throw validationError([fault('name', 'reserved', `The name ${name} is reserved.`)]);
  if (shippedSeeds.includes(name))
    throw validationError([fault('name', 'reserved', `The name ${name} is that of a seed that ships.`)]);
}

/** Throws ApiError 400 for what can't be a snapshot's name. */
export function checkSnapshotName(name: string): void {
  if (!namePattern.test(name))
    throw validationError([fault('snapshot', 'invalid', 'A snapshot is named as a sandbox: a to z, 0 to 9 and -.')]);
}
