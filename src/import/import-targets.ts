// What a server names by URL, as a seed names it; undefined where a seed can't.
import type { WireSubscription } from './wire.ts';

/** `demo` of …/api/projects/demo/ */
export const projectSlug = (url: string): string | undefined => find(/\/api\/projects\/([^/]+)\/?$/u, url);

/** The codes or slugs of links to languages or projects. */
export const namesOf = (urls: unknown): string[] =>
  (Array.isArray(urls) ? urls : []).flatMap(
    (url) => find(/\/api\/(?:languages|projects)\/([^/%]+)\/?$/u, String(url)) ?? [],
  );

/** 3 of …/api/groups/3/ or …/api/roles/3/ */
export function idOf(url: string): number | undefined {
  const id = find(/\/api\/(?:groups|roles)\/(\d+)\/?$/u, url);
  return id === undefined ? undefined : Number(id);
}

/** The project or the component (`demo/app`) that a subscription is limited to. */
export function targetOf(one: WireSubscription): { project?: string; component?: string } | undefined {
  const project = one.project ? projectSlug(one.project) : undefined;
  // A component in a category can't be named: the real system writes both as one step, `app%252Fmain`.
  const component = one.component ? find(/\/api\/components\/([^/%]+\/[^/%]+)\/?$/u, one.component) : undefined;
  if (one.project) return project === undefined ? undefined : { project };
  if (one.component) return component === undefined ? undefined : { component };
  return {};
}

const find = (pattern: RegExp, url: string): string | undefined => pattern.exec(URL.parse(url)?.pathname ?? '')?.[1];
