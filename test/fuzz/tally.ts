// The counts of a run so far; their size doesn't grow with the number of requests.
import { catalogue } from '../../src/base/errors.ts';
import type { OpenApiDocument } from '../../src/openapi/documents.ts';
import type { Received } from '../transcripts/engine/send-request.ts';
import type { FuzzRequest } from './requests.ts';
import { isInjected } from './verdict.ts';
import type { Outcome } from './wire.ts';

/** The first request with a fault of its kind. */
export interface Found {
  readonly fault: string;
  readonly asked: FuzzRequest;
  readonly url: string;
  readonly seed: number;
  /** The batch that has the request, from 0. */
  readonly run: number;
  readonly longest: number;
  /** The request's id in the log. */
  readonly id: string;
  readonly times: number;
}

export type Tally = ReturnType<typeof createTally>;

export const createTally = () => ({
  requests: 0,
  faults: new Map<string, Found>(),
  /** Counts by name, such as `status 404`, `2xx in one by token`, `2xx GET /api/`, `error not_found`. */
  seen: new Map<string, number>(),
});

export function count(tally: Tally, { operation, place }: FuzzRequest, outcome: Outcome): void {
  tally.requests++;
  for (const name of namesOf(operation, place, 'missing' in outcome ? undefined : outcome))
    tally.seen.set(name, (tally.seen.get(name) ?? 0) + 1);
}

function* namesOf(operation: string | undefined, place: FuzzRequest['place'], answer: Received | undefined) {
  yield `status ${answer?.status ?? 'none'}`;
  if (operation !== undefined) yield `asked ${operation}`;
  if (answer === undefined) return;
  if (isInjected(answer)) yield 'by a fault rule';
  else if (answer.status >= 400) {
    if (answer.status === 503) yield '503 unasked';
    for (const name of errorsIn(answer)) yield `error ${name}`;
  } else if (answer.status >= 200 && answer.status < 300) {
    yield '2xx';
    if (place !== undefined) yield `2xx in ${place.sandbox} by ${place.way}`;
    if (operation !== undefined) yield `2xx ${operation}`;
  }
}

const known = Object.entries(catalogue).map(([name, { status, code, detail }]) => {
  const [before = '', after = ''] = detail.split('{}');
  return { name, status, code, before, after };
});

function errorsIn({ status, headers, body }: Received): string[] {
  if (headers['content-type']?.[0] !== 'application/json' || !body.startsWith('{')) return [];
  const { type, errors = [] } = parse(body);
  if (type === 'validation_error') return errors.map(({ code }) => `field ${code}`);
  return errors.flatMap(
    ({ code, detail }) =>
      known.find(
        (entry) =>
          entry.status === status &&
          entry.code === code &&
          detail.startsWith(entry.before) &&
          detail.endsWith(entry.after),
      )?.name ?? [],
  );
}

function parse(body: string): { type?: string; errors?: readonly { code: string; detail: string }[] } {
  try {
    return JSON.parse(body) as ReturnType<typeof parse>;
  } catch {
    return {};
  }
}

export const unseenErrors = ({ seen }: Tally): string[] =>
  known.map(({ name }) => name).filter((name) => !seen.has(`error ${name}`));

/** Operations that can succeed according to the server's documents, but never did in the run. */
export async function unseenOperations({ seen }: Tally, url: string): Promise<string[]> {
  const unseen: string[] = [];
  for (const at of ['/api/schema/', '/_understudy/schema/']) {
    const { paths } = (await (await fetch(url + at)).json()) as Pick<OpenApiDocument, 'paths'>;
    for (const [path, item] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(item)) {
        const operation = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
        const canSucceed = Object.keys(responses).some((status) => status.startsWith('2'));
        if (canSucceed && !seen.has(`2xx ${operation}`)) unseen.push(operation);
      }
  }
  return unseen;
}
