// Requests as curl lines. Values from requests are in single quotes, in which a shell expands nothing.

export interface CurlRequest {
  method: string;
  url: string;
  /** The token itself, or a shell variable: `$TOKEN` for a user's token, or `$UNDERSTUDY_ADMIN_TOKEN`. */
  token?: string | undefined;
  body?: string | undefined;
  /** The body's type; empty for none, JSON if left out. */
  type?: string | undefined;
}

export function curlLine(request: CurlRequest) {
  const { method, token, body, type = 'application/json' } = request;
  const verb = { GET: '', HEAD: '-I ' }[method] ?? `-X ${method} `;
  const parts = [`curl ${verb}${urlArgument(request.url)}`];
  const header = `Authorization: Token ${token}`;
  if (token !== undefined) parts.push(`-H ${variableIn(token) === undefined ? quote(header) : `"${header}"`}`);
  // With an empty Content-Type, curl sends none. With -d, a text that begins with @ would name a file.
  if (body !== undefined) parts.push(`-H ${quote(`Content-Type: ${type}`.trimEnd())}`, `--data-raw ${quote(body)}`);
  return parts.join(' \\\n  ');
}

/** The name of the shell variable instead of a token; undefined for the token itself. */
export const variableIn = (token = '') => /^\$([A-Z_]+)$/.exec(token)?.[1];

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The URL as it is, except for characters that no URL has. A resolved `..` would be another request. */
function urlArgument(url: string) {
  // curl would read brackets as a range of URLs, and resolve dots too.
  const globoff = /[[\]{}]/.test(url) ? '--globoff ' : '';
  const asIs = staysSame({ url }) ? '' : '--path-as-is ';
  return globoff + asIs + quote(url.toWellFormed().replaceAll(/[^!-~]/gu, encodeURIComponent));
}

/** Whether other programs send the URL as it is: they resolve dots. */
export const staysSame = ({ url }: Pick<CurlRequest, 'url'>) => !/\/(?:\.|%2e)/i.test(url);
