// What happened or what to do, the request with its curl lines, and the response.
import { safeMethods, STATUS_CODES } from '../../base/http-names.ts';
import { withQuery } from '../../http/wire/query-string.ts';
import { curlLine, type CurlRequest, renderBlock, renderCopy, renderTokenHint } from '../curl.ts';
import { html, type Html } from '../html.ts';
import { renderJson } from '../json.ts';
import { type FindLink, sandboxPrefix } from '../links.ts';
import { renderLink, renderSection, statusKind } from '../parts.ts';
import { type BrowsablePage, hasFaults } from './page-contents.ts';
import { renderData } from './render-data.ts';

/** The first thing on the page. */
export function renderNotices(page: BrowsablePage, findLink: FindLink): Html | undefined {
  const { notices, method, forms, status } = page;
  if (notices.length === 0) return undefined;
  // The answer to a form replaces the page: the focus goes where the reading goes on.
  const isAnswer = method !== 'GET' && !forms.some(hasFaults);
  return html`<div class="notice block ${statusKind(status)}" ${isAnswer && html`tabindex="-1" autofocus`}>
    ${notices.map(({ text, link }) => html`<p>${text}${link && [' ', renderLink(findLink(link.href), link.label)]}</p>`)}
  </div>`;
}

/** For a header, if the URL doesn't name it. */
export const sandboxHeader = ({ baseUrl, sandbox }: BrowsablePage): string | undefined =>
  sandboxPrefix(baseUrl) === '' && sandbox !== 'default' ? sandbox : undefined;

/** With the visitor's token if it is public, and for others with `$TOKEN` where the request needs one. */
export function curlOf(page: BrowsablePage, request: CurlRequest): string {
  const { visitor, anonymous } = page;
  const { username, token = '$TOKEN' } = visitor ?? {};
  const isFree = safeMethods.has(request.method) ? anonymous !== 'strict' : anonymous === 'write';
  return curlLine({
    ...request,
    token: username === undefined && isFree ? undefined : token,
    sandbox: sandboxHeader(page),
  });
}

/** The methods that change something have their lines at their forms. @param url without the query, which may say format=api */
export function renderRequest(page: BrowsablePage, url: string): Html {
  const methods = page.allow.filter((method) => safeMethods.has(method));
  const lines = methods.map((method) => [method, curlOf(page, { method, url })] as const);
  return renderSection(
    'request',
    'Request',
    html`<pre
      class="block request"
    ><code><span class="method">${page.method}</span> ${withQuery(page.path, page.search)}</code></pre>`,
    lines.length > 0 &&
      html`<details>
        <summary>curl</summary>
        ${renderTokenHint(...lines.map(([, line]) => line))}
        ${lines.map(([method, line]) => renderCopy(line, `${method} by curl`))}
      </details>`,
  );
}

/** Status and data, then the answer as it is: its body and its headers. */
export function renderAnswer(page: BrowsablePage, findLink: FindLink): Html {
  const { status, body } = page;
  const headers = page.headers.map(([name, value], place) => [
    // Outside the template, where the formatter would turn it into a space.
    place > 0 && '\n',
    html`<span class="header">${name}</span>: ${value}`,
  ]);
  return html`<section class="answer ${statusKind(status)}" aria-labelledby="answer">
    <h2 id="answer">Answer</h2>
    <p class="status block large">${status} ${STATUS_CODES[status]}</p>
    ${renderData(page, findLink)}
    ${
      body === undefined
        ? html`<p class="block">No body.</p>`
        : html`<details open>
            <summary>JSON</summary>
            ${renderBlock('Body', renderJson(body, findLink))}
          </details>`
    }
    <details>
      <summary>Headers</summary>
      ${renderBlock('Headers', html`${headers}`)}
    </details>
  </section>`;
}
