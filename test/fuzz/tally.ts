// The counts of a run so far; their size doesn't grow with the number of requests.
import { catalogue } from '../../src/errors.ts';
import type { OpenApiDocument } from '../../src/openapi/document.ts';
import type { FuzzFault } from './fuzz.ts';
import type { FuzzRequest } from './grammar.ts';
import { isInjected } from './verdict.ts';
import type { Outcome, WireAnswer } from './wire.ts';

export interface Tally {
  requests: number;
  successes: number;
  /** Answers 503 that no fault rule caused. */
  unavailable: number;
  /** Answers that a fault rule caused. */
  injected: number;
  /** A run stops at `maxFaults`. */
  readonly faults: FuzzFault[];
  /** By status; `none` for a closed connection. */
  readonly statuses: Map<string, number>;
  /** By operation: requests sent, and answered with 2xx. */
  readonly operations: Map<string, { asked: number; succeeded: number }>;
  /** Successes by sandbox and the way to it: `one by token`. */
  readonly places: Map<string, number>;
  /** By name in the catalogue, or `field` and its code. */
  readonly errors: Map<string, number>;
}

export const maxFaults = 1000;

export const createTally = (): Tally => ({
  requests: 0,
  successes: 0,
  unavailable: 0,
  injected: 0,
  faults: [],
  statuses: new Map(),
  operations: new Map(),
  places: new Map(),
  errors: new Map(),
});

export function count(tally: Tally, { operation, place }: FuzzRequest, { answer }: Outcome): void {
  tally.requests++;
  add(tally.statuses, String(answer?.status ?? 'none'));
  const isOfRule = answer !== undefined && isInjected(answer);
  const isSuccess = answer !== undefined && answer.status >= 200 && answer.status < 300 && !isOfRule;
  if (isOfRule) tally.injected++;
  if (isSuccess) tally.successes++;
  if (isSuccess && place !== undefined) add(tally.places, `${place.sandbox} by ${place.way}`);
  if (operation !== undefined) {
    const seen = tally.operations.get(operation) ?? { asked: 0, succeeded: 0 };
    seen.asked++;
    if (isSuccess) seen.succeeded++;
    tally.operations.set(operation, seen);
  }
  if (answer === undefined || answer.status < 400 || isOfRule) return;
  if (answer.status === 503) tally.unavailable++;
  for (const name of errorsIn(answer)) add(tally.errors, name);
}

const add = (counts: Map<string, number>, key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1);

const known = Object.entries(catalogue).map(([name, { status, code, detail }]) => {
  const [before = '', after = ''] = detail.split('{}');
  return { name, status, code, before, after };
});

function errorsIn({ status, headers, body }: WireAnswer): string[] {
  if (headers.get('content-type') !== 'application/json' || body.length === 0) return [];
  let lines: readonly { code: string; detail: string }[];
  let type: string;
  try {
    ({ type, errors: lines = [] } = JSON.parse(body.toString('utf8')) as { type: string; errors: typeof lines });
  } catch {
    return [];
  }
  if (type === 'validation_error') return lines.map(({ code }) => `field ${code}`);
  return lines.flatMap(
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
        const operation = `${method.toUpperCase()} ${path}`;
        const canSucceed = Object.keys(responses).some((status) => status.startsWith('2'));
        if (canSucceed && !operations.get(operation)?.succeeded) unseen.push(operation);
      }
  }
  return unseen;
}
