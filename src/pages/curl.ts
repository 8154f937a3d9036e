// Requests as curl lines. In single quotes, a shell expands nothing.
// A token's variable is in double quotes.

export interface CurlRequest {
  method: string;
  url: string;
  /** The token itself, or a shell variable: `$TOKEN` or `$UNDERSTUDY_ADMIN_TOKEN`. */
  token?: string | undefined;
  body?: string | undefined;
  /** The body's type; empty for no header, JSON if left out. */
  type?: string | undefined;
}

export function curlLine(request: CurlRequest) {
  const { method, token, body, type = 'application/json' } = request;
  const verb = { GET: '', HEAD: '-I ' }[method] ?? `-X ${method} `;
  const parts = [`curl ${verb}${urlArgument(request.url)}`];
  const header = `Authorization: Token ${token}`;
  const quoted = variableIn(token) === undefined ? quote(header) : `"${header}"`;
  if (token !== undefined) parts.push(`-H ${quoted}`);
  // Curl sends no header whose value is empty. After -d, a body that begins with @ would name a file.
  const ofBody = quote(`Content-Type: ${type}`.trimEnd());
  if (body !== undefined) parts.push(`-H ${ofBody}`, `--data-raw ${quote(body)}`);
  return parts.join(' \\\n  ');
}

/** The name of the shell variable; undefined for the token itself. */
export const variableIn = (token = '') => /^\$([A-Z_]+)$/.exec(token)?.[1];

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Escapes blanks and non-ASCII. Keeps `..`: a resolved path would be another request. */
function urlArgument(url: string) {
  // By default, curl reads brackets as a range of URLs, and resolves `..`.
  const globoff = /[[\]{}]/.test(url) ? '--globoff ' : '';
  const asIs = staysSame({ url }) ? '' : '--path-as-is ';
  return globoff + asIs + quote(url.toWellFormed().replaceAll(/[^!-~]/gu, encodeURIComponent));
}

/** Whether clients that resolve `.` and `..` send the URL as it is. */
export const staysSame = ({ url }: Pick<CurlRequest, 'url'>) => !/\/(?:\.|%2e)/i.test(url);
