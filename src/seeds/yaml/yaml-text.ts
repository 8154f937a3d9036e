// A YAML text (JSON is YAML too), its value, and the way back from a place in the value to line and column.
import * as yaml from 'yaml';
import type { Path } from '../../base/check-value.ts';
import { isDeeper } from '../../base/json-object.ts';

/** Line and column count from 1. */
export interface TextError {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}
type Position = Omit<TextError, 'message'>;

// A seed needs few levels, and so does a profile in it.
const maxDepth = 100;
// The maximum size of a text with its aliases expanded, about that of its JSON.
const maxSize = (text: string) => 1_000_000 + 2 * text.length;

// The YAML parser takes gigabytes for longer texts. Longer JSON has no positions, which come from the same parser.
const maxYaml = 20_000_000;

export interface NamedText {
  /** YAML or JSON. */
  readonly text: string;
  /** The name that errors give. */
  readonly file: string;
  /** The place of what counts, such as a seed in the body of a request. */
  readonly at?: Path;
}

// A tag such as !!binary would make a value that isn't one of JSON's.
const schema = new yaml.Schema({ schema: 'core', resolveKnownTags: false });

/** How far a thread is with its text. Outside of threads, nothing reads this count. */
export const progress = { tokens: new Int32Array(1) };

class CountingParser extends yaml.Parser {
  override *next(source: string) {
    Atomics.add(progress.tokens, 0, 1);
    yield* super.next(source);
  }
}

interface Anchored {
  readonly node: unknown;
  value: unknown;
  /** With its aliases expanded. */
  size: number;
}

export class YamlText {
  readonly file: string;
  readonly #text: string;
  readonly #isLarge: boolean;
  readonly #at: Path;
  readonly #lines = new yaml.LineCounter();
  #parsed: yaml.Document | undefined;
  // Indexes: `yaml` would search the document at each lookup.
  readonly #anchored = new Map<string, Anchored>();
  readonly #targets = new Map<yaml.Alias, Anchored>();
  readonly #pairs = new Map<yaml.YAMLMap, ReadonlyMap<string, yaml.Pair>>();
  readonly #errors: TextError[] = [];
  #value: unknown;
  #size = 0;

  constructor({ text, file, at = [] }: NamedText) {
    this.#text = text;
    this.#isLarge = text.length > maxYaml;
    this.file = file;
    this.#at = at;
  }

  /** The value is undefined if the text can't be read. */
  read(): { value: unknown; errors: readonly TextError[] } {
    try {
      const { value, errors } = readJson(this.#text, this.#isLarge) ?? this.#readYaml();
      checkDepth(value);
      return { value: getIn(value, this.#at), errors };
    } catch (error) {
      const message = error instanceof RangeError ? 'nests too deep' : (error as Error).message;
      return { value: undefined, errors: [{ line: 1, column: 1, message }] };
    }
  }

  /** The position of the value at `path`, or of its key; else that of the nearest thing around it. */
  locate(path: Path, at: 'key' | 'value'): Position {
    if (this.#isLarge) return { line: 1, column: 1 };
    let node: unknown = this.#parse().contents;
    let key = start(node);
    for (const step of [...this.#at, ...path]) {
      const parent = yaml.isAlias(node) ? this.#targets.get(node)?.node : node;
      const pair = yaml.isMap(parent) ? this.#pairs.get(parent)?.get(String(step)) : undefined;
      const item = yaml.isSeq(parent) && typeof step === 'number' ? parent.items[step] : undefined;
      if (pair === undefined && item === undefined) return this.#positionOf(start(node) ?? key);
      node = pair === undefined ? item : pair.value;
      key = start(pair?.key ?? item);
    }
    return this.#positionOf(at === 'key' ? key : (start(node) ?? key));
  }

  #readYaml() {
    if (this.#isLarge)
      throw new Error(
        `is YAML of ${Math.ceil(this.#text.length / 1e6)} MB, and at most 20 MB are read: write it as JSON, or make users with \`weblate-understudy generate\``,
      );
    this.#parse();
    if (this.#size > maxSize(this.#text)) throw new Error('is many times as long as its text, by its aliases');
    return { value: this.#errors.length > 0 ? undefined : this.#value, errors: this.#errors };
  }

  #parse() {
    if (this.#parsed !== undefined) return this.#parsed;
    // `#readMap` looks at each key once; the composer would compare all pairs of keys.
    const composer = new yaml.Composer({ prettyErrors: false, schema, uniqueKeys: false });
    const tokens = new CountingParser(this.#lines.addNewLine).parse(this.#text);
    const [document, second] = composer.compose(tokens, true, this.#text.length);
    if (document === undefined) throw new Error('is empty');
    this.#parsed = document;
    for (const { pos, message } of [...document.errors, ...document.warnings])
      this.#refuse(pos[0], message.split('\n')[0] ?? message);
    if (second !== undefined) this.#refuse(second.range[0], 'a second document begins here, and only one is read');
    this.#value = this.#readNode(document.contents);
    return document;
  }

  /** Reads a node. One with an anchor is read once, for all its aliases. */
  #readNode(node: unknown) {
    if (yaml.isAlias(node)) return this.#readAlias(node);
    const anchored: Anchored = { node, value: undefined, size: Infinity };
    if (yaml.isNode(node) && node.anchor) this.#anchored.set(node.anchor, anchored);
    const before = this.#size;
    if (yaml.isMap(node)) anchored.value = this.#readMap(node);
    else if (yaml.isSeq(node)) anchored.value = node.items.map((item) => this.#readNode(item));
    else anchored.value = yaml.isScalar(node) ? node.value : null;
    this.#size += 2 + (typeof anchored.value === 'string' ? anchored.value.length : 0);
    anchored.size = this.#size - before;
    return anchored.value;
  }

  #readAlias(alias: yaml.Alias) {
    const target = this.#anchored.get(alias.source);
    if (target === undefined) this.#refuse(start(alias), `no anchor &${alias.source} stands before it`);
    // An alias within what it repeats has an infinite size.
    this.#size += target?.size ?? 0;
    if (target !== undefined) this.#targets.set(alias, target);
    return target?.value;
  }

  #readMap(map: yaml.YAMLMap): object {
    const pairs = new Map<string, yaml.Pair>();
    this.#pairs.set(map, pairs);
    const entries = map.items.map((pair) => {
      const key = this.#readNode(pair.key) ?? '';
      const name = typeof key === 'string' ? key : JSON.stringify(key);
      if (pairs.has(name)) this.#refuse(start(pair.key), `the key ${name} is there twice`);
      pairs.set(name, pair);
      return [name, this.#readNode(pair.value)] as const;
    });
    return Object.fromEntries(entries);
  }

  #refuse(offset: number | undefined, message: string) {
    this.#errors.push({ ...this.#positionOf(offset), message });
  }

  #positionOf(offset = 0): Position {
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }
}

const getIn = (value: unknown, path: Path) =>
  path.reduce<unknown>((outer, step) => (outer as Record<string | number, unknown> | null | undefined)?.[step], value);

const start = (node: unknown) => (yaml.isNode(node) ? node.range?.[0] : undefined);

// The YAML parser takes fifty times as long. JSON.parse drops a repeated key silently, so the keys of the value and
// of the text are counted. If the counts differ, the YAML parser reports the repeated key, unless the text is large.
function readJson(text: string, isLarge: boolean): { value: unknown; errors: [] } | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    const isComplete = isDeeper(value, maxDepth) || countKeys(value) === countColons(text);
    if (isComplete) return { value, errors: [] };
  } catch (error) {
    if (isLarge) throw new Error(`is no JSON: ${(error as Error).message}`, { cause: error });
  }
  if (isLarge) throw new Error('has a key twice in one object');
  return undefined;
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values: unknown[] = Object.values(value);
  return values.reduce<number>((sum, inner) => sum + countKeys(inner), Array.isArray(value) ? 0 : values.length);
}

/** The colons outside of strings. */
const countColons = (json: string) => json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '').split(':').length - 1;

/** Throws if objects and lists nest too deep: the code that reads them recurses for each level. */
export function checkDepth(value: unknown) {
  if (isDeeper(value, maxDepth)) throw new Error(`nests deeper than ${maxDepth} levels`);
}
