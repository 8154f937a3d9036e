// Checks a document against the schema, and describes every error.
import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { ValuePointer } from '@sinclair/typebox/value';
import { didYouMean, findNearest } from '../../base/nearest.ts';
import type { Path, YamlText } from '../yaml/yaml-text.ts';
import { errorAt, type PlacedError } from './seed-errors.ts';
import { seedSchema } from './seed-schema.ts';

const compiled = TypeCompiler.Compile(seedSchema);

/** Without errors, the document is a SeedDocument. */
export function findSchemaErrors(document: unknown, source: YamlText): PlacedError[] {
  // More likely an accident than the wish to empty a sandbox.
  if (isDeepStrictEqual(document ?? {}, {}))
    return [errorAt({ source, path: [] }, 'holds nothing; `users: []` is a seed without users')];
  const errors: PlacedError[] = [];
  const seen = new Set<string>();
  for (const error of compiled.Check(document) ? [] : compiled.Errors(document)) {
    // TypeBox reports further errors within a value that is faulty as a whole.
    if (isWithin(error.path, seen)) continue;
    seen.add(error.path);
    const path = pathOf(error.path);
    const at = error.type === ValueErrorType.ObjectAdditionalProperties ? 'key' : 'value';
    errors.push(errorAt({ source, path }, () => describe(error, String(path.at(-1))), [], at));
  }
  if (errors.length > 0) return errors;
  return findBroken(document, []).map((path) =>
    errorAt({ source, path }, 'holds a NUL or half a character, which no database text can'),
  );
}

// Whether the pointer is one of the paths or lies below one.
const isWithin = (pointer: string, paths: ReadonlySet<string>): boolean =>
  paths.has(pointer) || (pointer !== '' && isWithin(pointer.slice(0, pointer.lastIndexOf('/')), paths));

const must =
  (what: string) =>
  ({ value }: ValueError) =>
    `must ${what}, not ${kindOf(value)}`;

const descriptions: Partial<Record<ValueErrorType, (error: ValueError, key: string) => string>> = {
  [ValueErrorType.ObjectAdditionalProperties]: ({ schema }, key) => {
    const known = Object.keys(schema['properties'] as object);
    return `is not a known key${didYouMean(key, known, `; known keys: ${known.join(', ')}`)}`;
  },
  [ValueErrorType.ObjectRequiredProperty]: () => 'is missing',
  [ValueErrorType.Union]: describeUnion,
  [ValueErrorType.StringPattern]: ({ schema }) => `must be of this form: ${schema.description?.replace(/\.$/, '')}`,
  [ValueErrorType.StringMinLength]: () => 'must not be empty',
  [ValueErrorType.ArrayMinItems]: () => 'must not be empty',
  [ValueErrorType.ArrayMaxItems]: ({ schema }) => `must have at most ${schema['maxItems']} entries`,
  [ValueErrorType.StringMaxLength]: ({ schema }) => `must have at most ${schema['maxLength']} characters`,
  [ValueErrorType.IntegerMinimum]: ({ schema }) => `must be at least ${schema['minimum']}`,
  [ValueErrorType.IntegerMaximum]: ({ schema }) => `must be at most ${schema['maximum']}`,
  [ValueErrorType.String]: ({ value }) =>
    `must be text, not ${kindOf(value)}${typeof value === 'number' ? ': put it in quotes' : ''}`,
  [ValueErrorType.Integer]: must('be a whole number'),
  [ValueErrorType.Boolean]: must('be true or false'),
  [ValueErrorType.Array]: must('be a list'),
  [ValueErrorType.Object]: must('have keys and values'),
};

const describe = (error: ValueError, key = ''): string =>
  descriptions[error.type]?.(error, key) ?? error.message.toLowerCase();

// A union is a list of choices, or a schema that may be null, or two forms of a value.
function describeUnion(error: ValueError): string {
  const variants = error.schema['anyOf'] as TSchema[];
  const choices = variants.filter((variant) => 'const' in variant).map((variant) => String(variant['const']));
  if (choices.length === variants.length) {
    const near = typeof error.value === 'string' ? findNearest(error.value, choices) : undefined;
    if (near !== undefined) return `is not known; did you mean ${near}?`;
    return choices.length > 10
      ? `is none of the ${choices.length} that seeds/seed.schema.json of the package weblate-understudy lists`
      : `must be one of ${choices.join(', ')}`;
  }
  const inner = variants.findIndex((variant) => variant['type'] !== 'null' && sameKind(variant, error.value));
  const first = inner < 0 ? undefined : error.errors[inner]?.First();
  if (first !== undefined) {
    const deeper = first.path.slice(error.path.length).replace(/^\//, '');
    return `${deeper === '' ? '' : `entry ${deeper} `}${describe(first)}`;
  }
  return `must be ${variants.map((variant) => variant['const'] ?? variant['type']).join(' or ')}, not ${kindOf(error.value)}`;
}

const sameKind = (schema: TSchema, value: unknown): boolean =>
  schema['type'] === 'integer'
    ? typeof value === 'number'
    : schema['type'] === (Array.isArray(value) ? 'array' : typeof value);

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'keys and values';
  return typeof value === 'string' ? `the text ${JSON.stringify(value.slice(0, 40))}` : JSON.stringify(value);
}

// In TypeBox's JSON pointers a position in a list looks like a key that is a number.
const pathOf = (pointer: string): Path =>
  [...ValuePointer.Format(pointer)].map((step) => (/^\d+$/.test(step) ? Number(step) : step));

function findBroken(value: unknown, path: Path): Path[] {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const deeper = [...path, Array.isArray(value) ? Number(key) : key];
    return key.includes('\0') || !key.isWellFormed() ? [deeper] : findBroken(inner, deeper);
  });
}
