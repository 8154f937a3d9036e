// Compares two JSON values exactly, with order of keys and numbers as written. Times compare by their form.
import { isMembers, type Json } from './raw-json.ts';

/** Both sides are text to read: JSON, a header's value, or words. */
export interface Mismatch {
  /** `status`, `header vary`, `body.results[0].id`; `body` if the bodies are of different kinds, `text` for a text. */
  place: string;
  expected: string;
  received: string;
}

interface JsonRules {
  detailPrefix?: string | undefined;
  unordered: ReadonlySet<string>;
  addedKeys?: Readonly<Record<string, readonly string[]>>;
}

/** `undefined` stands for an absent value. */
type Value = Json | undefined;

type Members = { [key: string]: Json };

const show = (value: Value): string => (value === undefined ? '(absent)' : JSON.stringify(value));

export function compareJson(place: string, expected: Value, received: Value, rules: JsonRules): Mismatch[] {
  if (Array.isArray(expected) && Array.isArray(received)) return compareLists(place, expected, received, rules);
  if (isMembers(expected) && isMembers(received)) return compareObjects(place, expected, received, rules);
  const areTexts = typeof expected === 'string' && typeof received === 'string';
  const isSame = areTexts ? isSameText(expected, received) : show(expected) === show(received);
  return isSame ? [] : [{ place, expected: show(expected), received: show(received) }];
}

function compareLists(place: string, expected: Json[], received: Json[], rules: JsonRules): Mismatch[] {
  const compareAt = (index: number) => compareJson(`${place}[${index}]`, expected[index], received[index], rules);
  if (expected.length === received.length) return expected.flatMap((_item, index) => compareAt(index));
  // One entry more or less shifts all that follow, so the first difference is enough.
  let first = 0;
  while (compareAt(first).length === 0) first++;
  const describe = (list: Json[]) => `${list.length} entries, at ${first}: ${show(list[first])}`;
  return [{ place, expected: describe(expected), received: describe(received) }];
}

function compareObjects(place: string, expected: Members, received: Members, rules: JsonRules): Mismatch[] {
  const [wanted, actual] = [new Map(Object.entries(expected)), new Map(Object.entries(received))];
  const shared = [...wanted.keys()].filter((key) => actual.has(key));
  const keys = [...new Set([...wanted.keys(), ...actual.keys()])];
  // Two objects of different kinds, such as a page and an error, are one mismatch and not one for each key.
  if (shared.length === 0 && keys.length > 0) return [{ place, expected: show(expected), received: show(received) }];
  const added = Object.entries(rules.addedKeys ?? {}).flatMap(([key, beside]) =>
    !wanted.has(key) && beside.every((one) => wanted.has(one)) ? [key] : [],
  );
  const mismatches = [...keys, ...added.filter((key) => !actual.has(key))].flatMap((key) =>
    added.includes(key)
      ? compareAdded(`${place}.${key}`, actual.get(key))
      : compareMember(place, key, wanted.get(key), actual.get(key), rules),
  );
  const order = [...actual.keys()].filter((key) => wanted.has(key));
  if (order.join('\n') !== shared.join('\n'))
    mismatches.push({ place: `${place} (order of keys)`, expected: shared.join(', '), received: order.join(', ') });
  return mismatches;
}

/** An added key must be there. Any value will do, because no value was recorded. */
const compareAdded = (place: string, received: Value): Mismatch[] =>
  received === undefined ? [{ place, expected: 'any value', received: show(received) }] : [];

function compareMember(object: string, key: string, expected: Value, received: Value, rules: JsonRules): Mismatch[] {
  const place = `${object}.${key}`;
  if (key === 'detail' && rules.detailPrefix !== undefined && typeof received === 'string') {
    if (received.startsWith(rules.detailPrefix)) return [];
    return [{ place, expected: `${show(rules.detailPrefix)} and more`, received: show(received) }];
  }
  if (!rules.unordered.has(key) || !Array.isArray(expected) || !Array.isArray(received))
    return compareJson(place, expected, received, rules);
  const [wanted, actual] = [expected, received].map((list) => list.map(show).toSorted().join(', '));
  return wanted === actual ? [] : [{ place, expected: `in any order ${wanted}`, received: `${actual}` }];
}

/** Times of a clock have fractions of a second. Times that people or seeds wrote have none, and compare exactly. */
const clockTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(?:Z|[+-]\d\d:\d\d)$/u;
const wait = /(?<=Expected available in )\d+(?= seconds?\.)/u;

/** The name of a deleted user ends with random digits if another user has the name without them. */
const randomDigits = /(?<=\b(?:deleted-|noreply\+)\d+-)[0-9a-f]{10}\b/gu;

function isSameText(expected: string, received: string): boolean {
  if (expected.replaceAll(randomDigits, '') === received.replaceAll(randomDigits, '')) return true;
  if (clockTime.test(expected)) return clockTime.test(received);
  const [ours, theirs] = [wait.exec(expected)?.[0], wait.exec(received)?.[0]];
  if (ours === undefined || theirs === undefined || !isSameWait(ours, theirs)) return false;
  return expected.replace(wait, '') === received.replace(wait, '');
}

// A wait counts from the first request and is rounded, so it may differ a little.
const waitToleranceSeconds = 2;

export function isSameWait(expected: string, received: string): boolean {
  return /^\d+$/u.test(received) && Math.abs(Number(expected) - Number(received)) <= waitToleranceSeconds;
}
