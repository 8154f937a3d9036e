// Only URLs under the request's base URL become links.

import { baseUrlOf, defaultSandbox } from '../access/which-sandbox.ts';

/** Resolves `href`, against `from` if given. Undefined if the URL isn't under the base URL. */
export type FindLink = (href: string, from?: string) => string | undefined;

/** Parses URLs: capitals, `/../` or a host before an `@` would deceive a comparison of texts. */
export function linksUnder(baseUrl: string): FindLink {
  const base = URL.parse(baseUrl);
  if (base === null || !/^https?:$/.test(base.protocol)) return () => undefined;
  const folder = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`;
  return (href, from) => {
    if (/[\s\p{Cc}\\]/u.test(href)) return undefined;
    const url = URL.parse(href, from);
    if (url?.origin !== base.origin || url.username !== '' || url.password !== '') return undefined;
    return `${url.pathname}/`.startsWith(folder) ? url.href : undefined;
  };
}

const sandboxPrefix = /\/sandboxes\/([^/]+)$/;

export const sandboxOf = (baseUrl: string) => sandboxPrefix.exec(baseUrl)?.[1] ?? defaultSandbox;

/** The base URL without a sandbox's prefix. */
export const rootOf = (baseUrl: string) => baseUrl.replace(sandboxPrefix, '');

/** The URL of a request. A slash keeps a target that is no path (`*`, a URL) apart from the host. */
export const absoluteUrl = (baseUrl: string, path: string) =>
  path.startsWith('/') ? baseUrl + path : `${baseUrl}/${path}`;

/**
 * The path of the same page in `sandbox`; for an entry of the journal, the path of that sandbox's journal.
 * @param path with or without a sandbox's prefix
 */
export function pathIn(sandbox: string, path: string) {
  const ofConsole = /^\/_understudy\/(?:console\/[^/]+\/((?:faults|journal|seed|state)\/)?)?/.exec(path);
  if (ofConsole !== null) return `/_understudy/console/${sandbox}/${ofConsole[1] ?? ''}`;
  return baseUrlOf('', sandbox) + path.replace(/^\/sandboxes\/[^/]+(?=\/)/, '').replace(/\?.*$/s, '');
}
