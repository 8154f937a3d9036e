// The frame of every page: its HTTP headers, head, header, notices and footer.
import { mirrors, version } from '../../base/version.ts';
import { assetPath } from './assets.ts';
import { type Html, html } from '../html.ts';
import { renderLink } from '../parts.ts';
import { rootOf, sandboxOf } from '../links.ts';
import type { Asset } from '../../base/files.ts';
import { describeFault } from '../../traffic/fault-rules.ts';
import type { Visitor } from '../visitor.ts';
import { renderAccount, renderSandboxes } from './menus.ts';

const headers: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  // Scripts and styles come from this service, requests and forms go to it. No inline code.
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  // With `no-referrer`, browsers would send `Origin: null` with the page's forms.
  'Referrer-Policy': 'same-origin',
  // Pages depend on cookies: no shared cache may keep them.
  'Cache-Control': 'private, no-cache',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

// Inlined, so that browsers don't ask for /favicon.ico.
const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">' +
      '<circle cx="15" cy="12" r="8" fill="#a78bda"/>' +
      '<circle cx="9" cy="12" r="8" fill="#5b3a9d"/></svg>',
  );

type Section = 'home' | 'api' | 'documentation' | 'console';

interface Layout {
  /** Without the names of sandbox and service, which are added. */
  title: string;
  /** `http://127.0.0.1:8000`, or `…/sandboxes/x`: the header then links to pages of this sandbox. */
  baseUrl: string;
  /** Undefined if the database is unavailable, or an error came before the lookup. */
  visitor?: Visitor | undefined;
  section?: Section | undefined;
  /** Styles and scripts to load before `style.css` and `page.js`. */
  assets?: readonly Asset[];
  main: Html;
}

export function renderLayout(layout: Layout) {
  const { baseUrl, visitor, assets = [] } = layout;
  const root = rootOf(baseUrl);
  const sandbox = visitor?.sandbox === undefined ? sandboxOf(baseUrl) : visitor.sandbox;
  const title = [layout.title, sandbox, 'Understudy'].filter((part) => part !== null).join(' · ');
  const urlOf = (name: Asset) => `${root}${assetPath(name)}`;
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
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
          <p class="brand row">${renderLink(`${root}/`, brand)} <span class="version tiny">${version}</span></p>
          <nav class="sections tabs" aria-label="Sections">
            <ul class="row between">
              ${renderSections(layout, root, sandbox)}
            </ul>
          </nav>
          <div class="who row line">
            ${renderSandboxes(root, sandbox, visitor)}
            ${sandbox !== null && visitor?.returnTo !== undefined && renderAccount(baseUrl, visitor)}
          </div>
        </header>
        <main id="main" tabindex="-1">
          ${visitor && [visitor.hasEnded && ended, renderFaults(root, visitor)]} ${layout.main}
        </main>
        <footer>
          <p>Stand-in for ${mirrors}, not affiliated with it. For tests and staging: the data are samples.</p>
        </footer>
      </body>
    </html> `;
  return { content: text, headers };
}

const brand = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
    <circle cx="15" cy="12" r="8" fill-opacity="0.6" />
    <circle cx="9" cy="12" r="8" />
  </svg>
  <span class="wordmark">Understudy</span>`;

function renderSections({ baseUrl, section }: Layout, root: string, sandbox: string | null) {
  const base = sandbox === null ? root : baseUrl;
  const sections = [
    ['home', 'Home', `${base}/`],
    ['api', 'API', `${base}/api/`],
    ['documentation', 'Documentation', `${base}/api/docs/`],
    ['console', 'Console', `${root}/_understudy/${sandbox === null ? '' : `console/${sandbox}/`}`],
  ] as const;
  return sections.map(([name, label, url]) => html`<li>${renderLink(url, label, name === section)}</li>`);
}

const ended = html`<p class="notice block refuses" role="status">
  Your session’s token is no longer valid here: the API rejects requests with it. Choose another user, or “No user”.
</p>`;

const mostFaults = 3;

function renderFaults(root: string, { sandbox, faults = [], isAdmitted }: Visitor) {
  if (faults.length === 0) return undefined;
  const shown = faults.slice(0, mostFaults);
  const left = faults.length - mostFaults;
  return html`<section class="notice block refuses" aria-label="Faults of the sandbox">
    <ul>
      ${shown.map(
        ({ rule }) =>
          html`<li>
            Fault: <strong>${describeFault(rule)}</strong> · ${countHits(rule.struck)}, ends at
            ${rule.expires.slice(11, 16)} UTC
          </li>`,
      )}
      ${left > 0 && html`<li>and ${left} more</li>`}
    </ul>
    <p class="hint">
      Faults are only for clients: pages are answered normally.
      ${isAdmitted && html`<a href="${root}/_understudy/console/${String(sandbox)}/faults/">Change or remove</a>`}
    </p>
  </section>`;
}

export const countHits = (count: number) => ['not hit yet', 'hit once'][count] ?? `hit ${count} times`;
