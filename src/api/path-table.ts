// The served paths as patterns: for hints, breadcrumbs, and the resources of Weblate that aren't mirrored.
import type { Operation } from './operation.ts';

type KnownOperation = Pick<Operation<never>, 'url' | 'method' | 'config'>;

/** The operations of a path; undefined for one that isn't served. */
export type FindPath = (path: string) => readonly KnownOperation[] | undefined;

/** Patterns as the router takes them: `:name` stands for one part of a path. */
export function findPathIn(operations: readonly KnownOperation[]): FindPath {
  const known = [...Map.groupBy(operations, ({ url }) => url)].map(([url, ofPath]) => ({
    ofPath,
    regex: new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
  }));
  return (path) => known.find(({ regex }) => regex.test(path))?.ofPath;
}

// The resources that Weblate's root lists (transcript root__paths).
const realResources = new Set(
  `users groups roles projects components translations memory languages component-lists changes units suggestions
  screenshots addons categories reports`.split(/\s+/),
);

/** Headers that explain an unknown path: its missing slash, or its resource that isn't mirrored. */
export function hintHeaders(path: string, find: FindPath): Record<string, string> {
  if (!path.endsWith('/') && find(`${path}/`) !== undefined)
    return { 'x-understudy-hint': 'The path ends with a slash.' };
  const resource = /^\/api\/([a-z-]+)(?:\/|$)/.exec(path)?.[1];
  return resource !== undefined && realResources.has(resource) && find(`/api/${resource}/`) === undefined
    ? { 'x-understudy-not-mirrored': resource }
    : {};
}
