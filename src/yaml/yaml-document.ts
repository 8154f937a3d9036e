// A YAML document, parsed in linear time: the library resolves aliases and finds repeated keys by searching the text
// again and again, so both are done here in one pass.
import {
  type Alias,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
} from 'yaml';

export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface TextFault extends Position {
  readonly message: string;
}

// Documents with more are made to exhaust time or memory.
const maxAliasCount = 1000;

export class YamlDocument {
  readonly faults: readonly TextFault[];
  /** Undefined where the text can't be read. */
  readonly value: unknown;
  readonly #lines = new LineCounter();
  readonly #contents: unknown;
  readonly #aliased = new Map<Alias, Node | undefined>();
  readonly #keys = new Map<YAMLMap, ReadonlyMap<string, { key: unknown; value: unknown }>>();

  constructor(text: string) {
    try {
      const document = parseDocument(text, {
        lineCounter: this.#lines,
        prettyErrors: false,
        version: '1.2',
        // The library compares every key with every other one.
        uniqueKeys: false,
      });
      this.#contents = document.contents;
      const repeated = this.#inspect(document.contents);
      const isReadable = document.errors.length === 0 && repeated.length === 0;
      this.faults = [
        ...[...document.errors, ...document.warnings].map((error) =>
          this.#fault(error.pos[0], sentence(error.message)),
        ),
        ...repeated.map((key) => this.#fault(start(key), 'Map keys must be unique')),
      ];
      if (isReadable && this.#aliased.size > maxAliasCount)
        throw new Error(`Excessive alias count: the document repeats its anchors more than ${maxAliasCount} times`);
      this.value = isReadable ? document.toJS({ maxAliasCount }) : undefined;
    } catch (error) {
      this.faults = [this.#fault(0, error instanceof RangeError ? 'nests too deep' : (error as Error).message)];
    }
  }

  /** Each node on the path, as far as the path leads, with the offsets of its key and its value. */
  walk(path: readonly (string | number)[]) {
    let node: unknown = this.#contents;
    const steps = [{ node, key: start(node), value: start(node) }];
    for (const step of path) {
      if (isAlias(node)) node = this.#aliased.get(node);
      const pair = isMap(node) ? this.#keysOf(node).get(String(step)) : undefined;
      const item = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
      if (pair === undefined && item === undefined) break;
      node = pair === undefined ? item : pair.value;
      steps.push({ node, key: start(pair?.key ?? item), value: start(node) });
    }
    return steps;
  }

  positionOf(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }

  /** Resolves each alias. Returns the keys that repeat another of their map. */
  #inspect(root: unknown): Node[] {
    const repeated: Node[] = [];
    const anchors = new Map<string, Node>();
    // A stack, filled so that nodes come in the order of the text.
    const left: unknown[] = [root];
    while (left.length > 0) {
      const node = left.pop();
      if (isPair(node)) left.push(node.value, node.key);
      else if (isAlias(node)) this.#aliased.set(node, anchors.get(node.source));
      else if (isNode(node) && 'anchor' in node && node.anchor !== undefined) anchors.set(node.anchor, node);
      if (isMap(node)) {
        const keys = new Set<unknown>();
        for (const { key } of node.items)
          if (!isScalar(key)) continue;
          else if (keys.has(key.value)) repeated.push(key);
          else keys.add(key.value);
      }
      if (isCollection(node)) for (let i = node.items.length - 1; i >= 0; i--) left.push(node.items[i]);
    }
    return repeated;
  }

  #keysOf(map: YAMLMap): ReadonlyMap<string, { key: unknown; value: unknown }> {
    const known = this.#keys.get(map);
    const keys =
      known ?? new Map(map.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : [])));
    this.#keys.set(map, keys);
    return keys;
  }

  #fault(offset: number | undefined, message: string): TextFault {
    return { ...this.positionOf(offset ?? 0), message };
  }
}

const start = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);

const sentence = (message: string): string => message.split('\n')[0]?.trim() ?? message;
