// The request with its curl lines, and the response.
import { curlLine, renderCopy } from '../curl.ts';
import { html, type Html } from '../html.ts';
import { renderJson } from '../json.ts';
import { sandboxPrefix, type FindLink } from '../links.ts';
import type { BrowsablePage } from './page-contents.ts';

/** @param url the request's URL */
export function renderRequest(page: BrowsablePage, url: string): Html {
  return html`<section aria-labelledby="request">
    <h2 id="request">Request</h2>
    <pre class="block request"><code><span class="method">${page.method}</span> ${page.path}</code></pre>
    ${renderCurl(page, url)}
  </section>`;
}

function renderCurl(page: BrowsablePage, url: string): Html | undefined {
  if (page.allow.length === 0) return undefined;
  // Without the query, which may say format=api: the curl line is for the data.
  const plain = url.replace(/\?.*$/s, '');
  const sandbox = sandboxPrefix(page.baseUrl) === '' ? page.sandbox : undefined;
  const lines = page.allow.map((method) => {
    const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
    const { username, token: known = '$TOKEN' } = page.visitor ?? {};
    const token = reads && username === undefined ? undefined : known;
    return curlLine({ method, url: plain, token, sandbox, body: page.examples?.[method] });
  });
  return html`<details>
    <summary>curl</summary>
    ${
      lines.some((line) => line.includes('$TOKEN'))
        ? html`<p class="hint">Put a token into the shell first: <code>export TOKEN=…</code></p>`
        : undefined
    }
    ${lines.map((line, place) => renderCopy(line, `${page.allow[place]} by curl`))}
  </details>`;
}

/** Status, headers and body. */
export function renderAnswer(page: BrowsablePage, findLink: FindLink): Html {
  const kind = ['informs', 'succeeds', 'redirects', 'refuses', 'fails'][Math.floor(page.status / 100) - 1] ?? 'fails';
  const headers = page.headers.map(([name, value], place) => [
    // Outside the template, where the formatter would turn it into a space.
    place === 0 ? undefined : '\n',
    html`<span class="header">${name}</span>: ${value}`,
  ]);
  return html`<section class="answer ${kind}" aria-labelledby="answer">
    <h2 id="answer">Answer</h2>
    <p class="status">${page.status} ${page.reason}</p>
    <pre class="headers" tabindex="0" role="group" aria-label="Headers"><code>${headers}</code></pre>
    ${
      page.body === undefined
        ? html`<p class="nothing">No body.</p>`
        : html`<pre
            class="body"
            tabindex="0"
            role="group"
            aria-label="Body"
          ><code>${renderJson(page.body, findLink)}</code></pre>`
    }
  </section>`;
}
