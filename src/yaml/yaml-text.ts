// A YAML text (JSON is YAML too), its value, and the way back from a place in the value to line and column.
import { isScalar } from 'yaml';
import { type Position, type TextFault, YamlDocument } from './yaml-document.ts';

/** The keys and indexes that lead to a value. */
export type Path = readonly (string | number)[];

// A seed needs few levels, and so does a profile in it.
const maxDepth = 100;
// What aliases may expand a text to: a million characters and values, and twice its length.
const maxSize = (text: string): number => 1_000_000 + 2 * text.length;

export class YamlText {
  /** The name that faults give. */
  readonly file: string;
  readonly #text: string;
  readonly #at: Path;
  #document: YamlDocument | undefined;

  /** @param at the part of the text that counts, such as a seed in the body of a request */
  constructor(text: string, file: string, at: Path = []) {
    this.#text = text;
    this.file = file;
    this.#at = at;
  }

  /** The value, undefined where the text can't be read, and the faults of the text. */
  read(): { value: unknown; faults: readonly TextFault[] } {
    const { value, faults } = readJson(this.#text) ?? this.#parse();
    // Aliases can repeat a part of the text many times, and can lead back to themselves.
    const limits = { size: maxSize(this.#text), depth: maxDepth };
    const { size, depth } = measure(value, limits);
    const isLong = size > limits.size && 'is many times as long as its text, by its aliases';
    const excess = depth > maxDepth ? `nests deeper than ${maxDepth} levels` : isLong;
    if (excess !== false) return { value: undefined, faults: [{ line: 1, column: 1, message: excess }] };
    let inner = value;
    for (const step of this.#at) inner = (inner as Record<string | number, unknown> | null | undefined)?.[step];
    return { value: inner, faults };
  }

  /** The position of the value at `path`, or of its key; where there is none, that of the nearest thing around it. */
  locate(path: Path, at: 'key' | 'value'): Position {
    const { last, isWhole } = this.#walk(path);
    const offset = at === 'key' && isWhole ? last?.key : (last?.value ?? last?.key);
    return this.#parse().positionOf(offset ?? 0);
  }

  /** Whether something other than null is written at `path`. */
  has(path: Path): boolean {
    const { last, isWhole } = this.#walk(path);
    return isWhole && last?.node !== null && !(isScalar(last?.node) && last.node.value === null);
  }

  #walk(path: Path) {
    const steps = this.#parse().walk([...this.#at, ...path]);
    return { last: steps.at(-1), isWhole: steps.length === this.#at.length + path.length + 1 };
  }

  #parse(): YamlDocument {
    return (this.#document ??= new YamlDocument(this.#text));
  }
}

// The YAML parser takes fifty times as long. JSON.parse drops a repeated key silently, so the keys of the value and of
// the text are counted: where they differ, the YAML parser reports the repeated one.
function readJson(text: string): { value: unknown; faults: [] } | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    const { keys, depth } = measure(value, { size: Infinity, depth: maxDepth });
    return depth > maxDepth || keys === countKeys(text) ? { value, faults: [] } : undefined;
  } catch {
    return undefined;
  }
}

/** Counts the colons outside of strings. */
const countKeys = (json: string): number => json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '').split(':').length - 1;

/** Counts values with their characters, levels, and keys of objects, without recursion and as far as the limits. */
function measure(root: unknown, limits: { readonly size: number; readonly depth: number }) {
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
