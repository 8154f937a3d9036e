// The rules of faults as people write them, checked: every fault of theirs at once.
import { type ErrorLine, validationError } from '../errors.ts';
import { maxPatternLength } from './path-pattern.ts';
import { fault, isObject, isWithin, unknownKey } from '../sandboxes/requests.ts';

export interface FaultRule {
  /** Shown in X-Understudy-Fault. */
  readonly name: string;
  readonly method: string | undefined;
  /** Under the base: `/api/users/*` + `/notifications/`; `*` stands for a part of the path, `**` for any number of them. */
  readonly path: string | undefined;
  /** Whose token the request carries. */
  readonly user: string | undefined;
  readonly delayMs: { readonly min: number; readonly max: number } | undefined;
  readonly status: number | undefined;
  /** With status: a JSON value, or a text that is sent as it is. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** `close`: no answer at all; `cut`: the connection breaks in the middle of the answer. */
  readonly connection: 'close' | 'cut' | undefined;
  /** Strikes this many times. */
  readonly next: number | undefined;
  /** Strikes this share of the requests, 0 to 1. */
  readonly share: number | undefined;
  readonly expiresInSeconds: number;
}

export interface FaultRules {
  readonly rules: readonly FaultRule[];
  /** Of the generator that share and delays are drawn with. */
  readonly seed: number;
}

const keys = ['seed', 'rules'];
const ruleKeys = 'name method path user delay_ms status body headers connection next share expires_in_seconds'.split(
  ' ',
);
const defaultSeconds = 300;
const longestSeconds = 86_400;
const longestDelayMs = 60_000;
const maxRules = 50;

/** Throws ApiError 400 with all that is wrong. */
export function readFaultRules(body: unknown): FaultRules {
  if (!isObject(body)) throw validationError([fault(null, 'invalid', 'The body must be an object with rules.')]);
  const { rules, seed = 1 } = body;
  const faults = Object.keys(body).flatMap((key) => (keys.includes(key) ? [] : [unknownKey(key, keys)]));
  if (!Number.isSafeInteger(seed)) faults.push(fault('seed', 'invalid', 'Must be a whole number.'));
  const isList = Array.isArray(rules) && rules.length <= maxRules;
  if (!isList) faults.push(fault('rules', 'invalid', `Must be a list of at most ${maxRules} rules.`));
  const read = isList ? rules.map((rule: unknown, i) => readRule(rule, i, faults)) : [];
  if (faults.length > 0) throw validationError(faults);
  return { rules: read as FaultRule[], seed: seed as number };
}

type Check = readonly [key: string, isRight: (value: unknown) => boolean, must: string];
const isText = (value: unknown) => typeof value === 'string' && value !== '';
const checks: readonly Check[] = [
  ['name', (value) => isText(value) && /^[\x20-\x7e]{1,100}$/.test(value as string), 'be 1 to 100 characters of ASCII'],
  ['method', (value) => isText(value) && /^[A-Z]+$/.test(value as string), 'be a method in capitals, such as GET'],
  [
    'path',
    (value) => isText(value) && (value as string).startsWith('/') && (value as string).length <= maxPatternLength,
    `begin with / and have at most ${maxPatternLength} characters; * stands for one part of a path, ** for any`,
  ],
  ['user', isText, 'be a username'],
  ['delay_ms', isDelay, `be milliseconds from 0 to ${longestDelayMs}, or {min, max} of them`],
  ['status', (value) => isWithin(value, 200, 599), 'be a status from 200 to 599'],
  ['headers', isHeaders, 'be names of headers with texts'],
  ['connection', (value) => value === 'close' || value === 'cut', 'be close or cut'],
  ['next', (value) => isWithin(value, 1, 1_000_000), 'be a number of requests from 1'],
  ['share', (value) => typeof value === 'number' && value > 0 && value <= 1, 'be more than 0 and at most 1'],
  ['expires_in_seconds', (value) => isWithin(value, 1, longestSeconds), `be seconds from 1 to ${longestSeconds}`],
];

function readRule(rule: unknown, index: number, faults: ErrorLine[]): FaultRule | undefined {
  const at = `rules[${index}]`;
  if (!isObject(rule)) {
    faults.push(fault(at, 'invalid', 'Must be an object.'));
    return undefined;
  }
  const before = faults.length;
  for (const key of Object.keys(rule)) if (!ruleKeys.includes(key)) faults.push(unknownKey(key, ruleKeys, `${at}.`));
  for (const [key, isRight, must] of checks)
    if (rule[key] !== undefined && !isRight(rule[key])) faults.push(fault(`${at}.${key}`, 'invalid', `Must ${must}.`));
  const { delay_ms: delay, status, connection, body } = rule;
  if (delay === undefined && status === undefined && connection === undefined)
    faults.push(fault(at, 'invalid', 'Does nothing: it needs delay_ms, status or connection.'));
  if (status !== undefined && connection !== undefined)
    faults.push(fault(`${at}.connection`, 'invalid', 'Takes either status or connection.'));
  if (status === undefined && (body !== undefined || rule['headers'] !== undefined))
    faults.push(fault(`${at}.status`, 'required', 'A body and headers need a status.'));
  if (faults.length > before) return undefined;
  const given = rule as Record<string, never>;
  return {
    name: given['name'] ?? String(index + 1),
    method: given['method'],
    path: given['path'],
    user: given['user'],
    delayMs: typeof delay === 'number' ? { min: delay, max: delay } : given['delay_ms'],
    status: given['status'],
    body,
    headers: given['headers'] ?? {},
    connection: given['connection'],
    next: given['next'],
    share: given['share'],
    expiresInSeconds: given['expires_in_seconds'] ?? defaultSeconds,
  };
}

function isDelay(value: unknown): boolean {
  if (!isObject(value)) return isWithin(value, 0, longestDelayMs);
  const { min, max, ...others } = value;
  const isRange = isWithin(min, 0, longestDelayMs) && isWithin(max, 0, longestDelayMs) && min <= max;
  return isRange && Object.keys(others).length === 0;
}

function isHeaders(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(
      ([name, text]) => /^[A-Za-z0-9-]+$/.test(name) && typeof text === 'string' && /^[\x20-\x7e]*$/.test(text),
    )
  );
}
