// Requests that a fault delays. They hold no slot, so their number is bounded here.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { becomeIdle } from '../http/own.ts';
import { whenClosed } from '../http/connection.ts';
import { createHolds } from './journal/holds.ts';

/** Each counts until its response is closed. */
export const maxDelayed = { ofSandbox: 250, inAll: 1000 };

/** @param ending aborted when the service ends */
export function createDelay(ending: AbortSignal) {
  const hold = createHolds(ending, maxDelayed);

  /** Resolves to false if the client disconnects. Throws 503 if too many requests are delayed. */
  return async (reply: FastifyReply, sandbox: string, ms: number): Promise<boolean> => {
    const letGo = hold(sandbox, () => undefined);
    whenClosed(reply, letGo);
    const signal = becomeIdle(reply);
    // Unreferenced: a delay must not keep a process alive.
    return sleep(ms, true, { ref: false, signal }).catch(() => false);
  };
}
