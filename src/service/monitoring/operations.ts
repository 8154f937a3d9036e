// Health and metrics (docs/reference/metrics-and-log.md).
import { Type } from '@sinclair/typebox';
import { version } from '../../base/version.ts';
import type { Database } from '../../database/database.ts';
import type { Answer } from '../../http/call.ts';
import { controlOperation, on, type Operation, type Resource } from '../../http/operation.ts';
import { shown } from '../../http/control.ts';
import type { Journal } from '../../traffic/journal/journal.ts';
import type { Metrics } from './metrics.ts';
import { findReadiness, within } from './queries.ts';

interface MonitoringServices {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly journal: Pick<Journal, 'usedBytes'>;
}

const Health = Type.Object({ status: Type.String(), version: Type.String() }, { $id: 'Health' });
const text = { content: { 'text/plain': Type.String() } };
const metricsType = 'text/plain; version=0.0.4; charset=utf-8';
const retryAfter = { 'retry-after': '1' };

const plainText = (content: string, status = 200, headers = {}): Answer => ({
  status,
  json: null,
  content,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
});

type Handler = Operation<MonitoringServices>['handler'];
const readLive: Handler = async () => shown({ status: 'live', version });
const readReady: Handler = async (_call, { database }) =>
  (await isReady(database))
    ? shown({ status: 'ready', version })
    : { ...shown({ status: 'not ready', version }, 503), headers: retryAfter };
const readHealth: Handler = async (_call, { database }) =>
  (await isReady(database)) ? plainText('ok') : plainText('not ready', 503, retryAfter);
const readMetrics: Handler = async (_call, { metrics, journal }) =>
  plainText(await metrics.collect(journal.usedBytes()), 200, { 'content-type': metricsType });

export const monitoring: Resource<MonitoringServices> = {
  tag: 'Health and metrics',
  description: 'For the operators of the service. Health needs no permission.',
  operations: [
    controlOperation('GET', 'health/live', 'health_live', 'Whether the process is running', readLive, {
      access: 'open',
      response: { 200: Health },
    }),
    controlOperation('GET', 'health/ready', 'health_ready', 'Whether the service can answer requests', readReady, {
      access: 'open',
      response: { 200: Health, 503: Health },
    }),
    {
      ...on('GET', 'healthz', 'Whether the service can answer, at Weblate’s path', readHealth, { access: 'open' }),
      url: '/healthz/',
      response: { 200: text, 503: text },
    },
    controlOperation('GET', 'metrics', 'metrics_read', 'Metrics for Prometheus', readMetrics, {
      response: { 200: text },
    }),
  ],
};

// After this time, the database counts as unavailable.
const timeoutMs = 2000;

const isReady = (database: Database) => within(timeoutMs, findReady(database), false);

/** Whether the database answers and takes writes, and its sandbox `default` is seeded. */
async function findReady({ health }: Database) {
  const [found] = await findReadiness(health, {});
  const isWritable = found?.writable === true;
  // A new connection may lead to a server that takes writes.
  if (!isWritable) health.renew();
  return isWritable && found.seeded;
}
