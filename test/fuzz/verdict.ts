// Judges the answer to a fuzzed request: it must arrive, be no server error, and have the documented form.
import { catalogue } from '../../src/errors.ts';
import type { FuzzRequest } from './grammar.ts';
import { slow } from './operations.ts';
import type { Outcome, WireAnswer } from './wire.ts';

export const fieldCodes = [
  'required',
  'null',
  'invalid',
  'invalid_choice',
  'unique',
  'blank',
  'max_length',
  'null_characters_not_allowed',
  'surrogate_characters_not_allowed',
  'invalid_seed',
  'reserved',
  'unknown',
];
const codes: ReadonlySet<string> = new Set([...Object.values(catalogue).map(({ code }) => code), ...fieldCodes]);

/** The fault, or undefined if there is none. */
export function findFault(request: FuzzRequest, { answer, hung, garbage }: Outcome): string | undefined {
  if (hung) return 'no answer, or no end of it';
  if (garbage !== undefined) return `no answer of HTTP: ${JSON.stringify(garbage)}`;
  // A closed connection is fine for an incomplete request, for CONNECT (Node closes it), and for rules that close it on purpose.
  if (answer === undefined)
    return request.isMutated || request.method === 'CONNECT' || request.bytes.includes('/bob/')
      ? undefined
      : 'closed without an answer';
  if (isInjected(answer)) return undefined;
  if (answer.status === 503) return answer.headers.has('retry-after') ? undefined : '503 without Retry-After';
  if (answer.status >= 500) return `status ${answer.status}: ${answer.body.toString('utf8').slice(0, 200)}`;
  // Node answers these by itself, without a type or a word (docs/reference/differences.md).
  if (request.isMutated && !answer.headers.has('content-type') && [400, 417].includes(answer.status)) return undefined;
  return faultOfPlace(request, answer) ?? faultOfLength(request, answer) ?? faultOfForm(request, answer);
}

/** Whether a fault rule caused the answer. */
export function isInjected({ headers }: WireAnswer): boolean {
  const rule = headers.get('x-understudy-fault');
  return rule !== undefined && rule !== slow;
}

function faultOfPlace({ place }: FuzzRequest, { status, headers }: WireAnswer): string | undefined {
  if (place === undefined || status >= 300) return undefined;
  const sandbox = headers.get('x-understudy-sandbox') ?? 'default';
  return sandbox === place.sandbox ? undefined : `answered by the sandbox ${sandbox} instead of ${place.sandbox}`;
}

function faultOfLength(request: FuzzRequest, { status, headers, body, breaksOff }: WireAnswer): string | undefined {
  if (headers.has('transfer-encoding')) return breaksOff === true ? 'a transfer that breaks off' : undefined;
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
  if (type.startsWith('text/html'))
    return request.isMutated || /^<!doctype html>/i.test(text) ? undefined : 'HTML that is none';
  if (/^(?:text\/(?:csv|plain|css|javascript|(?:x-)?yaml)|application\/(?:yaml|x-yaml|vnd\.oai\.openapi))/.test(type))
    return undefined;
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
