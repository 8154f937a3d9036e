// Patterns of paths, in fault rules and filters of the journal. Clients send them, so the work is bounded: each character of a path is
// compared once with each position of the pattern.

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

// Follows all ways to match at once: `reached` holds which numbers of steps may be done after so many characters.
function matches(steps: Uint32Array, path: Characters): boolean {
  let reached = new Uint8Array(steps.length + 1);
  let next = new Uint8Array(steps.length + 1);
  let low = 0;
  let high = reach(steps, reached, 0);
  const length = Math.min(path.length, maxPathLength);
  for (let at = 0; at < length; at++) {
    const code = path.charCodeAt(at);
    let nextLow = -1;
    let nextHigh = -1;
    for (let step = low; step <= high; step++) {
      if (reached[step] === 0) continue;
      reached[step] = 0;
      const wanted = steps[step];
      let done = step + 1;
      if (wanted === anything || (wanted === anyInPart && code !== slash)) done = step;
      else if (wanted !== code) continue;
      nextHigh = reach(steps, next, done);
      if (nextLow === -1) nextLow = done;
    }
    if (nextLow === -1) return false;
    [reached, next, low, high] = [next, reached, nextLow, nextHigh];
  }
  return reached[steps.length] === 1;
}

// A star may also match nothing. Returns the highest step reached.
function reach(steps: Uint32Array, reached: Uint8Array, done: number): number {
  reached[done] = 1;
  if (done === steps.length || (steps[done] as number) < anyInPart) return done;
  reached[done + 1] = 1;
  return done + 1;
}
