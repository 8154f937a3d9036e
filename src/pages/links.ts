// Which URLs become links: only those under the base of the request.

/** Resolves `href`, against `from` if given, and returns it if it is http(s) and under the base. */
export type FindLink = (href: string, from?: string) => string | undefined;

/**
 * Compares parsed URLs and not their texts, so that `…/../`, a host before an `@` or a scheme in capitals can't
 * deceive.
 */
export function linksUnder(baseUrl: string): FindLink {
  const base = URL.parse(baseUrl);
  if (base === null || !/^https?:$/.test(base.protocol)) return () => undefined;
  const folder = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`;
  return (href, from) => {
    if (/[\s\p{Cc}\\]/u.test(href)) return undefined;
    const url = URL.parse(href, from);
    if (url === null || url.origin !== base.origin || url.username !== '' || url.password !== '') return undefined;
    return `${url.pathname}/`.startsWith(folder) ? url.href : undefined;
  };
}

/** The prefix of a sandbox that a base ends with (`/sandboxes/ci-1`), or the empty string. */
export function sandboxPrefix(baseUrl: string): string {
  return /\/sandboxes\/[^/]+$/.exec(baseUrl)?.[0] ?? '';
}

/** The base without its sandbox's prefix: where the service itself begins. */
export const rootOf = (baseUrl: string): string => baseUrl.slice(0, baseUrl.length - sandboxPrefix(baseUrl).length);

/** The absolute URL of a raw path. A target that is none (`*`, an absolute URL) must not run into the host's name. */
export const absoluteUrl = (baseUrl: string, path: string): string =>
  path.startsWith('/') ? baseUrl + path : `${baseUrl}/${path}`;
