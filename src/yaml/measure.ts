// The size of a value with everything that it shares written out, found without recursion and with an end.

/** Counts values with their characters, levels, and keys of objects, as far as the limits. */
export function measure(root: unknown, limits: { readonly size: number; readonly depth: number }) {
  let [size, deepest, keys] = [0, 0, 0];
  let level: unknown[] = [root];
  while (level.length > 0 && deepest <= limits.depth && size <= limits.size) {
    const next: unknown[] = [];
    for (const value of level) {
      size += typeof value === 'string' ? value.length + 1 : 1;
      if (typeof value !== 'object' || value === null) continue;
      const names = Array.isArray(value) ? [] : Object.keys(value);
      keys += names.length;
      for (const name of names) size += name.length;
      if (size > limits.size) break;
      for (const inner of Object.values(value)) next.push(inner);
    }
    if (next.length > 0) deepest++;
    level = next;
  }
  return { size, depth: deepest, keys };
}
