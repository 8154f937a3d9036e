// What the log says while the database is away: once a second why, and how many requests were answered so, since thousands fail alike
// and writing each of them down would keep the process from answering.
import type { FastifyBaseLogger } from 'fastify';

const pauseMs = 1000;
let quietUntilMs = 0;
let requests = 0;

export function noteUnavailable(log: Pick<FastifyBaseLogger, 'warn'>, err: unknown): void {
  requests++;
  const nowMs = performance.now();
  if (nowMs < quietUntilMs) return;
  quietUntilMs = nowMs + pauseMs;
  log.warn({ err, requests }, 'the database did not answer');
  requests = 0;
}
