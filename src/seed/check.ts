// Checks a document against the schema: describes every fault, and removes the faulty values so that the later checks can go on.
import type { TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { findNearest } from '../nearest.ts';
import type { Path, YamlText } from '../yaml/yaml-text.ts';
import { faultAt, type SeedFault } from './seed-faults.ts';
import { type SeedDocument, seedSchema } from './seed-schema.ts';

const compiled = TypeCompiler.Compile(seedSchema);

/** Entries of lists that are faulty as a whole become holes, so that the places of the others stay true. */
export function checkDocument(document: unknown, source: YamlText): { document: SeedDocument; faults: SeedFault[] } {
  // More likely an accident than the wish to empty a sandbox.
  if (isEmpty(document))
    return {
      document: {},
      faults: [faultAt({ source, path: [] }, 'holds nothing; `users: []` is a seed without users')],
    };
  const faults: SeedFault[] = [];
  const seen = new Set<string>();
  if (!compiled.Check(document)) {
    const pruned: Path[] = [];
    for (const error of compiled.Errors(document)) {
      // TypeBox reports further errors within a value that is faulty as a whole.
      if (isWithin(error.path, seen)) continue;
      seen.add(error.path);
      const path = pathOf(error.path, document);
      const at = error.type === ValueErrorType.ObjectAdditionalProperties ? 'key' : 'value';
      faults.push(faultAt({ source, path }, () => describe(error, path), [], at));
      pruned.push(path);
    }
    if (pruned.some((path) => path.length === 0)) return { document: {}, faults };
    for (const path of pruned) prune(document, path);
  }
  for (const path of findBroken(document, [])) {
    faults.push(faultAt({ source, path }, 'holds a NUL or half a character, which no database text can'));
    prune(document, path);
  }
  return { document: document as SeedDocument, faults };
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0);

// Whether the pointer is one of the paths or lies below one.
function isWithin(pointer: string, paths: ReadonlySet<string>): boolean {
  for (let end = pointer.length; end >= 0; end = end === 0 ? -1 : pointer.lastIndexOf('/', end - 1))
    if (paths.has(pointer.slice(0, end))) return true;
  return false;
}

function describe(error: ValueError, path: Path): string {
  const key = String(path.at(-1) ?? '');
  switch (error.type) {
    case ValueErrorType.ObjectAdditionalProperties:
      return `is not a known key${suggestion(key, Object.keys(error.schema['properties'] as object))}`;
    case ValueErrorType.ObjectRequiredProperty:
      return 'is missing';
    case ValueErrorType.Union:
      return describeUnion(error);
    case ValueErrorType.StringPattern:
      return `must be of this form: ${expected(error.schema)}`;
    case ValueErrorType.StringMinLength:
    case ValueErrorType.ArrayMinItems:
      return 'must not be empty';
    case ValueErrorType.ArrayMaxItems:
      return `must have at most ${String(error.schema['maxItems'])} entries`;
    case ValueErrorType.StringMaxLength:
      return `must have at most ${String(error.schema['maxLength'])} characters`;
    case ValueErrorType.IntegerMinimum:
      return `must be at least ${String(error.schema['minimum'])}`;
    case ValueErrorType.IntegerMaximum:
      return `must be at most ${String(error.schema['maximum'])}`;
    case ValueErrorType.String:
      return `must be text, not ${kindOf(error.value)}${typeof error.value === 'number' ? ': put it in quotes' : ''}`;
    case ValueErrorType.Integer:
      return `must be a whole number, not ${kindOf(error.value)}`;
    case ValueErrorType.Boolean:
      return `must be true or false, not ${kindOf(error.value)}`;
    case ValueErrorType.Array:
      return `must be a list, not ${kindOf(error.value)}`;
    case ValueErrorType.Object:
      return `must have keys and values, not ${kindOf(error.value)}`;
    default:
      return error.message.toLowerCase();
  }
}

// A union is a list of choices, or a schema that may be null, or two forms of a value.
function describeUnion(error: ValueError): string {
  const variants = error.schema['anyOf'] as TSchema[];
  const choices = variants.filter((variant) => 'const' in variant).map((variant) => String(variant['const']));
  if (choices.length === variants.length) {
    const near = typeof error.value === 'string' ? findNearest(error.value, choices) : undefined;
    if (near !== undefined) return `is not known${suggestion(String(error.value), choices)}`;
    return choices.length > 10
      ? `is none of the ${choices.length} known (docs/seeds.md)`
      : `must be one of ${choices.join(', ')}`;
  }
  const inner = variants.findIndex((variant) => variant['type'] !== 'null' && sameKind(variant, error.value));
  const first = inner < 0 ? undefined : error.errors[inner]?.First();
  if (first !== undefined) {
    const deeper = first.path.slice(error.path.length).replace(/^\//, '');
    return `${deeper === '' ? '' : `entry ${deeper} `}${describe(first, [])}`;
  }
  return `must be ${variants.map((variant) => variant['const'] ?? variant['type']).join(' or ')}, not ${kindOf(error.value)}`;
}

const sameKind = (schema: TSchema, value: unknown): boolean =>
  schema['type'] === 'integer'
    ? typeof value === 'number'
    : schema['type'] === (Array.isArray(value) ? 'array' : typeof value);

const expected = (schema: TSchema): string => (schema.description ?? String(schema['pattern'])).replace(/\.$/, '');

function suggestion(word: string, known: readonly string[]): string {
  const near = findNearest(word, known);
  return near === undefined ? `; known are ${known.join(', ')}` : `; did you mean ${near}?`;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'keys and values';
  return typeof value === 'string' ? `the text ${JSON.stringify(value.slice(0, 40))}` : JSON.stringify(value);
}

// In TypeBox's JSON pointers a position in a list looks like a key that is a number.
function pathOf(pointer: string, document: unknown): Path {
  const path: (string | number)[] = [];
  let value = document;
  for (const escaped of pointer.split('/').slice(1)) {
    const step = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(value) ? Number(step) : step);
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined;
  }
  return path;
}

function prune(document: unknown, path: Path): void {
  let parent = document as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) {
    if (typeof parent[step] !== 'object' || parent[step] === null) return;
    parent = parent[step] as Record<string | number, unknown>;
  }
  const last = path.at(-1);
  if (last !== undefined) delete parent[last];
}

function findBroken(value: unknown, path: Path): Path[] {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const deeper = [...path, Array.isArray(value) ? Number(key) : key];
    return key.includes('\0') || !key.isWellFormed() ? [deeper] : findBroken(inner, deeper);
  });
}
