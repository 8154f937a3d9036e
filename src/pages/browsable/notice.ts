// What happened, or what to do: the first thing on the page.
import { html, type Html } from '../html.ts';
import type { FindLink } from '../links.ts';
import { statusKind } from '../status-kind.ts';
import { type BrowsablePage, hasFaults } from './page-contents.ts';

/** @param url the request's URL, which relative links start from */
export function renderNotices(page: BrowsablePage, findLink: FindLink, url: string): Html | undefined {
  if (page.notices.length === 0) return undefined;
  const lines = page.notices.map(({ text, link }) => {
    const href = link && findLink(link.href, url);
    if (link === undefined) return html`<p>${text}</p>`;
    return html`<p>${text} ${href === undefined ? link.label : html`<a href="${href}">${link.label}</a>`}</p>`;
  });
  // The answer to a form replaces the page: the focus goes where the reading goes on.
  return page.method !== 'GET' && !page.forms.some(hasFaults)
    ? html`<div class="notice ${statusKind(page.status)}" tabindex="-1" autofocus>${lines}</div>`
    : html`<div class="notice ${statusKind(page.status)}">${lines}</div>`;
}
