// What happened or what to do, the request with its curl lines, and the response.
import { safeMethods, STATUS_CODES } from '../../base/http-names.ts';
import { withQuery } from '../../http/wire/query-string.ts';
import { curlLine, type CurlRequest, renderBlock, renderCopy, renderTokenHint } from '../curl.ts';
import { html, type Html } from '../html.ts';
import { renderJson } from '../json.ts';
import { renderLink, renderSection, statusKind } from '../parts.ts';
import { advise } from './describe/advise.ts';
import { hasFaults } from './describe/describe-forms.ts';
import type { BrowsablePage } from './page-contents.ts';
import { renderData } from './render-data.ts';

export function renderNotices(page: BrowsablePage): Html | undefined {
  const { method, forms, status, findLink } = page;
  const notices = advise(page);
  if (notices.length === 0) return undefined;
  // The answer to a form replaces the page: the focus goes where the reading goes on.
  const isAnswer = method !== 'GET' && !forms.some(hasFaults);
  return html`<div class="notice block ${statusKind(status)}" ${isAnswer && html`tabindex="-1" autofocus`}>
    ${notices.map(({ text, link }) => html`<p>${text}${link && [' ', renderLink(findLink(link.href), link.label)]}</p>`)}
  </div>`;
}

/** For a header, if the URL doesn't name it. */
export const sandboxHeader = ({ prefix, sandbox }: BrowsablePage): string | undefined =>
  prefix === '' && sandbox !== 'default' ? sandbox : undefined;

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

/** The methods that change something have their lines at their forms. */
export function renderRequest(page: BrowsablePage): Html {
  const { allow, url } = page;
  const methods = allow.filter((method) => safeMethods.has(method));
  // Without the query, which may say format=api.
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

export function renderAnswer(page: BrowsablePage): Html {
  const { status, body, findLink } = page;
  const headers = Object.entries(page.headers).map(([name, value], place) => [
    // Outside the template, where the formatter would turn it into a space.
    place > 0 && '\n',
    html`<span class="header">${titleCase(name)}</span>: ${value}`,
  ]);
  return html`<section class="answer ${statusKind(status)}" aria-labelledby="answer">
    <h2 id="answer">Answer</h2>
    <p class="status block large">${status} ${STATUS_CODES[status]}</p>
    ${renderData(page)}
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

const titleCase = (name: string) =>
  name
    .replaceAll(/(?:^|-)[a-z]/g, (c) => c.toUpperCase())
    .replace('Www', 'WWW')
    .replace('Ratelimit', 'RateLimit');
