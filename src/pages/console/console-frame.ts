// Sends what the console's handlers return. A sandbox's pages get its tabs and a link to all sandboxes. Any
// page may have a notice of what was done.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { baseUrlOf, defaultSandbox } from '../../access/which-sandbox.ts';
import type { ApiError } from '../../base/errors.ts';
import { STATUS_CODES } from '../../base/http-names.ts';
import { sendStream } from '../../http/control.ts';
import { renderLayout } from '../frame/layout.ts';
import { html } from '../html.ts';
import { renderErrorLine, renderLink } from '../parts.ts';
import { type ConsoleAnswer, type Page, sandboxUrl, startOf, type Visit } from './console-page.ts';

export async function sendAnswer(reply: FastifyReply, answered: ConsoleAnswer, visit: Visit) {
  if ('title' in answered) return sendPage(reply, answered, visit);
  reply.header('cache-control', 'no-store');
  if ('redirect' in answered) {
    if (answered.cookie !== undefined) reply.header('set-cookie', answered.cookie);
    reply.redirect(answered.redirect, answered.status ?? 303);
    return;
  }
  const { status = 200, content, headers } = answered;
  reply.code(status).headers(headers);
  if (content instanceof Readable) await sendStream(reply, content, (sent) => void reply.send(sent.content));
  else reply.send(content);
}

/** @param visit left out for an error, and before signing in */
export function sendPage(reply: FastifyReply, page: Page, visit?: Visit) {
  const { title, tab, notice, main, status = visit?.refused?.status ?? 200, headers, assets = [] } = page;
  const { origin, visitor } = reply.request.context;
  const start = startOf(origin);
  const of = tab && visit?.sandbox;
  const { content, headers: ofPages } = renderLayout({
    title: `${title} · Console`,
    baseUrl: baseUrlOf(origin, of || visitor?.sandbox || defaultSandbox),
    // The sandbox may have been made after the visitor was described.
    visitor: visitor && of ? { ...visitor, sandbox: of } : visitor,
    section: 'console',
    assets,
    main: html`<div class="console stack">
      ${of && html`<p><a href="${start}">All sandboxes</a></p>`}
      <h1>${of ? `Sandbox ${of}` : title}</h1>
      ${of && renderTabs(sandboxUrl(start, of), of, tab)}
      ${notice && html`<div class="notice block done succeeds row between" role="status">${notice}</div>`} ${main}
    </div>`,
  });
  reply.code(status).headers({ ...ofPages, ...headers, 'cache-control': 'no-store' });
  reply.send(content);
}

const tabs = [
  ['overview', 'Overview', ''],
  ['state', 'State', 'state/'],
  ['requests', 'Requests', 'journal/'],
  ['faults', 'Faults', 'faults/'],
] as const;

const renderTabs = (url: string, sandbox: string, current: Page['tab']) =>
  html`<nav class="tabs" aria-label="Sandbox ${sandbox}">
    <ul class="row">
      ${tabs.map(([tab, label, path]) => html`<li>${renderLink(url + path, label, tab === current)}</li>`)}
    </ul>
  </nav>`;

export const renderRefusal = ({ status, lines, headers }: ApiError, origin: string): Page => ({
  status,
  headers,
  title: STATUS_CODES[status] ?? 'The request failed',
  main: html`<ul class="refusal">
      ${lines.map((line) => html`<li>${renderErrorLine(line)}</li>`)}
    </ul>
    ${status === 503 && html`<p>Reload the page to try again.</p>`}
    <p class="row"><a href="${startOf(origin)}">All sandboxes</a> <a href="${origin}/">Home of the service</a></p>`,
});
