// Judges the answer to a fuzzed request: it must arrive, be no server error, and have the documented form.
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { catalogue } from '../../src/base/errors.ts';
import type { Received } from '../transcripts/engine/send-request.ts';
import { slow } from './control-steps.ts';
import type { FuzzRequest } from './requests.ts';
import type { Outcome } from './wire.ts';

export const fieldCodes =
  `required null invalid invalid_choice unique blank max_length null_characters_not_allowed surrogate_characters_not_allowed
  invalid_seed reserved unknown`.split(/\s+/);
const ofProfilesAndLinks =
  'min_value max_value overflow not_a_list does_not_exist incorrect_match incorrect_type no_match'.split(' ');
const ofCatalogue = Object.values(catalogue).map(({ code }) => code);
const codes: ReadonlySet<string> = new Set([...ofCatalogue, ...fieldCodes, ...ofProfilesAndLinks]);

const header = ({ headers }: Received, name: string): string | undefined => headers[name]?.[0];

export function findFault(asked: FuzzRequest, outcome: Outcome): string | undefined {
  const { request, raw } = asked;
  if ('missing' in outcome) {
    const isClosed = /^(?:closed|ECONNRESET|EPIPE)$/.test(outcome.missing);
    // The connection may close after an incomplete request, and for requests about bob, by a fault rule.
    return isClosed && (raw !== undefined || request.path.includes('/bob/'))
      ? undefined
      : `no answer: ${outcome.missing}`;
  }
  const { status, body } = outcome;
  if (isInjected(outcome)) return undefined;
  if (status === 503) return header(outcome, 'retry-after') === undefined ? '503 without Retry-After' : undefined;
  if (status >= 500) return `status ${status}: ${body.slice(0, 200)}`;
  return faultOfPlace(asked, outcome) ?? faultOfForm(asked, outcome);
}

export function isInjected(answer: Received): boolean {
  const rule = header(answer, 'x-understudy-fault');
  return rule !== undefined && rule !== slow;
}

function faultOfPlace({ place, raw }: FuzzRequest, answer: Received): string | undefined {
  if (place === undefined || raw !== undefined || answer.status >= 300) return undefined;
  const sandbox = header(answer, 'x-understudy-sandbox') ?? 'default';
  return sandbox === place.sandbox ? undefined : `answered by the sandbox ${sandbox} instead of ${place.sandbox}`;
}

function faultOfForm({ raw }: FuzzRequest, answer: Received): string | undefined {
  const { status, body } = answer;
  // Node itself rejects some raw requests, without a content type (docs/reference/differences.md).
  const isOfNode = raw !== undefined && header(answer, 'content-type') === undefined;
  if (isOfNode && [400, 417].includes(status)) return undefined;
  if (status === 401 && header(answer, 'www-authenticate') !== 'Token') return '401 without its challenge';
  if (status === 405 && header(answer, 'allow') === undefined) return '405 without Allow';
  if (body === '') return undefined;
  const type = header(answer, 'content-type') ?? '';
  // We may have ended our side of the connection while the answer was still being sent.
  const mayBreakOff = raw !== undefined;
  if (type.startsWith('text/html')) return mayBreakOff || /^<!doctype html>/i.test(body) ? undefined : 'invalid HTML';
  if (/^(?:text\/(?:csv|plain|css|javascript|(?:x-)?yaml)|application\/(?:yaml|x-yaml|vnd\.oai\.openapi))/.test(type))
    return undefined;
  if (!type.startsWith('application/json')) return `content-type is ${type}`;
  try {
    return faultOfJson(status, JSON.parse(body));
  } catch {
    return mayBreakOff ? undefined : `invalid JSON: ${body.slice(0, 200)}`;
  }
}

const strict = { additionalProperties: false };
const errorLine = Type.Object(
  { code: Type.String(), detail: Type.String(), attr: Type.Union([Type.String(), Type.Null()]) },
  strict,
);
const errorBody = Type.Object(
  {
    type: Type.Union([Type.Literal('client_error'), Type.Literal('validation_error')]),
    errors: Type.Array(errorLine, { minItems: 1 }),
  },
  strict,
);

function faultOfJson(status: number, json: unknown): string | undefined {
  if (status < 400) return typeof json === 'object' && json !== null ? undefined : 'a body that is not an object';
  if (!Value.Check(errorBody, json)) return `${status} in another form: ${JSON.stringify(json)}`;
  const odd = json.errors.find(({ code }) => !codes.has(code));
  return odd && `${status} with an unknown code: ${odd.code}`;
}
