// Only URLs under the request's base become links.

import { baseUrlOf, defaultSandbox } from '../access/which-sandbox.ts';

/** Resolves `href`, against `from` if given. Undefined unless it is http(s) and under the base. */
export type FindLink = (href: string, from?: string) => string | undefined;

/** Compares parsed URLs: `…/../`, a host before an `@` or a scheme in capitals would deceive. */
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

/** The service's own base URL. */
export const rootOf = (baseUrl: string) => baseUrl.replace(sandboxPrefix, '');

/** The URL of a raw target. A target that is no path (`*`, a URL) must not extend the host's name. */
export const absoluteUrl = (baseUrl: string, path: string) =>
  path.startsWith('/') ? baseUrl + path : `${baseUrl}/${path}`;

/**
 * The same page of another sandbox. From a request in the journal, it leads to the other journal.
 * @param path from the service's own root on
 */
export function pathIn(sandbox: string, path: string) {
  const ofConsole = /^\/_understudy\/(?:console\/[^/]+\/((?:faults|journal|seed|state)\/)?)?/.exec(path);
  if (ofConsole !== null) return `/_understudy/console/${sandbox}/${ofConsole[1] ?? ''}`;
  return baseUrlOf('', sandbox) + path.replace(/^\/sandboxes\/[^/]+(?=\/)/, '').replace(/\?.*$/s, '');
}
