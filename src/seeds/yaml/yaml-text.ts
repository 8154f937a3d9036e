// A YAML text (JSON is YAML too), its value, and the way back from a place in the value to line and column.
import * as yaml from 'yaml';
import type { Path } from '../../base/check-value.ts';

/** Both count from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

export interface TextError extends Position {
  readonly message: string;
}

// A seed needs few levels, and so does a profile in it.
const maxDepth = 100;
// A document that repeats an anchor more often is made to exhaust time or memory.
const maxAliasCount = 1000;
// The maximum size of a text with its aliases expanded, as JSON.
const maxSize = (text: string): number => 1_000_000 + 2 * text.length;

// The parser takes gigabytes for more. A larger JSON text has no positions: they come from the same parser.
const maxYaml = 20_000_000;

export interface NamedText {
  /** YAML or JSON. */
  readonly text: string;
  /** The name that errors give. */
  readonly file: string;
  /** The place of what counts, such as a seed in the body of a request. */
  readonly at?: Path;
}

export class YamlText {
  readonly file: string;
  readonly #text: string;
  readonly #at: Path;
  readonly #lines = new yaml.LineCounter();
  #document: yaml.Document.Parsed | undefined;

  constructor({ text, file, at = [] }: NamedText) {
    this.#text = text;
    this.file = file;
    this.#at = at;
  }

  /** The value is undefined where the text can't be read. */
  read(): { value: unknown; errors: readonly TextError[] } {
    try {
      const { value, errors } = readJson(this.#text, this.#isLarge) ?? this.#readYaml();
      // Aliases can lead back to themselves.
      checkDepth(value);
      if (this.#document !== undefined && (JSON.stringify(value) ?? '').length > maxSize(this.#text))
        throw new Error('is many times as long as its text, by its aliases');
      return { value: getIn(value, this.#at), errors };
    } catch (error) {
      const message = error instanceof RangeError ? 'nests too deep' : (error as Error).message;
      return { value: undefined, errors: [{ line: 1, column: 1, message }] };
    }
  }

  /** The position of the value at `path`, or of its key; else that of the nearest thing around it. */
  locate(path: Path, at: 'key' | 'value'): Position {
    if (this.#isLarge) return { line: 1, column: 1 };
    const { key, value, isWhole } = this.#find(path);
    return this.#positionOf((at === 'key' && isWhole ? key : (value ?? key)) ?? 0);
  }

  /** The offsets of the key and the value at `path`, or of the last ones on the way there. */
  #find(path: Path) {
    const document = this.#parse();
    let node: unknown = document.contents;
    let [key, value] = [start(node), start(node)];
    for (const step of [...this.#at, ...path]) {
      const parent = yaml.isAlias(node) ? node.resolve(document) : node;
      const pair = yaml.isMap(parent)
        ? parent.items.find((one) => yaml.isScalar(one.key) && String(one.key.value) === String(step))
        : undefined;
      const item = yaml.isSeq(parent) && typeof step === 'number' ? parent.items[step] : undefined;
      if (pair === undefined && item === undefined) return { key, value, isWhole: false };
      node = pair === undefined ? item : pair.value;
      [key, value] = [start(pair?.key ?? item), start(node)];
    }
    return { key, value, isWhole: true };
  }

  #readYaml() {
    if (this.#isLarge)
      throw new Error(
        `is YAML of ${Math.ceil(this.#text.length / 1e6)} MB, and at most 20 MB are read: write it as JSON, or make users with \`weblate-understudy generate\``,
      );
    const document = this.#parse();
    const errors = [...document.errors, ...document.warnings].map(({ pos, code, message }) => ({
      ...this.#positionOf(pos[0]),
      message: messages[code]?.(this.#text.slice(pos[0], pos[0] + 200)) ?? message.split('\n')[0] ?? message,
    }));
    const anchors = new Set<string>();
    yaml.visit(document, (_key, node) => {
      if (yaml.isAlias(node) && !anchors.has(node.source))
        errors.push({ ...this.#positionOf(start(node) ?? 0), message: `no anchor &${node.source} stands before it` });
      else if (yaml.isNode(node) && !yaml.isAlias(node) && node.anchor) anchors.add(node.anchor);
    });
    return { value: errors.length > 0 ? undefined : (document.toJS({ maxAliasCount }) as unknown), errors };
  }

  get #isLarge(): boolean {
    return this.#text.length > maxYaml;
  }

  #parse(): yaml.Document.Parsed {
    return (this.#document ??= yaml.parseDocument(this.#text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      version: '1.2',
      // A tag such as !!binary would make a value that isn't one of JSON's.
      resolveKnownTags: false,
    }));
  }

  #positionOf(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }
}

// The parser's own messages are for programmers.
const messages: Partial<Record<yaml.ErrorCode, (text: string) => string>> = {
  MULTIPLE_DOCS: () => 'a second document begins here, and only one is read',
  DUPLICATE_KEY: (text) => `the key ${/^(?:"[^"]*"|'[^']*'|[^:\n,}]*)/.exec(text)?.[0].trim()} is there twice`,
};

const getIn = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((outer, step) => (outer as Record<string | number, unknown> | null | undefined)?.[step], value);

const start = (node: unknown): number | undefined => (yaml.isNode(node) ? node.range?.[0] : undefined);

// The YAML parser takes fifty times as long. JSON.parse drops a repeated key silently, so the keys of the value and
// of the text are counted: where they differ, the YAML parser reports the repeated one, except of a large text.
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

/** Those outside of strings. */
const countColons = (json: string): number => json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '').split(':').length - 1;

/** Throws if objects and lists nest too deep: what is made of them calls itself for each level. */
export function checkDepth(value: unknown): void {
  if (isDeeper(value, maxDepth)) throw new Error(`nests deeper than ${maxDepth} levels`);
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));
