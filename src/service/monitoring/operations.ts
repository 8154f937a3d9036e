// Health and metrics (docs/reference/metrics-and-log.md).
import { Type } from '@sinclair/typebox';
import { ownOperation, type Resource } from '../../http/operation.ts';
import * as handle from './handlers.ts';

const Health = Type.Object({ status: Type.String(), version: Type.String() }, { $id: 'Health' });
const text = { content: { 'text/plain': Type.String() } };

export const monitoring: Resource<handle.MonitoringServices> = {
  tag: 'Health and metrics',
  description: 'For the operators of the service. Health needs no permission.',
  operations: [
    ownOperation('GET', 'health/live', handle.getLiveness, {
      id: 'health_live',
      summary: 'Whether the process is running',
      access: 'open',
      response: { 200: Health },
    }),
    ownOperation('GET', 'health/ready', handle.getReadiness, {
      id: 'health_ready',
      summary: 'Whether it can answer: migrated, seeded and connected',
      access: 'open',
      response: { 200: Health, 503: Health },
    }),
    {
      method: 'GET',
      url: '/healthz/',
      schema: { response: { 200: text, 503: text } },
      config: { id: 'healthz', summary: 'The same by the path that Weblate has', access: 'open' },
      handler: handle.getHealthz,
    },
    ownOperation('GET', 'metrics', handle.getMetrics, {
      id: 'metrics_read',
      summary: 'Metrics for Prometheus',
      response: { 200: text },
    }),
  ],
};
