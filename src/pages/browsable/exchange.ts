// What happened or what to do, and the exchange: the request, and its answer as data, JSON, headers and by curl.
import { safeMethods, STATUS_CODES } from '../../base/http-names.ts';
import { replaceQuery, withQuery } from '../../http/wire/query-string.ts';
import { curlLine, type CurlRequest, renderBlock, renderCopy } from '../curl.ts';
import { html, type Html } from '../html.ts';
import { escapeInvisible, renderJson } from '../json.ts';
import { rootOf } from '../links.ts';
import { renderLink, renderTabs, statusKind } from '../parts.ts';
import { advise, listOthers } from './describe/advise.ts';
import type { BrowsablePage } from './describe/page-contents.ts';
import { renderData } from './render-data.ts';

export function renderNotices(page: BrowsablePage): Html | undefined {
  const { status, findLink } = page;
  const notices = advise(page);
  if (notices.length === 0) return undefined;
  return html`<div class="notice block ${statusKind(status)}" tabindex="-1">
    ${notices.map(({ text, link }) => html`<p>${text}${link && [' ', renderLink(findLink(link.href), link.label)]}</p>`)}
    ${renderOthers(page)}
  </div>`;
}

export const journalOf = ({ baseUrl, sandbox }: BrowsablePage): string =>
  `${rootOf(baseUrl)}/_understudy/console/${encodeURIComponent(sandbox.toWellFormed())}/journal/`;

/** The same page for callers who may be admitted. */
function renderOthers(page: BrowsablePage): Html | undefined {
  const others = listOthers(page);
  if (others.length === 0) return undefined;
  return html`<form class="row" method="post" action="${page.baseUrl}/session/">
    <input type="hidden" name="next" value="${page.visitor?.returnTo}" />
    <span>Try it</span>
    ${others.map((name) => html`<button name="act_as" value="${name}">as ${name === '' ? 'no user' : html`<strong>${name}</strong>`}</button>`)}
  </form>`;
}

/** For a header, if the URL doesn't name it. */
export const sandboxHeader = ({ prefix, sandbox }: BrowsablePage): string | undefined =>
  prefix === '' && sandbox !== 'default' ? sandbox : undefined;

/** With the visitor's token if it is public, and for others with `$TOKEN` where the request needs one. */
export function curlOf(page: BrowsablePage, request: CurlRequest): string {
  const { username, token = '$TOKEN' } = page.visitor ?? {};
  const isFree = username === undefined && page.admitsAnonymous(request.method);
  return curlLine({ ...request, token: isFree ? undefined : token, sandbox: sandboxHeader(page) });
}

export function renderAnswer(page: BrowsablePage): Html {
  const { method, path, search, status, body, findLink } = page;
  const sent = page.sent === undefined ? undefined : escapeInvisible(page.sent);
  const headers = Object.entries(page.headers).map(([name, value], place) => [
    // Outside the template, where the formatter would turn it into a space.
    place > 0 && '\n',
    html`<span class="header">${name}</span>: ${value}`,
  ]);
  const data = renderData(page);
  // Clients negotiate JSON by default.
  const curl = curlOf(page, {
    method,
    url: withQuery(page.url, replaceQuery(search, 'format', null)),
    body: sent,
  });
  return html`<section class="answer block ${statusKind(status)}" aria-labelledby="answer">
    <p class="request"><span class="method">${method}</span> ${withQuery(path, search)}</p>
    ${sent !== undefined && renderBlock('Sent', html`${sent}`)}
    ${!safeMethods.has(method) && html`<p><a class="recorded" href="${journalOf(page)}">The request in the journal</a></p>`}
    <h2 id="answer" class="status">${status} ${STATUS_CODES[status]}</h2>
    ${renderTabs('view', 'The answer as', [
      ...(data === undefined ? [] : [['Table', data] as const]),
      ['JSON', body === undefined ? html`<p>No body.</p>` : renderBlock('Body', renderJson(body, findLink))],
      ['Headers', renderBlock('Headers', html`${headers}`)],
      ['curl', renderCopy(curl, `${method} by curl`)],
    ])}
  </section>`;
}
