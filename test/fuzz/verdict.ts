// What is wrong with an answer to a fuzzed request: it must be there, be no fault of ours, and have the documented form.
import { catalogue } from '../../src/http/errors.ts';
import type { FuzzRequest } from './grammar.ts';
import type { Outcome, WireAnswer } from './wire.ts';

const fieldCodes = [
  'required',
  'null',
  'invalid',
  'invalid_choice',
  'unique',
  'blank',
  'max_length',
  'min_value',
  'max_value',
];
const codes: ReadonlySet<string> = new Set([...Object.values(catalogue).map(({ code }) => code), ...fieldCodes]);

/** Nothing where all is well. */
export function findFault(request: FuzzRequest, { answer, hung, garbage }: Outcome): string | undefined {
  if (hung) return 'no answer, or no end of it';
  if (garbage !== undefined) return `no answer of HTTP: ${JSON.stringify(garbage)}`;
  // What isn't a whole request may be met by a closed connection; CONNECT is, by Node itself.
  if (answer === undefined)
    return request.isMutated || request.method === 'CONNECT' ? undefined : 'closed without an answer';
  if (answer.status >= 500) return `status ${answer.status}: ${answer.body.toString('utf8').slice(0, 200)}`;
  // Node answers these by itself, without a type or a word (docs/differences.md).
  if (request.isMutated && !answer.headers.has('content-type') && [400, 417].includes(answer.status)) return undefined;
  return faultOfLength(request, answer) ?? faultOfForm(request, answer);
}

function faultOfLength(request: FuzzRequest, { status, headers, body }: WireAnswer): string | undefined {
  const length = Number(headers.get('content-length') ?? 0);
  if (request.isMutated) return undefined;
  const expected = request.method === 'HEAD' || status === 204 ? 0 : length;
  return body.length === expected ? undefined : `content-length is ${length}, and ${body.length} bytes came`;
}

function faultOfForm(request: FuzzRequest, { status, headers, body }: WireAnswer): string | undefined {
  if (status === 401 && headers.get('www-authenticate') !== 'Token') return '401 without its challenge';
  if (status === 405 && !headers.has('allow')) return '405 without Allow';
  if (body.length === 0) return undefined;
  const type = headers.get('content-type') ?? '';
  const text = body.toString('utf8');
  if (type.startsWith('text/html')) return /^<!doctype html>/i.test(text) ? undefined : 'HTML that is none';
  if (/^text\/(?:csv|plain)/.test(type)) return undefined;
  if (!type.startsWith('application/json')) return `content-type is ${type}`;
  try {
    return faultOfJson(status, JSON.parse(text));
  } catch {
    return request.isMutated ? undefined : `JSON that is none: ${text.slice(0, 200)}`;
  }
}

function faultOfJson(status: number, json: unknown): string | undefined {
  if (status < 400) return typeof json === 'object' && json !== null ? undefined : 'a body that is no object';
  const { type, errors, ...more } = json as { type?: string; errors?: unknown[] };
  const isWhole = Object.keys(more).length === 0 && Array.isArray(errors) && errors.length > 0;
  if (!isWhole || !['client_error', 'validation_error'].includes(type ?? ''))
    return `${status} in another form: ${JSON.stringify(json)}`;
  const wrong = errors.find((line) => !isErrorLine(line));
  return wrong === undefined ? undefined : `${status} with a line of another form: ${JSON.stringify(wrong)}`;
}

function isErrorLine(line: unknown): boolean {
  const { code, detail, attr } = line as Record<string, unknown>;
  const isKnown = typeof code === 'string' && codes.has(code);
  const isAttr = attr === null || typeof attr === 'string';
  return (
    isKnown && typeof detail === 'string' && isAttr && Object.keys(line as object).join(' ') === 'code detail attr'
  );
}
