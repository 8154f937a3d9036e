// The served paths as patterns, for hints, breadcrumbs and links; and resources that aren't mirrored.
import { findNearest } from '../base/nearest.ts';
import type { Operation } from './operation.ts';

export type KnownOperation = Omit<Operation<never>, 'handler'>;

export type PathTable = ReturnType<typeof createPathTable>;

const maxComparedLength = 300;

/** Patterns are the router's: `:name` stands for one segment of a path. */
export function createPathTable(operations: readonly KnownOperation[]) {
  const known = [...Map.groupBy(operations, ({ url }) => url)].map(([url, ofPath]) => ({
    url,
    ofPath,
    regex: new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
  }));
  const findOne = (path: string) => known.find(({ regex }) => regex.test(path));

  /** Fills a pattern's parameters from the path; undefined if the numbers of segments differ. */
  function fill(url: string, path: string) {
    const parts = path.split('/');
    const ofUrl = url.split('/');
    if (parts.length !== ofUrl.length) return undefined;
    return ofUrl.map((part, place) => (part.startsWith(':') ? parts[place] : part)).join('/');
  }

  /** For each pattern that begins with the path's pattern: its rest, and its operations. */
  function listLonger(path: string) {
    const start = findOne(path)?.url;
    if (start === undefined) return [];
    return known.flatMap(({ url, ofPath }) =>
      url.startsWith(start) ? [{ rest: url.slice(start.length), ofPath }] : [],
    );
  }

  return {
    find: (path: string) => findOne(path)?.ofPath,
    /** The served path that a misspelt path may mean. Long paths aren't compared. */
    findNearest(path: string) {
      if (path.length > maxComparedLength) return undefined;
      const whole = path.endsWith('/') ? path : `${path}/`;
      const alike = known.flatMap(({ url }) => fill(url, whole) ?? []);
      const near = findNearest(whole, alike);
      return near !== undefined && findOne(near) !== undefined ? near : undefined;
    },
    /** The parameter that an entry's path adds to its list's path: `id`, `username`. */
    findEntryKey: (path: string) => listLonger(path).flatMap(({ rest }) => /^:(\w+)\/$/.exec(rest)?.[1] ?? [])[0],
    /** The paths directly below an entry's path, with their names, such as Groups. */
    listBelow: (path: string) =>
      findOne(path)?.url.includes(':') === true
        ? listLonger(path).flatMap(({ rest, ofPath }) =>
            /^[\w-]+\/$/.test(rest) ? [{ path: path + rest, name: ofPath[0]?.view?.name ?? rest }] : [],
          )
        : [],
  };
}

// The resources that Weblate's root lists (transcript root__paths).
const realResources = new Set(
  `users groups roles projects components translations memory languages component-lists changes units suggestions
  screenshots addons categories reports`.split(/\s+/),
);

export const hintHeader = 'x-understudy-hint';
export const notMirroredHeader = 'x-understudy-not-mirrored';

// How links in Weblate's projects, components and languages end (transcripts targets__*, languages__read).
const realParts = new Set(
  `announcements categories changes labels languages links lock machinery_settings metrics reports repository statistics
  translations`.split(/\s+/),
);

/** Headers that explain an unknown path: no final slash, a resource not mirrored, or a misspelling. */
export function hintHeaders(path: string, paths: PathTable): Record<string, string> {
  if (!path.endsWith('/') && paths.find(`${path}/`) !== undefined)
    return { [hintHeader]: 'The path needs a slash at its end.' };
  const [, resource = '', part = ''] = /^\/api\/([a-z-]+)(?:\/|$)(?:.*\/([a-z_]+)\/$)?/.exec(path) ?? [];
  if (/^(?:projects|components|languages)$/.test(resource) && realParts.has(part)) return { [notMirroredHeader]: part };
  if (realResources.has(resource) && paths.find(`/api/${resource}/`) === undefined)
    return { [notMirroredHeader]: resource };
  const near = paths.findNearest(path);
  return near === undefined ? {} : { [hintHeader]: `Did you mean ${near}?` };
}
