// The requests that a page offers, as curl lines.
import { safeMethods } from '../../base/http-names.ts';
import { curlLine } from '../curl.ts';
import { sandboxPrefix } from '../links.ts';
import type { BrowsablePage } from './page-contents.ts';

/** Without the query, which may say format=api: requests are for the data. */
export const plainUrl = (url: string): string => url.replace(/\?.*$/s, '');

/** For a header, if the URL doesn't name it. */
export const sandboxHeader = ({ baseUrl, sandbox }: BrowsablePage): string | undefined =>
  sandboxPrefix(baseUrl) === '' ? sandbox : undefined;

/** With the visitor's token if it is public, and for others with `$TOKEN` where the request needs one. */
export function curlOf(
  page: BrowsablePage,
  request: { method: string; url: string; body?: string | undefined },
): string {
  const { visitor, anonymous } = page;
  const { username, token = '$TOKEN' } = visitor ?? {};
  const isFree = safeMethods.has(request.method) ? anonymous !== 'strict' : anonymous === 'write';
  return curlLine({
    ...request,
    token: username === undefined && isFree ? undefined : token,
    sandbox: sandboxHeader(page),
  });
}
