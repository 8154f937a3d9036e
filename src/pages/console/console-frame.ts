// The answers of the console, and the frame of its pages: the way back to the sandboxes, a sandbox's tabs, the notice of
// what was done, and sign-out.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { baseUrlOf, defaultSandbox } from '../../access/which-sandbox.ts';
import type { ApiError } from '../../base/errors.ts';
import { sendStream } from '../../http/own.ts';
import { renderLayout } from '../frame/layout.ts';
import { pageHeaders } from '../frame/page-headers.ts';
import { html, type Html } from '../html.ts';
import { renderButton, renderErrorLine, renderLink } from '../parts.ts';
import type { ConsoleAnswer, Page, SandboxTab, Visit } from './console-page.ts';

export const startOf = (origin: string): string => `${origin}/_understudy/`;

/** The page of a sandbox; the pages of its requests and faults are under it. */
export const sandboxUrl = (origin: string, name: string): string => `${origin}/_understudy/console/${name}/`;

export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  answered: ConsoleAnswer,
): Promise<void> {
  if ('title' in answered) return sendPage(request, reply, visit, answered);
  reply.header('cache-control', 'no-store');
  if ('redirect' in answered) {
    if (answered.cookie !== undefined) reply.header('set-cookie', answered.cookie);
    reply.redirect(visit.origin + answered.redirect, answered.status ?? 303);
    return;
  }
  const { status = 200, content, headers } = answered;
  reply.code(status).headers(headers);
  if (content instanceof Readable) await sendStream(reply, content, (sent) => void reply.send(sent.content));
  else reply.send(content);
}

export function sendPage(
  { context: { visitor } }: FastifyRequest,
  reply: FastifyReply,
  { origin, isSignedIn = false }: Pick<Visit, 'origin'> & Partial<Visit>,
  { title, of, notice, main, status = 200, headers, assets = [] }: Page,
): void {
  const document = renderLayout({
    title: `${title} · Console`,
    baseUrl: baseUrlOf(origin, of?.sandbox ?? visitor?.sandbox ?? defaultSandbox),
    visitor,
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
  reply
    .code(status)
    .headers({ ...pageHeaders, ...headers, 'cache-control': 'no-store' })
    .send(document);
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
