// The text of a seed: YAML, of which JSON is a part, to a value; and the way back from a place in the value to line and column.
import { isScalar } from 'yaml';
import { measure } from './measure.ts';
import type { Path, SeedFault } from './seed-types.ts';
import { type Position, type TextFault, YamlDocument } from './yaml-document.ts';

// What a seed needs, and a profile in it.
const maxDepth = 100;
// What its aliases may make of a text: a million, and twice its length.
const maxSize = (text: string): number => 1_000_000 + 2 * text.length;

export class SeedSource {
  readonly file: string;
  readonly #text: string;
  readonly #at: Path;
  #document: YamlDocument | undefined;

  /** @param at where in the text the seed stands, if not alone */
  constructor(text: string, file: string, at: Path = []) {
    this.#text = text;
    this.file = file;
    this.#at = at;
  }

  /** The value, and what is wrong with the text. Where it isn't readable at all the value is undefined. */
  read(): { value: unknown; faults: SeedFault[] } {
    const { value, faults } = readJson(this.#text) ?? this.#parse();
    const excess = findExcess(value, this.#text);
    if (excess !== undefined)
      return { value: undefined, faults: [this.#fault({ line: 1, column: 1, message: excess })] };
    let inner = value;
    for (const step of this.#at) inner = (inner as Record<string | number, unknown> | null | undefined)?.[step];
    return { value: inner, faults: faults.map((fault) => this.#fault(fault)) };
  }

  /** The place of the value at `path`, or of its key; of the nearest thing around it where there is no such place. */
  locate(path: Path, at: 'key' | 'value'): Position {
    const whole = [...this.#at, ...path];
    const steps = this.#parse().walk(whole);
    const last = steps.at(-1);
    const offset = at === 'key' && steps.length === whole.length + 1 ? last?.key : (last?.value ?? last?.key);
    return this.#parse().positionOf(offset ?? 0);
  }

  /** True where something other than null is written at `path`. */
  has(path: Path): boolean {
    const whole = [...this.#at, ...path];
    const steps = this.#parse().walk(whole);
    const node = steps.at(-1)?.node;
    return steps.length === whole.length + 1 && node !== null && !(isScalar(node) && node.value === null);
  }

  #parse(): YamlDocument {
    return (this.#document ??= new YamlDocument(this.#text));
  }

  #fault(fault: TextFault): SeedFault {
    return { file: this.file, path: '', ...fault };
  }
}

// Aliases may repeat what a text says once, and lead back to where they stand.
function findExcess(value: unknown, text: string): string | undefined {
  const { size, depth } = measure(value, { size: maxSize(text), depth: maxDepth });
  if (depth > maxDepth) return `nests deeper than ${maxDepth} levels`;
  return size > maxSize(text) ? 'is many times as long as its text, by its aliases' : undefined;
}

// The YAML parser takes fifty times as long. This one doesn't see a key that is repeated: fewer are found then than are written.
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

// The colons outside of strings.
function countKeys(json: string): number {
  let [keys, isText] = [0, false];
  for (let i = 0; i < json.length; i++) {
    const c = json[i];
    if (isText && c === '\\') i++;
    else if (c === '"') isText = !isText;
    else if (c === ':' && !isText) keys++;
  }
  return keys;
}
