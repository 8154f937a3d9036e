// Requests that a fault delays. They hold no slot while they wait, and each sandbox may have only so many.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiError } from '../errors.ts';

/** Half of the default of UNDERSTUDY_MAX_REQUESTS. */
export const maxDelayed = 250;

export function createDelay() {
  const delayed = new Map<string, number>();

  /**
   * Resolves to false if the client disconnects. Throws 503 if too many requests are delayed, or no slot is free
   * afterwards.
   */
  return async ({ slot }: FastifyRequest, reply: FastifyReply, sandbox: string, ms: number): Promise<boolean> => {
    const count = delayed.get(sandbox) ?? 0;
    if (count >= maxDelayed) throw apiError('service_unavailable');
    delayed.set(sandbox, count + 1);
    slot?.giveBack();
    const isConnected = await wait(reply.raw, ms);
    const left = (delayed.get(sandbox) ?? 1) - 1;
    if (left === 0) delayed.delete(sandbox);
    else delayed.set(sandbox, left);
    if (isConnected && slot?.takeAgain() === false) throw apiError('service_unavailable');
    return isConnected;
  };
}

// Unreferenced: a delay must not keep a process alive.
function wait(response: ServerResponse, ms: number): Promise<boolean> {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return sleep(ms, true, { ref: false, signal: closed.signal }).catch(() => false);
}
