// The frame of the console's pages: the way back to the sandboxes, a sandbox's tabs, the notice of what was done, and
// sign-out.
import { baseUrlOf, defaultSandbox } from '../../access/which-sandbox.ts';
import type { ApiError } from '../../base/errors.ts';
import { html, type Html } from '../html.ts';
import { renderLayout } from '../frame/layout.ts';
import type { Visitor } from '../../http/call.ts';
import { renderButton, renderErrorLine, renderLink } from '../parts.ts';
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
    assets,
    main: html`<div class="console stack">
      ${of && html`<p class="trail"><a href="${startOf(origin)}">All sandboxes</a></p>`}
      <h1>${of?.sandbox ?? title}</h1>
      ${of && renderTabs(sandboxUrl(origin, of.sandbox), of.sandbox, of.tab)}
      ${notice !== undefined && html`<p class="notice block done succeeds" role="status">${notice}</p>`} ${main}
      ${isSignedIn && renderButton(`${startOf(origin)}sign-out/`, 'Sign out')}
    </div>`,
  });
}

const tabs: readonly (readonly [SandboxTab, string, string])[] = [
  ['overview', 'Overview', ''],
  ['requests', 'Requests', 'journal/'],
  ['faults', 'Faults', 'faults/'],
];

const renderTabs = (url: string, sandbox: string, current: SandboxTab): Html =>
  html`<nav class="tabs" aria-label="Sandbox ${sandbox}">
    <ul class="row">
      ${tabs.map(([tab, label, path]) => html`<li>${renderLink(url + path, label, tab === current)}</li>`)}
    </ul>
  </nav>`;

/** What was made or done in a sandbox, and the way to its overview. */
export const donePage = (origin: string, sandbox: string, { main, ...page }: Page): Page => ({
  ...page,
  of: { sandbox, tab: 'overview' },
  main: html`${main}
    <p class="actions row"><a href="${sandboxUrl(origin, sandbox)}">To the overview</a></p>`,
});

/** An error that no page of its own shows. */
export const renderRefusal = ({ status, lines, headers }: ApiError, origin: string): Page => ({
  status,
  headers,
  title: headings[status] ?? 'The request failed',
  main: html`<ul class="refusal">
      ${lines.map((line) => html`<li>${renderErrorLine(line)}</li>`)}
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
