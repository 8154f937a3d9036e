// The answers of the console, and the frame of its pages: the way back to the sandboxes, a sandbox's tabs, the notice of
// what was done, and sign-out.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { baseUrlOf, defaultSandbox } from '../../access/which-sandbox.ts';
import type { ApiError } from '../../base/errors.ts';
import { sendStream } from '../../http/own.ts';
import { renderLayout } from '../frame/layout.ts';
import { html, type Html } from '../html.ts';
import { renderButton, renderErrorLine, renderLink } from '../parts.ts';
import type { ConsoleAnswer, Page, SandboxTab, Visit } from './console-page.ts';

export const startOf = (origin: string): string => `${origin}/_understudy/`;

/** The page of a sandbox; the pages of its requests and faults are under it. */
export const sandboxUrl = (origin: string, name: string): string => `${origin}/_understudy/console/${name}/`;

export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  isSignedIn: boolean,
  answered: ConsoleAnswer,
): Promise<void> {
  if ('title' in answered) return sendPage(request, reply, answered, isSignedIn);
  reply.header('cache-control', 'no-store');
  if ('redirect' in answered) {
    if (answered.cookie !== undefined) reply.header('set-cookie', answered.cookie);
    reply.redirect(request.context.origin + answered.redirect, answered.status ?? 303);
    return;
  }
  const { status = 200, content, headers } = answered;
  reply.code(status).headers(headers);
  if (content instanceof Readable) await sendStream(reply, content, (sent) => void reply.send(sent.content));
  else reply.send(content);
}

export function sendPage(
  { context: { origin, visitor } }: FastifyRequest,
  reply: FastifyReply,
  { title, of, notice, main, status = 200, headers, assets = [] }: Page,
  isSignedIn = false,
): void {
  const { content, headers: ofPages } = renderLayout({
    title: `${title} · Console`,
    baseUrl: baseUrlOf(origin, of?.sandbox ?? visitor?.sandbox ?? defaultSandbox),
    visitor,
    section: 'console',
    assets,
    main: html`<div class="console stack">
      ${of && html`<p class="trail"><a href="${startOf(origin)}">All sandboxes</a></p>`}
      <h1>${of?.sandbox ?? title}</h1>
      ${of && renderTabs(sandboxUrl(origin, of.sandbox), of.sandbox, of.tab)}
      ${notice !== undefined && html`<div class="notice block done succeeds row between" role="status">${notice}</div>`}
      ${main} ${isSignedIn && renderButton(`${startOf(origin)}sign-out/`, 'Sign out')}
    </div>`,
  });
  reply
    .code(status)
    .headers({ ...ofPages, ...headers, 'cache-control': 'no-store' })
    .send(content);
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

export const donePage = (origin: string, sandbox: string, { main, ...page }: Page): Page => ({
  ...page,
  of: { sandbox, tab: 'overview' },
  main: html`${main}
    <p class="actions row"><a href="${sandboxUrl(origin, sandbox)}">To the overview</a></p>`,
});

// Fixed texts: what the address names is never shown.
const deeds: ReadonlyMap<string, string> = new Map([
  ['reset', 'the sandbox was reset. Its faults were removed and its journal emptied.'],
  ['restore', 'the snapshot was restored. The faults were removed and the journal emptied.'],
  ['undo', 'the sandbox was put back to what it held before. The faults and the journal were not put back.'],
  ['snapshots', 'the snapshot was saved.'],
  ['delete', 'the sandbox was deleted.'],
]);

/** The query of the page that a form leads to. With the time, what the page says of it stays right when it is loaded again. */
export const queryOfDone = (done: string): string => `?done=${done}&at=${Math.floor(Date.now() / 1000)}`;

/** What the form did before this page, for an hour. */
export function describeDone({ done = '', at = '' }: Visit['query']): string | undefined {
  const [deed, seconds] = [deeds.get(done), /^\d{1,11}$/.test(at) ? Number(at) : 0];
  if (deed === undefined || Math.abs(Date.now() / 1000 - seconds) > 3600) return undefined;
  return `At ${new Date(seconds * 1000).toISOString().slice(11, 19)} UTC ${deed}`;
}

/** An error that no page of its own shows. */
export const renderRefusal = ({ status, lines, headers }: ApiError, origin: string): Page => ({
  status,
  headers,
  title: headings[status] ?? 'The request failed',
  main: html`<ul class="refusal">
      ${lines.map((line) => html`<li>${renderErrorLine(line)}</li>`)}
    </ul>
    ${status === 503 && html`<p>The database doesn’t answer, or too many requests wait. Reload the page to try again.</p>`}
    <p class="row"><a href="${startOf(origin)}">All sandboxes</a> <a href="${origin}/">Home of the service</a></p>`,
});

const headings: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Not found',
  409: 'Not possible',
  413: 'Too large',
  429: 'Too many attempts',
  503: 'Unavailable',
};
