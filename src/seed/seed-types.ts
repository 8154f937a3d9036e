// A seed in the one form that the program works with: codes instead of names, each thing with the place that it was read from.
import type { Kind } from './seed-schema.ts';
import type { SeedSource } from './source.ts';

export type Path = readonly (string | number)[];

/** Where something stands. Line and column are looked up only when somebody asks. */
export interface Place {
  readonly source: SeedSource;
  readonly path: Path;
}

/** Something that is wrong with a seed. Line and column count from 1; `path` is like `users[3].email`. */
export interface SeedFault {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
}

/** The faults that are shown, in order, and how many there are beyond them. */
export interface FirstFaults {
  readonly faults: readonly SeedFault[];
  readonly more: number;
}

// Nobody reads more of them.
const mostFaults = 100;

/** To look for the name that was meant takes long, so the messages of the others are never made. */
export function firstFaults(all: readonly SeedFault[], more = 0): FirstFaults {
  const faults = inOrder(all).slice(0, mostFaults);
  return { faults, more: all.length - faults.length + more };
}

/** The faults as lines for people. */
export const formatFaults = ({ faults, more }: FirstFaults): string[] => [
  ...faults.map(formatFault),
  ...(more > 0 ? [`and ${more} more ${more === 1 ? 'fault' : 'faults'}`] : []),
];

export class SeedError extends Error implements FirstFaults {
  override readonly name = 'SeedError';
  readonly faults: readonly SeedFault[];
  readonly more: number;
  /** @param more how many there are beyond those that are given */
  constructor(faults: readonly SeedFault[], more = 0) {
    const first = firstFaults(faults, more);
    super(formatFaults(first).join('\n'));
    this.faults = first.faults;
    this.more = first.more;
  }
}

export interface SeedUser {
  readonly place: Place;
  readonly id: number | undefined;
  readonly username: string;
  /** What the seed says, by column. Columns that it leaves out keep their value or get the default. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Undefined: a new user joins the automatic groups, another keeps its groups. */
  readonly groups: readonly (string | number)[] | undefined;
  readonly tokens: readonly SeedToken[];
}

export interface SeedToken {
  readonly place: Place;
  readonly text: string;
}

export interface SeedGroup {
  readonly place: Place;
  readonly id: number | undefined;
  readonly name: string;
  /** A project's slug; null: none; undefined: not said. */
  readonly definingProject: string | null | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly projects: readonly string[] | undefined;
}

export interface SeedProject {
  readonly place: Place;
  readonly id: number | undefined;
  readonly slug: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface SeedComponent {
  readonly place: Place;
  readonly id: number | undefined;
  readonly project: string;
  readonly slug: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface SeedSubscription {
  readonly place: Place;
  readonly id: number | undefined;
  readonly user: string;
  readonly notification: string;
  readonly scope: number;
  readonly project: string | null;
  /** `project/component` */
  readonly component: string | null;
  readonly frequency: number;
}

export interface Seed {
  readonly users: readonly SeedUser[];
  /** Undefined: the seed says nothing of groups, so that a sandbox without any gets those of the real system. */
  readonly groups: readonly SeedGroup[] | undefined;
  readonly projects: readonly SeedProject[];
  readonly components: readonly SeedComponent[];
  readonly subscriptions: readonly SeedSubscription[];
  readonly next_id: Readonly<Partial<Record<Kind, number>>>;
}

/** As username_key in the database folds it (findings, "Ids"). */
export const foldCase = (text: string): string => text.toLowerCase();

export const subscriptionKey = (s: Omit<SeedSubscription, 'place' | 'id' | 'frequency'>): string =>
  [foldCase(s.user), s.notification, s.scope, s.project, s.component].join('\n');

export const componentPath = (c: Pick<SeedComponent, 'project' | 'slug'>): string => `${c.project}/${c.slug}`;

export const pathText = (path: Path): string =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('');

/** @param message as a function where it takes time to find the words: it is called when somebody reads them */
export function faultAt(
  place: Place,
  message: string | (() => string),
  step?: string | number,
  at: 'key' | 'value' = 'value',
): SeedFault {
  const path = step === undefined ? place.path : [...place.path, step];
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
