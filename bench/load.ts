// Load by wrk if it is installed, else by autocannon, which npm installs.
import { spawnSync } from 'node:child_process';
import { loadByAutocannon } from './autocannon.ts';
import { loadByWrk } from './wrk.ts';

export interface LoadRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  readonly url: string;
  readonly requests: readonly LoadRequest[];
  /** Whether each request may be sent only once. Otherwise the list starts again after its last request. */
  readonly once: boolean;
  readonly connections: number;
  readonly seconds: number;
}

export interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How many requests were sent, repeated ones too, answered or not. */
  readonly used: number;
  /** Answers that were not 2xx, and requests without an answer. */
  readonly failed: number;
}

const hasWrk = spawnSync('wrk', ['--version']).error === undefined;
export const loadTool = hasWrk ? 'wrk' : 'autocannon';
const run = hasWrk ? loadByWrk : loadByAutocannon;

/** @throws Error if a request failed, if none was answered, or if the requests were used up before the end */
export async function load(options: Load): Promise<Measured> {
  const measured = await run(options);
  if (options.once && measured.used > options.requests.length)
    throw new Error(`${options.requests.length} requests did not last ${options.seconds} s; use fewer --seconds`);
  if (measured.failed > 0) throw new Error(`${measured.failed} requests to ${options.url} failed`);
  if (measured.perSecond === 0) throw new Error(`${options.url} answered nothing`);
  return measured;
}
