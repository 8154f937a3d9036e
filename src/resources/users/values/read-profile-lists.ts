// The lists of languages and projects in the profile of a body (transcript users__watched).
import type { ErrorLine } from '../../../errors.ts';
import { languageCodes } from './language-codes.ts';
import { linkLists } from '../profile.ts';

type Profile = Readonly<Record<string, unknown>>;

/** What of the user decides. */
export interface User {
  readonly current_email: string | null;
  /** Those of the named projects that exist, and of these those that the user may see. */
  readonly known_projects: readonly string[];
  readonly open_projects: readonly string[];
}

/**
 * Null empties a list. A project that the user may not see is a fault only beside no unknown one.
 * @param user undefined where it isn't known yet, and then no project is a fault
 */
export function readProfileLists(profile: Profile, user: User | undefined) {
  const values: Record<string, readonly string[]> = {};
  const faults: ErrorLine[] = [];
  const fault = (key: string, detail: string) => faults.push({ code: 'invalid', detail, attr: `profile.${key}` });
  for (const key of Object.keys(linkLists)) {
    const given = profile[key] === null ? [] : profile[key];
    if (given === undefined) continue;
    if (!isTexts(given)) {
      fault(key, 'Expected a list of items.');
      continue;
    }
    const names = [...new Set(given)].toSorted(byCodePoints);
    const known = key === 'watched' ? [user?.known_projects, user?.open_projects] : [languageCodes];
    const unknown = known.map((each) => missing(names, each)).find(({ length }) => length > 0);
    if (unknown === undefined) values[key] = names;
    else fault(key, `Invalid value: ${unknown.join(', ')}`);
  }
  return { values, faults };
}

/** The watched projects; the database rejects a NUL, and no slug holds one. */
export const namedProjects = ({ watched }: Profile): readonly string[] =>
  isTexts(watched) ? watched.map((name) => (slug.test(name) ? name : '')) : [];

function missing(names: readonly string[], known?: Iterable<string>): readonly string[] {
  if (known === undefined) return [];
  const all = new Set(known);
  return names.filter((name) => !all.has(name));
}

const isTexts = (given: unknown): given is string[] =>
  Array.isArray(given) && given.every((item) => typeof item === 'string');
const slug = /^[-A-Za-z0-9_]{1,100}$/;
// As UTF-8 sorts them.
const byCodePoints = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
