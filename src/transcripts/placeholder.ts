// `{base_url}` stands in a transcript for the service's own base URL, which may carry a path (a sandbox).

export class BaseUrlError extends Error {
  override readonly name = 'BaseUrlError';
}

/** Checks `text` and gives it as a server would repeat it: no final slash, no default port. Throws BaseUrlError. */
export function readBaseUrl(text: string): string {
  const url = URL.parse(text);
  // The text is not repeated: it may hold a password.
  if (!url || !/^https?:$/u.test(url.protocol)) throw new BaseUrlError('the URL must begin with http:// or https://');
  if (url.username || url.password) throw new BaseUrlError('the URL must not carry a user or a password');
  if (url.search || url.hash) throw new BaseUrlError('the URL must end with its path: no query, no fragment');
  return url.href.replace(/\/+$/u, '');
}

export function fillBaseUrl(text: string, baseUrl: string): string {
  return text.replaceAll('{base_url}', () => baseUrl);
}

/** Makes the function that writes `{base_url}` where the URL stands; `http://host:80001` does not begin with `http://host:8000`. */
export function makeLeaveOutBaseUrl(baseUrl: string): (text: string) => string {
  const found = new RegExp(`${escapePattern(baseUrl)}(?![\\w:-]|\\.\\w)`, 'gu');
  return (text) => text.replaceAll(found, '{base_url}');
}

/** A pattern that finds exactly `text`. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`);
}
