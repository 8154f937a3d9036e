// Patterns of paths, in fault rules and filters of the journal. Clients send them, so the work is bounded: each
// character of a path is compared once with all positions of the pattern, which are the bits of a few numbers.

export const maxPatternLength = 200;
/** Only so much of a longer path is compared. */
export const maxPathLength = 1000;

type Characters = Pick<string, 'length' | 'charCodeAt'>;

const slash = 0x2f;

/** `*` stands for a part of a path, `**` for any number of parts. */
export function pathPattern(pattern: string): (path: Characters) => boolean {
  // A character, `*` or `**` each.
  const steps = [...pattern.matchAll(/\*+|[^*]/gs)].map(([text]) => text);
  const words = (steps.length >> 5) + 1;
  const stepsWhere = (fits: (step: string) => boolean): Uint32Array => {
    const set = new Uint32Array(words);
    for (const [at, step] of steps.entries()) if (fits(step)) set[at >> 5]! |= 1 << (at & 31);
    return set;
  };
  const none = new Uint32Array(words);
  const stars = stepsWhere((step) => step.startsWith('*'));
  const doubleStars = stepsWhere((step) => step.startsWith('**'));
  const byCode = new Map([...new Set(steps)].map((one) => [one.charCodeAt(0), stepsWhere((step) => step === one)]));
  // Bit n is set if the first n steps can match the path so far.
  const reached = new Uint32Array(words);

  return (path) => {
    reached.fill(0);
    // A star may also match nothing.
    reached[0] = 1 | ((stars[0]! & 1) << 1);
    const length = Math.min(path.length, maxPathLength);
    for (let at = 0; at < length; at++) {
      const code = path.charCodeAt(at);
      const fitting = byCode.get(code) ?? none;
      const staying = code === slash ? doubleStars : stars;
      let carry = 0;
      for (let word = 0; word < words; word++) {
        const before = reached[word]!;
        const done = before & fitting[word]!;
        const after = (done << 1) | carry | (before & staying[word]!);
        const passed = after & stars[word]!;
        reached[word] = after | (passed << 1);
        carry = (done | passed) >>> 31;
      }
    }
    return ((reached[steps.length >> 5]! >>> (steps.length & 31)) & 1) === 1;
  };
}
