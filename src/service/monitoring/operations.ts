// Health and metrics (docs/reference/metrics-and-log.md).
import { Type } from '@sinclair/typebox';
import type { Resource } from '../../http/operation.ts';
import * as handle from './handlers.ts';

const Health = Type.Object({ status: Type.String(), version: Type.String() }, { $id: 'Health' });
const text = { content: { 'text/plain': Type.String() } };

export const monitoring: Resource<handle.MonitoringServices> = {
  tag: 'Health and metrics',
  description: 'For the operators of the service. Health needs no permission.',
  operations: [
    {
      method: 'GET',
      url: '/_understudy/health/live',
      schema: { response: { 200: Health } },
      config: { id: 'health_live', summary: 'Whether the process is running', access: 'open' },
      handler: handle.getLiveness,
    },
    {
      method: 'GET',
      url: '/_understudy/health/ready',
      schema: { response: { 200: Health, 503: Health } },
      config: { id: 'health_ready', summary: 'Whether it can answer: migrated, seeded and connected', access: 'open' },
      handler: handle.getReadiness,
    },
    {
      method: 'GET',
      url: '/healthz/',
      schema: { response: { 200: text, 503: text } },
      config: { id: 'healthz', summary: 'The same by the path that Weblate has', access: 'open' },
      handler: handle.getHealthz,
    },
    {
      method: 'GET',
      url: '/_understudy/metrics',
      schema: { response: { 200: text } },
      config: { id: 'metrics_read', summary: 'Metrics for Prometheus', access: 'admin' },
      handler: handle.getMetrics,
    },
  ],
};
