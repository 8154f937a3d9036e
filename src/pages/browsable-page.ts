// The browsable page: one request with its response, for people. A pure function of the two.
import { renderAnswer, renderRequest } from './exchange.ts';
import { html, type Html } from './html.ts';
import { renderLayout } from './layout.ts';
import { absoluteUrl, linksUnder, sandboxPrefix } from './links.ts';
import { renderPages, renderRail, renderTrail } from './navigation.ts';

export { pageHeaders } from './layout.ts';

export interface PageLink {
  label: string;
  /** Absolute, or relative to the request's address. Becomes a link only under `baseUrl`. */
  href: string;
  current?: boolean;
}

export interface BrowsablePage {
  method: string;
  /** As requested: raw, with its query. */
  path: string;
  status: number;
  reason: string;
  /** The headers of the JSON answer, shown as they are. */
  headers: readonly (readonly [string, string])[];
  /** A JSON value; undefined: the answer has no body. */
  body: unknown;
  /** `http://127.0.0.1:8000`, or `…/sandboxes/x`. Only addresses under it become links. */
  baseUrl: string;
  /** What OPTIONS calls the resource. */
  name: string;
  breadcrumbs: readonly PageLink[];
  /** The methods allowed here. */
  allow: readonly string[];
  /** The formats; unless one is marked as current, it is `api`, the page itself. */
  formats: readonly PageLink[];
  pages?: { current: number; total: number; links: readonly PageLink[] };
  /** An example of a JSON body by method, for its curl line: `{ POST: { notification: … } }`. */
  examples?: Readonly<Record<string, unknown>>;
  sandbox?: string;
  /** The user whose token was sent. */
  principal?: string;
}

/** The whole HTML document. To be sent with `pageHeaders`. */
export function renderPage(page: BrowsablePage): string {
  const findLink = linksUnder(page.baseUrl);
  const url = absoluteUrl(page.baseUrl, page.path);
  const isError = page.status >= 400;
  return renderLayout({
    title: `${isError ? `${page.status} ${page.reason} · ` : ''}${page.name} · Understudy`,
    // A sandbox's pages link to its own root, never out of it.
    home: findLink(`${page.baseUrl}${sandboxPrefix(page.baseUrl) === '' ? '/' : '/api/'}`),
    aside: renderWho(page),
    main: html`${renderTrail(page.breadcrumbs, findLink, url)}
      <h1>${page.name}</h1>
      <div class="exchange">
        ${renderRail(page, findLink, url)}
        <div class="main-column">
          ${renderRequest(page, url)} ${renderAnswer(page, findLink)}
          ${renderPages(page, findLink, url, 'Pages, again')}
        </div>
      </div>`,
  });
}

function renderWho(page: BrowsablePage): Html {
  return html`<ul class="who" aria-label="Caller">
    ${page.sandbox === undefined ? undefined : html`<li>sandbox <strong>${page.sandbox}</strong></li>`}
    <li>${page.principal === undefined ? 'no token' : html`as <strong>${page.principal}</strong>`}</li>
  </ul>`;
}
