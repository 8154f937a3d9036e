// Reads one value of a body as Weblate does: what each kind of field accepts, and the words of refusals
// (transcripts create__types, users__create-invalid, users__groups, users__profile).
import type { TSchema } from '@sinclair/typebox';
import type { ErrorLine } from '../../base/errors.ts';
import { membersOf } from '../operation.ts';
import { pythonInteger, strip, stripEnd } from '../wire/python-input.ts';
import { JsonNumber, pythonText, pythonType } from '../wire/python-text.ts';
import { readDateTime } from './read-date-time.ts';

/** `at` is the place in the value: `.0` in a list. */
type FieldError = Omit<ErrorLine, 'attr'> & { readonly at?: string };

export type Read = { readonly value: unknown } | { readonly errors: readonly FieldError[] };

export const noInteger = 'A valid integer is required.';

/** A rule for a text. Only the first broken rule is reported. */
export interface TextRule {
  /** A regular expression, used with the flag u. */
  readonly pattern?: string;
  readonly accepts?: (text: string) => boolean;
  readonly detail: string;
}

/** A schema's key for its TextRules. */
export const textRules = 'x-rules';

const refuse = (detail: string, code = 'invalid'): Read => ({ errors: [{ code, detail }] });

/** @param clock the sandbox's fixed time, `2026-01-02T03:04:05.000000Z`; null for the real time */
export function readValue(property: TSchema, given: unknown, clock: string | null = null): Read {
  const inner = membersOf(property).filter(({ type }) => type !== 'null');
  if (inner.some((schema) => 'const' in schema)) return readChoice(inner, given);
  const schema = inner[0] ?? property;
  if (schema['format'] === 'date-time') return readFuture(given, clock);
  if (schema['type'] === 'boolean') return readBoolean(given);
  if (schema['type'] === 'integer') return readInteger(schema, given);
  if (schema['type'] === 'array') return readList(schema, given);
  return readText(schema, given);
}

/** Compares choices as text: "10" is 10, but neither true nor 1.0 is 1 (transcript create__types). */
function readChoice(choices: readonly TSchema[], given: unknown): Read {
  const text = pythonText(given);
  const choice = choices.find((schema) => String(schema['const']) === text);
  return choice ? { value: choice['const'] } : refuse(`"${text}" is not a valid choice.`, 'invalid_choice');
}

// A number is read as its text. White space around a text is dropped. `minLength` 0 allows empty texts.
function readText(schema: TSchema, given: unknown): Read {
  if (typeof given === 'string' && strip(given) === '')
    return schema['minLength'] === 0 ? { value: '' } : refuse('This field may not be blank.', 'blank');
  const isNumber = typeof given === 'number' || given instanceof JsonNumber;
  if (typeof given !== 'string' && !isNumber) return refuse('Not a valid string.');
  const value = strip(pythonText(given));
  const errors = textErrors(schema, value);
  return errors.length === 0 ? { value } : { errors };
}

function textErrors(schema: TSchema, value: string) {
  const rules = (schema[textRules] ?? []) as readonly TextRule[];
  const broken = rules.find(
    ({ pattern = '', accepts }) => !new RegExp(pattern, 'u').test(value) || accepts?.(value) === false,
  );
  const { maxLength = Infinity } = schema;
  const isLong = Array.from(value).length > maxLength;
  return [
    ...errorIf(broken !== undefined, 'invalid', broken?.detail ?? ''),
    ...errorIf(isLong, 'max_length', `Ensure this field has no more than ${maxLength} characters.`),
    ...characterErrors(value),
  ];
}

/** For characters that PostgreSQL's text can't hold. */
export function characterErrors(value: string) {
  const surrogate = /\p{Cs}/u.exec(value)?.[0].codePointAt(0)?.toString(16).toUpperCase();
  const refused = `Surrogate characters are not allowed: U+${surrogate}.`;
  return [
    ...errorIf(value.includes('\0'), 'null_characters_not_allowed', 'Null characters are not allowed.'),
    ...errorIf(surrogate !== undefined, 'surrogate_characters_not_allowed', refused),
  ];
}

const errorIf = (isBroken: boolean, code: string, detail: string) => (isBroken ? [{ code, detail }] : []);

const yes = new Set(['t', 'y', 'yes', 'true', 'on', '1']);
const no = new Set(['f', 'n', 'no', 'false', 'off', '0']);

// Words in any case, but without white space around them.
function readBoolean(given: unknown): Read {
  if (typeof given === 'boolean') return { value: given };
  // 1.0 is read as 1.
  const text = given instanceof JsonNumber ? String(Number(given.source)) : pythonText(given).toLowerCase();
  return yes.has(text) ? { value: true } : no.has(text) ? { value: false } : refuse('Must be a valid boolean.');
}

// As Python's int(), but a point and zeros may end the text: "1_0" is 10, "3." and 3.0 are 3;
// 3.5 is refused.
function readInteger({ minimum = -Infinity, maximum = Infinity }: TSchema, given: unknown): Read {
  const text = pythonText(given);
  const value = pythonInteger(/^(.*)\.0*$/s.exec(stripEnd(text))?.[1] ?? text);
  if (value === undefined) return refuse(noInteger);
  if (value < minimum) return refuse(`Ensure this value is greater than or equal to ${minimum}.`, 'min_value');
  return value > maximum ? refuse(`Ensure this value is less than or equal to ${maximum}.`, 'max_value') : { value };
}

function readList({ items, maxItems = Infinity }: TSchema, given: unknown): Read {
  if (!Array.isArray(given))
    return refuse(`Expected a list of items but got type "${pythonType(given)}".`, 'not_a_list');
  if (given.length > maxItems) return refuse(`Ensure this field has no more than ${maxItems} elements.`, 'max_length');
  const reads = given.map((item: unknown) => readValue(items, item));
  const errors = reads.flatMap((read, i) =>
    'value' in read ? [] : read.errors.map((error) => ({ ...error, at: `.${i}` })),
  );
  return errors.length > 0 ? { errors } : { value: reads.map((read) => 'value' in read && read.value) };
}

const dateTimeForms = 'YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]';

// The only date that clients write, an account's end, must not be past.
function readFuture(given: unknown, clock: string | null): Read {
  const value = typeof given === 'string' ? readDateTime(given) : undefined;
  if (value === undefined)
    return refuse(`Datetime has wrong format. Use one of these formats instead: ${dateTimeForms}.`);
  if (value === 'overflow') return refuse('Datetime value out of range.', 'overflow');
  const now = clock ?? new Date().toISOString().replace('Z', '000Z');
  if (value >= now) return { value };
  // Python writes no fraction if it is zero.
  const least = now.replace('T', ' ').replace(/(?:\.000000)?Z$/, '+00:00');
  return refuse(`Ensure this value is greater than or equal to ${least}.`, 'min_value');
}
