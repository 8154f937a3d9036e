// Which addresses become links: only those that stay under the base by which the request came.

/** Resolves `href` (against `from`, when given) and returns it if it is http(s) and lies under the base; else nothing. */
export type FindLink = (href: string, from?: string) => string | undefined;

/**
 * The judge of links of one page. Compared are the parsed addresses, not their texts, so that `…/../`, a host in front of an
 * `@` or a scheme in capitals can't pass for something they are not.
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

/** The absolute address of a raw path. The base of a sandbox ends with what the path begins with: it counts once. */
export function absoluteUrl(baseUrl: string, path: string): string {
  const prefix = sandboxPrefix(baseUrl);
  // A target that is no path (`*`, an absolute address) must not run into the host's name.
  if (!path.startsWith('/')) return `${baseUrl}/${path}`;
  return baseUrl + (prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path);
}
