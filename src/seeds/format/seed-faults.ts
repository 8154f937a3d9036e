// What is wrong with a seed, and where: faults with file, line, column and path.
import type { Path, YamlText } from '../yaml/yaml-text.ts';

/** Where something stands. Line and column are looked up only for the faults that are reported. */
export interface Place {
  readonly source: YamlText;
  readonly path: Path;
}

/** Line and column count from 1; `path` is like `users[3].email`. */
export interface SeedFault {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
}

/** The faults that are shown, in order, and the number of those beyond them. */
export interface FirstFaults {
  readonly faults: readonly SeedFault[];
  readonly more: number;
}

// More than a reader would work through.
const mostFaults = 100;

/** Only these get their messages: to look for the nearest name takes long. */
export function firstFaults(all: readonly SeedFault[], more = 0): FirstFaults {
  const faults = inOrder(all).slice(0, mostFaults);
  return { faults: faults.map((fault) => ({ ...fault })), more: all.length - faults.length + more };
}

/** The line that stands for those beyond the ones that are shown. */
export const restOf = ({ more }: FirstFaults): string[] =>
  more > 0 ? [`and ${more} more ${more === 1 ? 'fault' : 'faults'}`] : [];

export class SeedError extends Error implements FirstFaults {
  override readonly name = 'SeedError';
  readonly faults: readonly SeedFault[];
  readonly more: number;
  /** @param more the number of faults beyond those that are given */
  constructor(faults: readonly SeedFault[], more = 0) {
    const first = firstFaults(faults, more);
    super([...first.faults.map(formatFault), ...restOf(first)].join('\n'));
    this.faults = first.faults;
    this.more = first.more;
  }
}

export const pathText = (path: Path): string =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('');

/** @param message a function where the words take time to find; it is called when the message is read */
export function faultAt(
  place: Place,
  message: string | (() => string),
  steps: Path = [],
  at: 'key' | 'value' = 'value',
): SeedFault {
  const path = [...place.path, ...steps];
  return {
    file: place.source.file,
    ...place.source.locate(path, at),
    path: pathText(path),
    get message() {
      return typeof message === 'string' ? message : message();
    },
  };
}

/** File by file, in the order of the text. */
export function inOrder(faults: readonly SeedFault[]): SeedFault[] {
  const files = [...new Set(faults.map((fault) => fault.file))];
  return faults.toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}

/** `seeds/team.yaml:12:5 users[1].email must be …` */
export const formatFault = (fault: SeedFault): string =>
  `${fault.file}:${fault.line}:${fault.column} ${fault.path === '' ? '' : `${fault.path} `}${fault.message}`;
