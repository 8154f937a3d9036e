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
  /** The batch that holds it, from 0, and its id in the log. */
  readonly run: number;
  readonly longest: number;
  readonly id: string;
  readonly times: number;
}

export type Tally = ReturnType<typeof createTally>;
type Counts = Map<string, number>;

export const createTally = () => ({
  requests: 0,
  successes: 0,
  /** Answers 503 that no fault rule caused. */
  unavailable: 0,
  /** Answers that a fault rule caused. */
  injected: 0,
  /** By their kind. */
  faults: new Map<string, Found>(),
  /** By status; `none` for a closed connection. */
  statuses: new Map() as Counts,
  /** By operation: requests that were not spoilt, and those answered with 2xx. */
  operations: new Map<string, { asked: number; succeeded: number }>(),
  /** Successes by sandbox and the way to it: `one by token`. */
  places: new Map() as Counts,
  /** By name in the catalogue, or `field` and its code. */
  errors: new Map() as Counts,
});

export function count(tally: Tally, { operation, place }: FuzzRequest, outcome: Outcome): void {
  const answer = 'missing' in outcome ? undefined : outcome;
  const isOfRule = answer !== undefined && isInjected(answer);
  const isSuccess = answer !== undefined && answer.status >= 200 && answer.status < 300 && !isOfRule;
  tally.requests++;
  add(tally.statuses, String(answer?.status ?? 'none'));
  if (isOfRule) tally.injected++;
  if (isSuccess) tally.successes++;
  if (isSuccess && place !== undefined) add(tally.places, `${place.sandbox} by ${place.way}`);
  if (operation !== undefined) {
    const { asked = 0, succeeded = 0 } = tally.operations.get(operation) ?? {};
    tally.operations.set(operation, { asked: asked + 1, succeeded: succeeded + (isSuccess ? 1 : 0) });
  }
  if (answer === undefined || answer.status < 400 || isOfRule) return;
  if (answer.status === 503) tally.unavailable++;
  for (const name of errorsIn(answer)) add(tally.errors, name);
}

const add = (counts: Counts, key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1);

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

/** Names of the catalogue that no answer used. */
export const unseenErrors = ({ errors }: Tally): string[] =>
  known.map(({ name }) => name).filter((name) => !errors.has(name));

/** Operations that can succeed according to the server's documents, and never did. */
export async function unseenOperations({ operations }: Tally, url: string): Promise<string[]> {
  const unseen: string[] = [];
  for (const at of ['/api/schema/', '/_understudy/schema/']) {
    const { paths } = (await (await fetch(url + at)).json()) as Pick<OpenApiDocument, 'paths'>;
    for (const [path, item] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(item)) {
        const operation = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
        const canSucceed = Object.keys(responses).some((status) => status.startsWith('2'));
        if (canSucceed && !operations.get(operation)?.succeeded) unseen.push(operation);
      }
  }
  return unseen;
}
