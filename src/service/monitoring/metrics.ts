// What /_understudy/metrics collects: requests, the process with its event loop, the database.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Database } from '../../database/database.ts';
import { version } from '../../base/version.ts';
import { createRequestFigures } from './metrics-requests.ts';
import { family } from './metrics-text.ts';
import { countSandboxes, within } from './queries.ts';

// A timer's lateness includes its own step.
const resolutionMs = 10;
const scrapeMs = 1000;

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(database: Database, inUse: Readonly<Record<'requests' | 'bodyBytes', number>>) {
  const requests = createRequestFigures();
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();

  function collectProcess(journalBytes: number): string[] {
    const late = (quantile: string, nanoseconds: number) => ({
      labels: { quantile },
      value: delay.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000),
    });
    const lag = [late('0.5', delay.percentile(50)), late('0.99', delay.percentile(99)), late('1', delay.max)];
    // Since the last scrape: two scrapers share what they see.
    delay.reset();
    const { heapUsed, rss } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const startedAt = Math.round(performance.timeOrigin) / 1000;
    const help = 'Lateness of the event loop since the last scrape, by quantile.';
    return [
      family('gauge', 'understudy_requests_in_progress', 'Requests that count against the limit.', inUse.requests),
      family('gauge', 'understudy_request_body_bytes', 'Bytes of the bodies of requests.', inUse.bodyBytes),
      family('gauge', 'understudy_info', 'The running version.', [{ labels: { version }, value: 1 }]),
      family('gauge', 'understudy_event_loop_lag_seconds', help, lag),
      family('gauge', 'process_resident_memory_bytes', 'Resident memory of the process.', rss),
      family('gauge', 'nodejs_heap_size_used_bytes', 'Memory used by objects.', heapUsed),
      family('counter', 'process_cpu_seconds_total', 'Processor time used.', (user + system) / 1e6),
      family('gauge', 'process_start_time_seconds', 'Start of the process, in seconds since 1970.', startedAt),
      family('gauge', 'understudy_journal_bytes', 'Memory that the entries of all journals take.', journalBytes),
    ];
  }

  return {
    observe: requests.observe,
    collect: async (journalBytes: number) =>
      [...requests.collect(), ...collectProcess(journalBytes), ...(await collectDatabase(database))].join(''),
    close: () => delay.disable(),
  };
}

async function collectDatabase(database: Database): Promise<string[]> {
  const { statements, pool } = database.figures();
  const byWay = (figure: keyof (typeof statements)['reads']) =>
    Object.entries(statements).map(([way, figures]) => ({ labels: { way }, value: figures[figure] }));
  const [counted] = await within(scrapeMs, countSandboxes(database.reads, {}), []);
  return [
    family('counter', 'understudy_database_statements_total', 'Statements sent.', byWay('sent')),
    family('counter', 'understudy_database_statements_failed_total', 'Statements that failed.', byWay('failed')),
    family('gauge', 'understudy_database_statements_in_flight', 'Statements not answered yet.', byWay('inFlight')),
    family('gauge', 'understudy_database_pool_connections', 'Open connections for transactions.', pool.connections),
    family('gauge', 'understudy_database_pool_idle', 'Idle connections among them.', pool.idle),
    family('gauge', 'understudy_database_pool_waiting', 'Callers waiting for a connection.', pool.waiting),
    family('gauge', 'understudy_database_up', 'Whether the database answered this scrape.', counted ? 1 : 0),
    family('gauge', 'understudy_sandboxes', 'Sandboxes, including default.', counted?.sandboxes ?? []),
  ];
}
