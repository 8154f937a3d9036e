// The served paths as patterns: for hints, breadcrumbs, and the resources of Weblate that aren't mirrored.
import type { Operation } from './operation.ts';

/** A path and its operations. */
export interface KnownPath {
  readonly url: string;
  readonly operations: readonly Pick<Operation<never>, 'method' | 'config'>[];
}

export interface PathTable {
  find(path: string): KnownPath | undefined;
  /** Whether anything is served under `/api/<resource>/`. */
  hasResource(resource: string): boolean;
}

/** Patterns as the router takes them: `:name` stands for one part of a path. */
export function pathTable(operations: readonly Pick<Operation<never>, 'url' | 'method' | 'config'>[]): PathTable {
  const known = [...Map.groupBy(operations, ({ url }) => url)].map(([url, ofPath]) => ({
    path: { url, operations: ofPath },
    regex: new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
  }));
  return {
    find: (path) => known.find(({ regex }) => regex.test(path))?.path,
    hasResource: (resource) => operations.some(({ url }) => url.startsWith(`/api/${resource}/`)),
  };
}

// The resources that Weblate's root lists (transcript root__paths). Served ones are found before this set is consulted.
const realResources = new Set([
  'users',
  'groups',
  'roles',
  'projects',
  'components',
  'translations',
  'memory',
  'languages',
  'component-lists',
  'changes',
  'units',
  'suggestions',
  'screenshots',
  'addons',
  'categories',
  'reports',
]);

/** Headers that explain an unknown path: its missing slash, or its resource that isn't mirrored. */
export function hintHeaders(path: string, table: PathTable): Record<string, string> {
  if (!path.endsWith('/') && table.find(`${path}/`) !== undefined)
    return { 'x-understudy-hint': 'The path ends with a slash.' };
  const resource = /^\/api\/([a-z-]+)(?:\/|$)/.exec(path)?.[1];
  return resource !== undefined && realResources.has(resource) && !table.hasResource(resource)
    ? { 'x-understudy-not-mirrored': resource }
    : {};
}
