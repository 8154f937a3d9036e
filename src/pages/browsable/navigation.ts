// A page's navigation: breadcrumbs, formats, allowed methods, the pages of a list.
import { html, type Html } from '../html.ts';
import type { FindLink } from '../links.ts';
import type { BrowsablePage, PageLink } from './page-contents.ts';

/** @param url the request's URL, which relative links start from */
export function renderTrail(trail: readonly PageLink[], findLink: FindLink, url: string): Html | undefined {
  if (trail.length === 0) return undefined;
  const crumbs = trail.map((crumb, place) => {
    const current = crumb.current ?? place === trail.length - 1;
    return html`<li>${renderLink({ ...crumb, current }, findLink, url, 'page')}</li>`;
  });
  return html`<nav class="trail" aria-label="Where you are">
    <ol>
      ${crumbs}
    </ol>
  </nav>`;
}

/** Beside the exchange on a wide window, before it on a narrow one. */
export function renderRail(page: BrowsablePage, findLink: FindLink, url: string): Html {
  const formats = page.formats.map((format) => {
    const current = format.current ?? format.label === 'api';
    return html`<li>${renderLink({ ...format, current }, findLink, url, 'true')}</li>`;
  });
  return html`<div class="rail">
    <nav aria-label="Formats">
      <h2>Format</h2>
      <ul class="chips">
        ${formats}
      </ul>
    </nav>
    ${
      page.allow.length === 0
        ? undefined
        : html`<section aria-labelledby="methods">
            <h2 id="methods">Allowed</h2>
            <ul class="chips">
              ${page.allow.map((method) => html`<li class="method">${method}</li>`)}
            </ul>
          </section>`
    }
    ${renderBelow(page, findLink, url)} ${renderPages(page, findLink, url, 'Pages')}
  </div>`;
}

function renderBelow({ below }: BrowsablePage, findLink: FindLink, url: string): Html | undefined {
  if (below.length === 0) return undefined;
  return html`<nav aria-label="Below">
    <h2>Below</h2>
    <ul class="chips">
      ${below.map((link) => html`<li>${renderLink(link, findLink, url, 'page')}</li>`)}
    </ul>
  </nav>`;
}

/** Nothing for a single page. A gap between two numbers is an ellipsis. */
export function renderPages(page: BrowsablePage, findLink: FindLink, url: string, label: string): Html | undefined {
  if (page.pages === undefined || page.pages.total < 2) return undefined;
  let before = 0;
  const links = page.pages.links.map((link) => {
    const number = /^\d+$/.test(link.label) ? Number(link.label) : undefined;
    const gap = number !== undefined && before > 0 && number > before + 1;
    before = number ?? before;
    return html`${gap ? html`<li class="gap">…</li>` : undefined}
      <li>${renderLink(link, findLink, url, 'page')}</li>`;
  });
  return html`<nav class="pages" aria-label="${label}">
    <h2>Page ${page.pages.current} of ${page.pages.total}</h2>
    <ul class="chips">
      ${links}
    </ul>
  </nav>`;
}

function renderLink(link: PageLink, findLink: FindLink, url: string, current: 'page' | 'true'): Html {
  const href = findLink(link.href, url);
  if (href === undefined) return html`<span>${link.label}</span>`;
  if (link.current === true) return html`<a href="${href}" aria-current="${current}">${link.label}</a>`;
  return html`<a href="${href}">${link.label}</a>`;
}
