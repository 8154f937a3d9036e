// The text of a seed: YAML, of which JSON is a part, to a value; and the way back from a place in the value to line and column.
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Path, SeedFault } from './seed.ts';

interface Position {
  readonly line: number;
  readonly column: number;
}

// A document that repeats its anchors more often is built to exhaust memory.
const maxAliasCount = 1000;
// The YAML parser takes a second for a megabyte or so. Large seeds come from programs, as JSON.
const largeBytes = 4_000_000;

export class SeedSource {
  readonly file: string;
  readonly #text: string;
  #parsed: { document: Document; lines: LineCounter } | undefined;

  constructor(text: string, file: string) {
    this.#text = text;
    this.file = file;
  }

  /** The value, and what is wrong with the text. Where it isn't readable at all the value is undefined. */
  read(): { value: unknown; faults: SeedFault[] } {
    if (this.#text.length > largeBytes && /^\s*\{/.test(this.#text)) {
      try {
        return { value: JSON.parse(this.#text), faults: [] };
      } catch {
        // It may still be YAML; if not, the parser below says where it breaks.
      }
    }
    const { document, lines } = this.#parse();
    const faults = [...document.errors, ...document.warnings].map((error) => {
      const { line, col } = lines.linePos(error.pos[0]);
      return this.#fault({ line, column: col }, sentence(error.message));
    });
    if (document.errors.length > 0) return { value: undefined, faults };
    try {
      return { value: document.toJS({ maxAliasCount }), faults };
    } catch (error) {
      return {
        value: undefined,
        faults: [
          ...faults,
          this.#fault({ line: 1, column: 1 }, error instanceof Error ? error.message : String(error)),
        ],
      };
    }
  }

  /** The place of the value at `path`, or of its key; of the nearest thing around it where there is no such place. */
  locate(path: Path, at: 'key' | 'value'): Position {
    const steps = this.#walk(path);
    const last = steps.at(-1);
    const offset = at === 'key' && steps.length === path.length + 1 ? last?.key : (last?.value ?? last?.key);
    const { line, col } = this.#parse().lines.linePos(offset ?? 0);
    return { line, column: col };
  }

  /** True where something other than null is written at `path`. */
  has(path: Path): boolean {
    const steps = this.#walk(path);
    const node = steps.at(-1)?.node;
    return steps.length === path.length + 1 && node !== null && !(isScalar(node) && node.value === null);
  }

  // From the root as far as the path leads: each node with the offsets of its key and its value.
  #walk(path: Path): { node: unknown; key: number | undefined; value: number | undefined }[] {
    const { document } = this.#parse();
    let node: unknown = document.contents;
    const steps = [{ node, key: start(node), value: start(node) }];
    for (const step of path) {
      if (isAlias(node)) node = node.resolve(document);
      const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === step) : undefined;
      const item = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
      if (pair === undefined && item === undefined) break;
      node = pair === undefined ? item : pair.value;
      steps.push({ node, key: start(pair?.key ?? item), value: start(node) });
    }
    return steps;
  }

  #parse(): { document: Document; lines: LineCounter } {
    if (this.#parsed === undefined) {
      const lines = new LineCounter();
      const document = parseDocument(this.#text, { lineCounter: lines, prettyErrors: false, version: '1.2' });
      this.#parsed = { document, lines };
    }
    return this.#parsed;
  }

  #fault(position: Position, message: string): SeedFault {
    return { file: this.file, ...position, path: '', message };
  }
}

const start = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);

const sentence = (message: string): string => message.split('\n')[0]?.trim() ?? message;
