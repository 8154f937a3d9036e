// The request with its curl lines, and the response.
import { safeMethods } from '../../base/http-names.ts';
import { renderBlock, renderCopy, renderTokenHint } from '../curl.ts';
import { html, type Html } from '../html.ts';
import { renderJson } from '../json.ts';
import type { FindLink } from '../links.ts';
import { statusKind } from '../status-kind.ts';
import type { BrowsablePage } from './page-contents.ts';
import { renderData } from './render-data.ts';
import { curlOf, plainUrl } from './page-requests.ts';

/** @param url the request's URL */
export function renderRequest(page: BrowsablePage, url: string): Html {
  return html`<section aria-labelledby="request">
    <h2 id="request">Request</h2>
    <pre class="block request"><code><span class="method">${page.method}</span> ${page.path}</code></pre>
    ${renderCurl(page, url)}
  </section>`;
}

/** The methods that change something have theirs at their forms. */
function renderCurl(page: BrowsablePage, url: string): Html | undefined {
  const methods = page.allow.filter((method) => safeMethods.has(method));
  if (methods.length === 0) return undefined;
  const lines = methods.map((method) => [method, curlOf(page, { method, url: plainUrl(url) })] as const);
  return html`<details>
    <summary>curl</summary>
    ${renderTokenHint(...lines.map(([, line]) => line))}
    ${lines.map(([method, line]) => renderCopy(line, `${method} by curl`))}
  </details>`;
}

/** Status and data, then the answer as it is: its body and its headers. */
export function renderAnswer(page: BrowsablePage, findLink: FindLink): Html {
  const headers = page.headers.map(([name, value], place) => [
    // Outside the template, where the formatter would turn it into a space.
    place === 0 ? undefined : '\n',
    html`<span class="header">${name}</span>: ${value}`,
  ]);
  return html`<section class="answer ${statusKind(page.status)}" aria-labelledby="answer">
    <h2 id="answer">Answer</h2>
    <p class="status">${page.status} ${page.reason}</p>
    ${renderData(page, findLink)}
    ${
      page.body === undefined
        ? html`<p class="nothing">No body.</p>`
        : html`<details open>
            <summary>JSON</summary>
            ${renderBlock('Body', renderJson(page.body, findLink), 'body')}
          </details>`
    }
    <details>
      <summary>Headers</summary>
      ${renderBlock('Headers', html`${headers}`, 'headers')}
    </details>
  </section>`;
}
