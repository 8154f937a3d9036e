// Patterns of paths, in fault rules and filters. Clients send them, so the work is bounded: each character of
// a path is compared once with all positions of the pattern, which are bits of a few numbers.

export const maxPatternLength = 200;
/** A longer path is compared up to this length. */
export const maxPathLength = 1000;

// Characters that no path has. They stand for one whole segment, and for any number of segments with their
// slashes.
const [segment, segments] = ['\0', '\u0001'];

/** `*` is one segment of a path or a piece of one, `**` any number of segments. */
export function pathPattern(pattern: string): (path: Pick<string, 'length' | 'charCodeAt'>) => boolean {
  const marked = pattern.replaceAll(/(?<=^|\/)\*(?=\/|$)/g, segment).replaceAll(/(?<=\/)(?:\*\*+\/)+/g, segments);
  // Each step is a character, `*` or `**`.
  const steps = [...marked.matchAll(/\*+|[^*]/gs)].map(([text]) => text);
  const words = (steps.length >> 5) + 1;
  const stepsWhere = (fits: (step: string) => boolean): Uint32Array => {
    const set = new Uint32Array(words);
    for (const [at, step] of steps.entries()) if (fits(step)) set[at >> 5]! |= 1 << (at & 31);
    return set;
  };
  const none = new Uint32Array(words);
  const stars = stepsWhere((step) => step.startsWith('*'));
  const all = stepsWhere((step) => step.startsWith('*') || step === segment || step === segments);
  const double = stepsWhere((step) => step.startsWith('**') || step === segments);
  const byCode = new Map([...new Set(steps)].map((one) => [one.charCodeAt(0), stepsWhere((step) => step === one)]));
  const whole = stepsWhere((step) => step === segment);
  const several = stepsWhere((step) => step === segments);
  // Bit n is set if the first n steps can match the path so far.
  const reached = new Uint32Array(words);

  return (path) => {
    reached.fill(0);
    // A star may match nothing.
    reached[0] = 1 | ((stars[0]! & 1) << 1);
    const length = Math.min(path.length, maxPathLength);
    for (let at = 0; at < length; at++) {
      const code = path.charCodeAt(at);
      const isSlash = code === 0x2f;
      const fitting = byCode.get(code) ?? none;
      const staying = isSlash ? double : all;
      const ending = isSlash ? several : whole;
      let carry = 0;
      for (let word = 0; word < words; word++) {
        const before = reached[word]!;
        const done = before & (fitting[word]! | ending[word]!);
        const entered = (done << 1) | carry;
        const skipped = entered & several[word]!;
        const after = entered | (skipped << 1) | (before & staying[word]!);
        const passed = after & stars[word]!;
        reached[word] = after | (passed << 1);
        carry = (done | skipped | passed) >>> 31;
      }
    }
    return ((reached[steps.length >> 5]! >>> (steps.length & 31)) & 1) === 1;
  };
}
