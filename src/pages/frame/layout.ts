// The frame of every page: head, header, notices and footer.
import { mirrors, version } from '../../base/version.ts';
import { assetPath } from './assets.ts';
import { type Html, html, type Piece } from '../html.ts';
import { renderLink } from '../parts.ts';
import { type FindLink, linksUnder, rootOf, sandboxOf } from '../links.ts';
import type { Asset } from '../../base/files.ts';
import type { Visitor } from '../../http/call.ts';
import { renderFaultStrip } from './fault-strip.ts';
import { renderSandboxChoice } from './sandbox-choice.ts';
import { ended, renderAccount } from './visitor-choice.ts';

// Two figures, one behind the other. Inlined, so that browsers don't request /favicon.ico, which would appear in the
// journal.
const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="15" cy="12" r="8" fill="#a78bda"/><circle cx="9" cy="12" r="8" fill="#5b3a9d"/></svg>',
  );

export type Section = 'home' | 'api' | 'documentation' | 'console';

export interface Layout {
  /** What the page is, without the names of the sandbox and of the service, which are added. */
  title: string;
  /** `http://127.0.0.1:8000`, or `…/sandboxes/x`: the navigation stays in the sandbox. */
  baseUrl: string;
  /** Undefined if the database is unavailable, or for an error before the request was known. */
  visitor?: Visitor | undefined;
  /** Where in the navigation the page stands. Its link is marked. */
  section?: Section | undefined;
  /** Styles and scripts that the page loads, in this order, before `style.css` and `page.js`. */
  assets?: readonly Asset[];
  main: Html;
}

/** The whole document. To be sent with `pageHeaders`. */
export function renderLayout(layout: Layout): string {
  const { baseUrl, visitor, assets = [] } = layout;
  const root = rootOf(baseUrl);
  const sandbox = visitor?.sandbox === undefined ? sandboxOf(baseUrl) : visitor.sandbox;
  const findLink = linksUnder(root);
  const urlOf = (name: Asset) => `${root}${assetPath(name)}`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${[layout.title, ...(sandbox === null ? [] : [sandbox]), 'Understudy'].join(' · ')}</title>
        <link rel="icon" href="${icon}" />
        ${[...assets, 'style.css' as const, 'page.js' as const].map((name) =>
          name.endsWith('.css')
            ? html`<link rel="stylesheet" href="${urlOf(name)}" />`
            : html`<script src="${urlOf(name)}" defer></script>`,
        )}
      </head>
      <body>
        <a class="skip button primary" href="#main">Skip to the content</a>
        <header class="strip row">
          <p class="brand row">
            ${renderLink(findLink(`${root}/`), brand)} <span class="version tiny">${version}</span>
          </p>
          <nav class="sections tabs" aria-label="Sections">
            <ul class="row between">
              ${renderSections(layout, findLink, sandbox)}
            </ul>
          </nav>
          <div class="who row line">
            ${renderSandboxChoice(root, sandbox, visitor)}
            ${visitor?.returnTo !== undefined && renderAccount(baseUrl, visitor)}
          </div>
        </header>
        <main id="main" tabindex="-1">
          ${visitor && [visitor.hasEnded && ended, renderFaultStrip(root, visitor)]} ${layout.main}
        </main>
        <footer>
          <p>Stand-in for ${mirrors}, not affiliated with it. For tests and staging: the data are samples.</p>
        </footer>
      </body>
    </html> `.text;
}

const brand = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
    <circle cx="15" cy="12" r="8" fill-opacity="0.6" />
    <circle cx="9" cy="12" r="8" />
  </svg>
  <span class="wordmark">Understudy</span>`;

/** The console of the page's sandbox; for a page of all sandboxes that of all. */
function renderSections({ baseUrl, section }: Layout, findLink: FindLink, sandbox: string | null): Piece {
  const root = rootOf(baseUrl);
  const base = sandbox === null ? root : baseUrl;
  const sections: readonly (readonly [Section, string, string])[] = [
    ['home', 'Home', `${base}/`],
    ['api', 'API', `${base}/api/`],
    ['documentation', 'Documentation', `${base}/api/docs/`],
    ['console', 'Console', `${root}/_understudy/${sandbox === null ? '' : `console/${sandbox}/`}`],
  ];
  return sections.map(([name, label, url]) => html`<li>${renderLink(findLink(url), label, name === section)}</li>`);
}
