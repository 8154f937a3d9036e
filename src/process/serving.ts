// The app of one process on its port, and its end.
import type { FastifyInstance } from 'fastify';
import { type AppOptions, buildApp } from '../app.ts';
import type { Configuration } from './config.ts';
import type { Database } from '../database/database.ts';
import { hostAndPort } from '../api/base-url.ts';
import { readableLog } from './pretty-log.ts';
import { appSettings } from './settings.ts';

// As long as somebody who keeps connections open may take to notice that the port is closed.
const drainMs = 1000;
// Beyond the time limit of a statement nothing is being answered; who still holds a connection only reads or writes too slowly.
const graceMs = 3000;

/** The app as the configuration wants it, not listening yet. */
export function openApp(
  configuration: Configuration,
  database: Database,
  samples: AppOptions['samples'],
): Promise<FastifyInstance> {
  const isTerminal = process.stdout.isTTY;
  return buildApp({
    ...appSettings(configuration),
    database,
    samples,
    ...(isTerminal ? { logTo: readableLog(process.stdout, process.env['NO_COLOR'] === undefined) } : {}),
  });
}

/** Answers what has come and closes what idles. */
export async function endApp(app: FastifyInstance, { UNDERSTUDY_STATEMENT_TIMEOUT }: Configuration): Promise<void> {
  await app.drain(drainMs);
  const cut = setTimeout(() => app.server.closeAllConnections(), UNDERSTUDY_STATEMENT_TIMEOUT + graceMs);
  await app.close();
  clearTimeout(cut);
}

/** `http://127.0.0.1:8000` */
export function urlOf(host: string, port: number): string {
  // Who listens on every address is reached by the nearest.
  return `http://${hostAndPort(host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host, port)}`;
}
