// The handlers of health and metrics.
import type { Answer, Call } from '../../http/call.ts';
import { shown } from '../../http/own.ts';
import type { Database } from '../../database/database.ts';
import { version } from '../../base/version.ts';
import type { Metrics } from './metrics.ts';
import { renderFamilies } from './metrics-text.ts';
import { findReadiness, within } from './queries.ts';

export interface MonitoringServices {
  readonly database: Database;
  readonly metrics: Metrics;
}

type Handler = (call: Call, services: MonitoringServices) => Promise<Answer>;

export const getLiveness: Handler = async () => shown({ status: 'live', version });

export const getReadiness: Handler = async (_call, { database }) =>
  (await isReady(database))
    ? shown({ status: 'ready', version })
    : { ...shown({ status: 'not ready', version }, 503), headers: retryAfter };

export const getHealthz: Handler = async (_call, { database }) =>
  (await isReady(database)) ? plainText('ok') : plainText('not ready', 503, retryAfter);

export const getMetrics: Handler = async (_call, { metrics }) =>
  plainText(renderFamilies(await metrics.collect()), 200, { 'content-type': metricsType });

const metricsType = 'text/plain; version=0.0.4; charset=utf-8';
const retryAfter = { 'retry-after': '1' };

const plainText = (content: string, status = 200, headers = {}): Answer => ({
  status,
  json: null,
  content,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
});

// A database that takes this long can't serve requests either.
const timeoutMs = 2000;

const isReady = (database: Database): Promise<boolean> => within(timeoutMs, findReady(database), false);

/** Ready: the database answers and accepts writes, is migrated, and its default sandbox is seeded. */
async function findReady({ health }: Database): Promise<boolean> {
  const [found] = await findReadiness(health, {});
  const isWritable = found?.writable === true;
  // A new connection may lead to the server that writes.
  if (!isWritable) health.renew();
  return isWritable && found.seeded;
}
