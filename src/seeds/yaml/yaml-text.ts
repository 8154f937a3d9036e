// A YAML or JSON text, its value, and the line and column of each place in the value.
import * as yaml from 'yaml';
import type { Path } from '../../base/check-value.ts';
import { isDeeper, type JsonObject } from '../../base/json-object.ts';

/** Line and column count from 1. */
export interface TextError {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

// Seeds and their users' profiles need few levels.
const maxDepth = 100;
// The largest size of a value with its aliases expanded, which is about its length as JSON.
const maxSize = (text: string) => 1_000_000 + 2 * text.length;

// The YAML parser needs gigabytes for longer texts. Longer JSON is read without it, and so its errors
// have no positions.
const maxYaml = 20_000_000;

export interface NamedText {
  /** YAML or JSON. */
  readonly text: string;
  /** The file's name in errors. */
  readonly file: string;
  /** The path to the value to read, such as a seed in a request's body. */
  readonly at?: Path;
}

// Tags aren't resolved: !!binary would make values that JSON lacks.
const schema = new yaml.Schema({ schema: 'core', resolveKnownTags: false });

/** The number of tokens read; thread.ts watches it. */
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
  size: number;
}

export type YamlText = ReturnType<typeof openYaml>;

export function openYaml({ text, file, at: place = [] }: NamedText) {
  const isLarge = text.length > maxYaml;
  const lines = new yaml.LineCounter();
  const errors: TextError[] = [];
  // Without these indexes, `yaml` would search the document at each lookup.
  const anchors = new Map<string, Anchored>();
  const targets = new Map<yaml.Alias, Anchored>();
  const pairs = new Map<yaml.YAMLMap, ReadonlyMap<string, yaml.Pair>>();
  let parsed: { node: unknown; value: unknown } | undefined;
  let size = 0;

  /** The value is undefined if the text can't be read. */
  function read(): { value: unknown; errors: readonly TextError[] } {
    try {
      const result = readJson(text, isLarge) ?? readYaml();
      checkDepth(result.value);
      return { ...result, value: getIn(result.value, place) };
    } catch (error) {
      const message = error instanceof RangeError ? 'nests too deep' : (error as Error).message;
      return { value: undefined, errors: [{ line: 1, column: 1, message }] };
    }
  }

  /** The position of the value at `path` or of its key; if there is none, of the nearest thing around it. */
  function locate(path: Path, at: 'key' | 'value') {
    if (isLarge) return { line: 1, column: 1 };
    let { node } = parse();
    let key = start(node);
    for (const step of [...place, ...path]) {
      const parent = yaml.isAlias(node) ? targets.get(node)?.node : node;
      const pair = yaml.isMap(parent) ? pairs.get(parent)?.get(String(step)) : undefined;
      const item = yaml.isSeq(parent) ? parent.items[Number(step)] : undefined;
      if (pair === undefined && item === undefined) return positionOf(start(node) ?? key);
      node = pair === undefined ? item : pair.value;
      key = start(pair?.key ?? item);
    }
    return positionOf(at === 'key' ? key : (start(node) ?? key));
  }

  function readYaml() {
    if (isLarge) {
      const megabytes = Math.ceil(text.length / 1e6);
      throw new Error(`is YAML of ${megabytes} MB, more than 20: write JSON, or use \`weblate-understudy generate\``);
    }
    const { value } = parse();
    if (size > maxSize(text)) throw new Error('is too long with its aliases expanded');
    return { value: errors.length > 0 ? undefined : value, errors };
  }

  function parse() {
    if (parsed !== undefined) return parsed;
    // `readMap` finds repeated keys faster: the composer would compare all pairs of keys.
    const composer = new yaml.Composer({ prettyErrors: false, schema, uniqueKeys: false });
    const tokens = new CountingParser(lines.addNewLine).parse(text);
    const [document, second] = composer.compose(tokens, true, text.length);
    if (document === undefined) throw new Error('is empty');
    for (const { pos, message } of [...document.errors, ...document.warnings])
      refuse(pos[0], message.split('\n')[0] ?? message);
    if (second !== undefined) refuse(second.range[0], 'a second document begins here, and only one is read');
    const node = document.contents;
    parsed = { node, value: readNode(node) };
    return parsed;
  }

  /** Reads a node with an anchor once, for all its aliases. */
  function readNode(node: unknown) {
    if (yaml.isAlias(node)) return readAlias(node);
    const anchored: Anchored = { node, value: undefined, size: Infinity };
    if (yaml.isNode(node) && node.anchor) anchors.set(node.anchor, anchored);
    const before = size;
    if (yaml.isMap(node)) anchored.value = readMap(node);
    else if (yaml.isSeq(node)) anchored.value = node.items.map(readNode);
    else anchored.value = yaml.isScalar(node) ? node.value : null;
    size += 2 + (typeof anchored.value === 'string' ? anchored.value.length : 0);
    anchored.size = size - before;
    return anchored.value;
  }

  function readAlias(alias: yaml.Alias) {
    const target = anchors.get(alias.source);
    if (target === undefined) return refuse(start(alias), `no anchor &${alias.source} stands before this alias`);
    // An alias within the node that it repeats has an infinite size.
    size += target.size;
    targets.set(alias, target);
    return target.value;
  }

  function readMap(map: yaml.YAMLMap): object {
    const known = new Map<string, yaml.Pair>();
    pairs.set(map, known);
    const entries = map.items.map((pair) => {
      const key = readNode(pair.key) ?? '';
      const name = typeof key === 'string' ? key : JSON.stringify(key);
      if (known.has(name)) refuse(start(pair.key), `the key ${name} is there twice`);
      known.set(name, pair);
      return [name, readNode(pair.value)] as const;
    });
    return Object.fromEntries(entries);
  }

  const refuse = (offset: number | undefined, message: string) => void errors.push({ ...positionOf(offset), message });

  function positionOf(offset = 0) {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  }

  return { file, read, locate };
}

const getIn = (value: unknown, path: Path) =>
  path.reduce<unknown>((outer, step) => (outer as JsonObject | null)?.[step], value);

const start = (node: unknown) => (yaml.isNode(node) ? node.range?.[0] : undefined);

// JSON.parse is fifty times as fast as the YAML parser, but drops repeated keys. So the keys of the
// value and of the text are counted. If the counts differ, the YAML parser names the repeated key,
// unless the text is too large.
function readJson(text: string, isLarge: boolean) {
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

/** Counts the colons outside of strings: each belongs to a key. */
const countColons = (json: string) => json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '').split(':').length - 1;

/** Throws if the value nests too deep: the code that reads it is recursive. */
export function checkDepth(value: unknown) {
  if (isDeeper(value, maxDepth)) throw new Error(`nests deeper than ${maxDepth} levels`);
}
