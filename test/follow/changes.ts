// How a release's answers differ from those of the mirrored release, by operation and class.
import {
  countSteps,
  describeMember,
  excerpt,
  type FoundDifference,
  operationOf,
  toMember,
} from '../transcripts/engine/classes.ts';
import type { Report } from '../differential/differ.ts';

/** All steps that differ in the same place of the same operation in the same way. */
export interface Change {
  readonly operation: string;
  /** The class within the operation: `body.results[].component text → object`. */
  readonly kind: string;
  readonly place: string;
  /** The mirrored release's answer, shortened to where the two answers start to differ. */
  readonly before: string;
  readonly now: string;
  /** The first request that shows the change, by the title of its step. */
  readonly request: string;
  /** The scenario of this request; none for a generated request. */
  readonly scenario?: string;
  readonly steps: number;
}

export interface Seen extends Omit<FoundDifference, 'step'> {
  readonly title: string;
  readonly scenario?: string;
}

/** The most telling differences of a step: with another status or other entries, all else differs too. */
export function listMain(found: readonly Seen[]): readonly Seen[] {
  const has = (place: RegExp) => found.filter(({ mismatch }) => place.test(mismatch.place));
  const [ofStatus, ofEntries] = [has(/^status$/u), has(/^body\.results(?:\[\d+\]\.id)?$/u)];
  if (ofStatus.length > 0) return ofStatus;
  return ofEntries.length > 0 ? ofEntries : found;
}

/** Operations and classes are in the order in which they were first seen. */
export function listChanges(seen: readonly Seen[]): Change[] {
  const classes = Map.groupBy(seen, ({ request, mismatch }) => `${operationOf(request)}\n${describeMember(mismatch)}`);
  const changes = [...classes.values()].map(makeChange);
  const shown = new Set(changes.map(({ kind }) => kind));
  // Drops what was read after a write if such a read also changed by itself: the write isn't the cause.
  return changes.filter(({ kind }) => !kind.startsWith(left) || !shown.has(kind.slice(left.length)));
}

/** Prefix of the places that are read after a generated write. */
const left = 'left ';

function makeChange(members: readonly Seen[]): Change {
  const [{ request, mismatch, title, scenario }] = members as [Seen];
  const [before, now] = excerpt(mismatch.expected, mismatch.received);
  return {
    operation: operationOf(request),
    kind: describeMember(mismatch),
    place: toMember(mismatch),
    before,
    now,
    request: title,
    ...(scenario !== undefined && { scenario }),
    steps: countSteps(members.map((one) => ({ ...one, step: `${one.scenario}: ${one.title}` }))),
  };
}

/** A generated run's differences as changes, with the answers exchanged: the run expects the release's. */
export const seenByGenerator = (
  { classes }: Report,
  titleOf: (request: Seen['request']) => string,
  redact: (text: string) => string,
): Seen[] =>
  [...classes.values()].map(({ result, mismatch: { place, expected, received }, steps: times }) => {
    const { request } = result.step;
    const mismatch = { place, expected: redact(received), received: redact(expected) };
    return { request, mismatch, title: redact(titleOf(request)), times };
  });
