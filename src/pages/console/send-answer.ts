// An answer of the console as a response.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendStream } from '../../http/own.ts';
import { pageHeaders } from '../frame/page-headers.ts';
import { renderConsole } from './console-frame.ts';
import type { ConsoleAnswer, Page, Visit } from './console-page.ts';

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
  request: FastifyRequest,
  reply: FastifyReply,
  { origin, isSignedIn = false }: Pick<Visit, 'origin'> & Partial<Visit>,
  page: Page,
): void {
  const { method, originalUrl, context } = request;
  const { visitor } = context;
  const frame = { origin, isSignedIn, ...(method === 'GET' && { visitor, returnTo: origin + originalUrl }) };
  const document = renderConsole(page, frame);
  reply
    .code(page.status ?? 200)
    .headers({ ...pageHeaders, ...page.headers, 'cache-control': 'no-store' })
    .send(document);
}
