// The frame of the console's pages: the way back to the sandboxes, a sandbox's tabs, the notice of what was done, and
// sign-out.
import { baseUrlOf, defaultSandbox } from '../../access/which-sandbox.ts';
import type { ApiError } from '../../base/errors.ts';
import { html, type Html } from '../html.ts';
import { renderLayout } from '../frame/layout.ts';
import type { Visitor } from '../../http/visitor.ts';
import type { Page, SandboxTab } from './console-page.ts';

interface Frame {
  readonly origin: string;
  /** The page then offers to sign out. */
  readonly isSignedIn: boolean;
  /** Whom the pages of `default` act as, and the address to which a choice of user returns; both for a GET alone. */
  readonly visitor?: Visitor | undefined;
  readonly returnTo?: string | undefined;
}

export const startOf = (origin: string): string => `${origin}/_understudy/`;

/** The page of a sandbox; the pages of its requests and faults stand under it. */
export const sandboxUrl = (origin: string, name: string): string => `${origin}/_understudy/console/${name}/`;

export function renderConsole({ title, of, notice, main, assets = [] }: Page, frame: Frame): string {
  const { origin, isSignedIn, visitor, returnTo } = frame;
  const isDefault = of === undefined || of.sandbox === defaultSandbox;
  return renderLayout({
    title: [title, ...(of === undefined ? [] : [of.sandbox]), 'Console', 'Understudy'].join(' · '),
    ...(isDefault ? { baseUrl: origin, visitor, returnTo } : { baseUrl: baseUrlOf(origin, of.sandbox) }),
    section: 'console',
    assets: ['console.css', ...assets],
    main: html`<div class="console">
      ${of === undefined ? undefined : renderWayBack(origin)}
      <h1>${of?.sandbox ?? title}</h1>
      ${of === undefined ? undefined : renderTabs(origin, of.sandbox, of.tab)}
      ${notice === undefined ? undefined : html`<p class="notice done" role="status">${notice}</p>`} ${main}
      ${isSignedIn ? renderSignOut(origin) : undefined}
    </div>`,
  });
}

const renderWayBack = (origin: string): Html =>
  html`<p class="way-back"><a href="${startOf(origin)}">All sandboxes</a></p>`;

const tabs: readonly (readonly [SandboxTab, string, string])[] = [
  ['overview', 'Overview', ''],
  ['requests', 'Requests', 'journal/'],
  ['faults', 'Faults', 'faults/'],
];

const renderTabs = (origin: string, sandbox: string, current: SandboxTab): Html =>
  html`<nav class="tabs" aria-label="Sandbox ${sandbox}">
    <ul>
      ${tabs.map(([tab, label, path]) => {
        const href = sandboxUrl(origin, sandbox) + path;
        return tab === current
          ? html`<li><a href="${href}" aria-current="page">${label}</a></li>`
          : html`<li><a href="${href}">${label}</a></li>`;
      })}
    </ul>
  </nav>`;

const renderSignOut = (origin: string): Html =>
  html`<form class="sign-out" method="post" action="${origin}/_understudy/sign-out/">
    <button>Sign out</button>
  </form>`;

/** An error that no page of its own shows. */
export const renderRefusal = ({ status, lines, headers }: ApiError, origin: string): Page => ({
  status,
  headers,
  title: headings[status] ?? 'The request failed',
  main: html`<ul class="refusal">
      ${lines.map(({ detail, attr }) => html`<li>${attr === null ? undefined : html`<code>${attr}</code>: `}${detail}</li>`)}
    </ul>
    <p><a href="${startOf(origin)}">All sandboxes</a></p>`,
});

const headings: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Not found',
  409: 'Not possible',
  413: 'Too large',
  429: 'Too many attempts',
  503: 'Unavailable',
};
