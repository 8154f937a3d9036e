// Requests as curl lines. Values from requests stand in single quotes, where a shell expands nothing.
import { html, type Html } from './html.ts';

export interface CurlRequest {
  method: string;
  url: string;
  /** Literal, or `$TOKEN` for the shell's variable. */
  token?: string | undefined;
  /** For a header, if the URL doesn't name it. */
  sandbox?: string | undefined;
  /** The JSON body; `@body.json` stands for a file to be written first. */
  body?: unknown;
}

const withBody = new Set(['POST', 'PUT', 'PATCH']);

export function curlLine(request: CurlRequest): string {
  const { method, token, sandbox } = request;
  const verb = { GET: '', HEAD: '-I ' }[method] ?? `-X ${method} `;
  const parts = [`curl ${verb}${quote(forCurl(request.url))}`];
  if (token === '$TOKEN') parts.push('-H "Authorization: Token $TOKEN"');
  else if (token !== undefined) parts.push(`-H ${quote(`Authorization: Token ${token}`)}`);
  if (sandbox !== undefined) parts.push(`-H ${quote(`X-Understudy-Sandbox: ${sandbox}`)}`);
  if (withBody.has(method)) {
    const body = request.body === undefined ? '@body.json' : quote(JSON.stringify(request.body));
    parts.push(`-H 'Content-Type: application/json'`, `-d ${body}`);
  }
  return parts.join(' \\\n  ');
}

/** A block that one click selects whole. */
export function renderCopy(text: string, label: string): Html {
  return html`<pre class="block copy" tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Encodes unsafe characters, and brackets, which curl would read as a range of URLs. */
function forCurl(url: string): string {
  return (URL.parse(url)?.href ?? url).replace(/[[\]{}]/g, (bracket) => encodeURIComponent(bracket));
}
