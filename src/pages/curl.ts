// Requests as curl lines. Values from requests are in single quotes, where a shell expands nothing.
import { html, type Html } from './html.ts';

export interface CurlRequest {
  method: string;
  url: string;
  /** Literal, or `$TOKEN` for the shell's variable. */
  token?: string | undefined;
  /** For a header, if the URL doesn't name it. */
  sandbox?: string | undefined;
  body?: string | undefined;
  /** The body's type; empty for none, JSON if left out. */
  type?: string | undefined;
}

export function curlLine(request: CurlRequest): string {
  const { method, token, sandbox, body, type = 'application/json' } = request;
  const verb = { GET: '', HEAD: '-I ' }[method] ?? `-X ${method} `;
  const parts = [`curl ${verb}${urlArgument(request.url)}`];
  if (token === '$TOKEN') parts.push('-H "Authorization: Token $TOKEN"');
  else if (token !== undefined) parts.push(`-H ${quote(`Authorization: Token ${token}`)}`);
  if (sandbox !== undefined) parts.push(`-H ${quote(`X-Understudy-Sandbox: ${sandbox}`)}`);
  // Without a value, curl leaves its own type out. Not -d, which takes a text that begins with @ for the name of a file.
  if (body !== undefined) parts.push(`-H ${quote(`Content-Type: ${type}`.trimEnd())}`, `--data-raw ${quote(body)}`);
  return parts.join(' \\\n  ');
}

export const renderBlock = (label: string, text: Html): Html =>
  html`<pre class="block" tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>`;

/**
 * A block that one click selects whole, with a button that copies it, and what it needs of the shell.
 * @param label another one for each block of a page
 */
export function renderCopy(text: string, label: string): Html {
  const id = `copy-${label.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
  return html`<div class="row">
      <pre class="block copy" tabindex="0" role="group" aria-label="${label}"><code id="${id}">${text}</code></pre>
      <button type="button" class="small" data-copy="${id}">Copy</button>
    </div>
    ${text.includes('$TOKEN') && html`<p class="hint">Put a token into the shell first: <code>export TOKEN=…</code></p>`}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The URL as it is but for characters that no URL has: resolving `..` would make another request of it. */
function urlArgument(url: string): string {
  // curl would read brackets as a range of URLs, and resolve dots too.
  const globoff = /[[\]{}]/.test(url) ? '--globoff ' : '';
  const asIs = /\/(?:\.|%2e)/i.test(url) ? '--path-as-is ' : '';
  return globoff + asIs + quote(url.toWellFormed().replaceAll(/[^!-~]/gu, encodeURIComponent));
}
