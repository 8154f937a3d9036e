// The errors of a seed, with file, line, column and path.
import { ApiError, errorLine } from '../../base/errors.ts';
import { describeRest, maxErrors, type Path, pathText } from '../../base/check-value.ts';
import type { TextError, YamlText } from '../yaml/yaml-text.ts';

/** A thing's place in a text. Only errors need line and column, which cost a parse. */
export interface Place {
  readonly source: YamlText;
  readonly path: Path;
}

/** `path` is like `users[3].email`. */
export interface PlacedError extends TextError {
  readonly file: string;
  readonly path: string;
}

/** The first errors, in order, and the number of the others: making all messages is slow. */
export function firstErrors(all: readonly PlacedError[], more = 0) {
  const errors = inOrder(all).slice(0, maxErrors);
  return { errors: errors.map((error) => ({ ...error })), more: all.length - errors.length + more };
}

/** A seed's errors. If a client sent the seed, the answer lists them. */
export class SeedError extends ApiError {
  override readonly message: string;
  readonly errors: readonly PlacedError[];
  readonly more: number;

  /** @param isPlaced false for JSON in one line, as programs send it: the answer then names no positions */
  constructor(all: readonly PlacedError[], furtherErrors = 0, isPlaced = true) {
    const { errors, more } = firstErrors(all, furtherErrors);
    const rest = describeRest(more);
    const lines = errors.map(({ path, message, line, column }) =>
      errorLine(path || null, 'invalid_seed', isPlaced ? `${message} (line ${line}, column ${column})` : message),
    );
    const ofRest = rest.map((detail) => errorLine(null, 'invalid_seed', detail));
    super(400, [...lines, ...ofRest], {}, 'validation_error');
    this.message = [...errors.map(formatError), ...rest].join('\n');
    this.errors = errors;
    this.more = more;
  }
}

/** @param message a text, or a slow function, called only when the error's `message` is read */
export function errorAt(
  { source, path: outer }: Place,
  message: string | (() => string),
  steps: Path = [],
  at: 'key' | 'value' = 'value',
): PlacedError {
  const path = [...outer, ...steps];
  return {
    file: source.file,
    ...source.locate(path, at),
    path: pathText(path),
    get message() {
      return typeof message === 'string' ? message : message();
    },
  };
}

/** Sorts errors by file, and within a file by position. */
export function inOrder(errors: readonly PlacedError[]) {
  const files = [...new Set(errors.map((error) => error.file))];
  return errors.toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}

/** `seeds/team.yaml:12:5 users[1].email must be …` */
export const formatError = ({ file, line, column, path, message }: PlacedError) =>
  `${file}:${line}:${column} ${path && `${path} `}${message}`;
