// Requests that a fault delays. Meanwhile they hold nothing that other sandboxes need; how many one sandbox may have is bounded.
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiError } from '../errors.ts';

/** Half of the requests that a process answers at once unless configured. */
export const maxDelayed = 250;

/** Resolves to false if the client goes away meanwhile. Throws 503 where too many are delayed, or no room is left afterwards. */
export type Delay = (request: FastifyRequest, reply: FastifyReply, sandbox: string, ms: number) => Promise<boolean>;

export function createDelay(): Delay {
  const delayed = new Map<string, number>();

  return async ({ slot }, reply, sandbox, ms) => {
    const count = delayed.get(sandbox) ?? 0;
    if (count >= maxDelayed) throw apiError('service_unavailable');
    delayed.set(sandbox, count + 1);
    slot?.giveBack();
    const isThere = await wait(reply.raw, ms);
    const left = (delayed.get(sandbox) ?? 1) - 1;
    if (left === 0) delayed.delete(sandbox);
    else delayed.set(sandbox, left);
    if (isThere && slot?.takeAgain() === false) throw apiError('service_unavailable');
    return isThere;
  };
}

// A delay keeps no process alive that is about to end.
function wait(response: ServerResponse, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const gone = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      response.off('close', gone);
      resolve(true);
    }, ms).unref();
    response.once('close', gone);
  });
}
