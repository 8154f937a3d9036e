// The browsable page: a request and its answer, forms, and links to related pages.
import { safeMethods, STATUS_CODES } from '../../base/http-names.ts';
import type { Call } from '../../http/call.ts';
import type { Exchange } from '../../http/send.ts';
import { parseQuery, replaceQuery, withQuery } from '../../http/wire/query-string.ts';
import { renderLayout } from '../frame/layout.ts';
import { html } from '../html.ts';
import { escapeInvisible, renderJson } from '../json.ts';
import * as parts from '../parts.ts';
import { advise, listOthers } from './advise.ts';
import { type BrowsablePage, describeForms } from './describe-forms.ts';
import type { PageLink } from './name-path.ts';
import { describeExchange, type PageOptions } from './page-contents.ts';
import { renderData } from './render-data.ts';
import { renderForms } from './render-form.ts';

export const pageAround = (options: PageOptions) => (exchange: Exchange, context: Pick<Call, 'visitor'>) => {
  const contents = describeExchange({ ...exchange, visitor: context.visitor }, options);
  return renderPage({ ...contents, forms: describeForms(contents) });
};

function renderPage(page: BrowsablePage) {
  const { baseUrl, path, paths, status, name, visitor, forms } = page;
  const below = paths.listBelow(path).map((one) => ({ label: one.name, href: baseUrl + one.path }));
  return renderLayout({
    title: status >= 400 ? `${status} ${STATUS_CODES[status] ?? ''} · ${name}` : name,
    baseUrl,
    section: 'api',
    visitor,
    assets: forms.length === 0 ? [] : ['send-form.js'],
    main: html`${page.breadcrumbs.length > 1 && renderLinks(page, 'Where you are', page.breadcrumbs)}
      <h1>${name}</h1>
      ${renderLinks(page, 'Below', below)}
      <div class="stack">
        ${renderNotices(page)} ${renderAnswer(page)} ${renderLinks(page, 'Pages', listPages(page))} ${renderQuery(page)}
        ${renderForms(page)}
      </div>`,
  });
}

function renderLinks({ findLink, url }: BrowsablePage, label: string, links: readonly PageLink[]) {
  if (links.length === 0) return undefined;
  const chips = links.map((one) => parts.renderLink(findLink(one.href), one.label, one.href === url));
  return html`<nav aria-label="${label}">${parts.renderChips(chips)}</nav>`;
}

function listPages({ entries, body, url, search }: BrowsablePage) {
  if (entries === undefined) return [];
  const { previous, next } = body as Readonly<Record<string, unknown>>;
  const pageUrl = (page: string) => withQuery(url, replaceQuery(search, 'page', page));
  return [
    { label: 'First', href: previous && pageUrl('1') },
    { label: 'Previous', href: previous },
    { label: 'Next', href: next },
    { label: 'Last', href: next && pageUrl('last') },
  ].filter((link): link is PageLink => typeof link.href === 'string');
}

/** A field for each parameter of a list, except the page's number, which links choose. */
function renderQuery({ entries, known, url, search }: BrowsablePage) {
  const declared = known.find(({ method }) => method === 'GET')?.querystring?.properties;
  if (entries === undefined || declared === undefined) return undefined;
  const given = parseQuery(search);
  const parameters = Object.entries(declared).filter(([name]) => name !== 'page');
  return html`<details class="block" ${parameters.some(([name]) => given[name]) && html`open`}>
    <summary>Page size, format and filters</summary>
    <form class="filters row" method="get" action="${url}">
      ${parameters.map(([name, { description = '' }]) =>
        parts.renderField({
          id: `query-${name}`,
          label: html`<code>${name}</code>`,
          hint: description.replaceAll('`', ''),
          control: parts.renderNameInput(given[name], html`name="${name}"`),
        }),
      )}
      <p class="actions row"><button>Show</button> <a href="${url}">Show all</a></p>
    </form>
  </details>`;
}

function renderNotices(page: BrowsablePage) {
  const notices = advise(page);
  if (notices.length === 0) return undefined;
  const { status, visitor, consoleUrl } = page;
  const canUndo = status === 204 && visitor?.isAdmitted;
  const ofUndo = html`class="undo" title="Puts the sandbox back to what it held before"`;
  return html`<div class="notice block ${parts.statusKind(status)}" tabindex="-1">
    ${notices.map((notice) => html`<p>${notice}</p>`)} ${renderOthers(page)}
    ${canUndo && parts.renderButton(`${consoleUrl}undo/`, 'Undo', ofUndo)}
  </div>`;
}

function renderOthers(page: BrowsablePage) {
  const others = listOthers(page);
  if (others.length === 0) return undefined;
  return html`<form class="row" method="post" action="${page.baseUrl}/session/">
    <input type="hidden" name="next" value="${page.visitor?.returnTo}" />
    <span>Try it</span>
    ${others.map(
      (name) =>
        html`<button name="act_as" value="${name}">
          as ${name === '' ? 'no user' : html`<strong>${name}</strong>`}
        </button>`,
    )}
  </form>`;
}

function renderAnswer(page: BrowsablePage) {
  const { method, path, search, status, body, findLink, consoleUrl } = page;
  const sent = page.sent === undefined ? undefined : escapeInvisible(page.sent);
  const headers = Object.entries(page.headers).map(([name, value], place) => [
    // In the template, the formatter would turn the line break into a space.
    place > 0 && '\n',
    html`<span class="header">${name}</span>: ${value}`,
  ]);
  const recorded = html`<p><a class="recorded" href="${consoleUrl}journal/">The request in the journal</a></p>`;
  const data = renderData(page);
  // Without `format`, clients get JSON by default.
  const url = withQuery(page.url, replaceQuery(search, 'format', null));
  return html`<section class="answer block ${parts.statusKind(status)}" aria-labelledby="answer">
    <p class="request"><span class="method">${method}</span> ${withQuery(path, search)}</p>
    ${sent !== undefined && parts.renderBlock('Sent', html`${sent}`)} ${!safeMethods.has(method) && recorded}
    <h2 id="answer" class="status">${status} ${STATUS_CODES[status]}</h2>
    ${parts.renderTabs('The answer as', [
      ...(data === undefined ? [] : [['Table', data] as const]),
      ['JSON', body === undefined ? html`<p>No body.</p>` : parts.renderBlock('Body', renderJson(body, findLink))],
      ['Headers', parts.renderBlock('Headers', html`${headers}`)],
      ['Code', parts.renderRequest(page.withToken({ method, url, body: sent }), `${method} by curl`)],
    ])}
  </section>`;
}
