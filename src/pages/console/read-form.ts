// A form of the console as it was sent: its texts and its files, once it is certain that a page of ours sent it; and what
// is wrong with them.
import type { FastifyRequest } from 'fastify';
import { isFromOwnPage } from '../../access/own-page.ts';
import { decodeFields } from '../../http/body/decode.ts';
import { ApiError, apiError, type ErrorLine } from '../../base/errors.ts';
import type { Visit } from './console-page.ts';

const maxFields = 1000;

/** Throws 403 for a form of another page. */
export function readForm(request: FastifyRequest, origin: string): Pick<Visit, 'form' | 'files'> {
  if (!isFromOwnPage(request, origin)) throw apiError('form_rejected');
  const sent = { body: request.body as Buffer | undefined, contentType: request.context.contentType };
  const fields = decodeFields(sent, maxFields, true);
  const [form, files]: [Record<string, string>, Record<string, Buffer>] = [{}, {}];
  for (const [name, value] of Object.entries(fields)) {
    // Browsers end the lines of a text by CR LF.
    if (typeof value === 'string') form[name] = value.replaceAll('\r\n', '\n');
    else if (Buffer.isBuffer(value)) files[name] = value;
  }
  return { form, files };
}

/** Something that a form's value broke. Throws any other error again. */
export function getFaults(error: unknown): { readonly status: number; readonly lines: readonly ErrorLine[] } {
  if (error instanceof ApiError && error.status < 500) return error;
  throw error;
}

export const faultsAt = (lines: readonly ErrorLine[], attr: string | null): string[] =>
  lines.filter((line) => line.attr === attr).map(({ detail }) => detail);
