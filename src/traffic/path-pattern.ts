// Patterns of paths, in fault rules and filters of the journal. Clients send them, so the work is bounded: each
// character of a path is compared once with each position of the pattern.

export const maxPatternLength = 200;
/** Only so much of a longer path is compared. */
export const maxPathLength = 1000;

/** The part of a string that is needed to match it. */
type Characters = Pick<string, 'length' | 'charCodeAt'>;

const slash = 0x2f;
// Beyond every UTF-16 code unit.
const anyInPart = 0x1_0000;
const anything = 0x1_0001;

/** `*` stands for a part of a path, `**` for any number of parts. */
export function pathPattern(pattern: string): (path: Characters) => boolean {
  const steps = Uint32Array.from(
    [...pattern.matchAll(/\*+|[^*]/gs)].map(([text]) =>
      text === '*' ? anyInPart : text.startsWith('*') ? anything : text.charCodeAt(0),
    ),
  );
  return (path) => matches(steps, path);
}

// Follows all ways to match at once: `reached[n]` is 1 if the first n steps can match the path so far.
function matches(steps: Uint32Array, path: Characters): boolean {
  let reached = new Uint8Array(steps.length + 1);
  reach(steps, reached, 0);
  const length = Math.min(path.length, maxPathLength);
  for (let at = 0; at < length; at++) {
    const code = path.charCodeAt(at);
    const next = new Uint8Array(steps.length + 1);
    for (const [done, step] of steps.entries()) {
      if (reached[done] === 0) continue;
      if (step === anything || (step === anyInPart && code !== slash)) reach(steps, next, done);
      else if (step === code) reach(steps, next, done + 1);
    }
    reached = next;
  }
  return reached[steps.length] === 1;
}

// A star may also match nothing.
function reach(steps: Uint32Array, reached: Uint8Array, done: number): void {
  reached[done] = 1;
  if ((steps[done] ?? 0) >= anyInPart) reached[done + 1] = 1;
}
