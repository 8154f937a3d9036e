// The metrics of requests, process and database, in Prometheus' text format 0.0.4.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../database/database.ts';
import { version } from '../../base/version.ts';
import { countSandboxes, within } from './queries.ts';

// Node's delays include this step of the timer that measures them.
const resolutionMs = 10;
const scrapeMs = 1000;

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(
  database: Database,
  inUse: Readonly<Record<'requests' | 'bodyBytes', number>>,
  lostLogLines: () => number,
) {
  const requests = createRequestFigures();
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();

  function collectProcess(journalBytes: number) {
    const late = (quantile: string, nanoseconds: number) => ({
      labels: { quantile },
      value: delay.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000),
    });
    const lag = [late('0.5', delay.percentile(50)), late('0.99', delay.percentile(99)), late('1', delay.max)];
    // The next scrape gets only later delays. If two servers scrape, each misses some.
    delay.reset();
    const { heapUsed, rss } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const startedAt = Math.round(performance.timeOrigin) / 1000;
    const help = 'Delay of the event loop since the last scrape, by quantile.';
    return [
      family('gauge', 'understudy_requests_in_progress', 'Requests that count against the limit.', inUse.requests),
      family('gauge', 'understudy_request_body_bytes', 'Bytes of request bodies.', inUse.bodyBytes),
      family('gauge', 'understudy_info', 'The running version.', [{ labels: { version }, value: 1 }]),
      family('gauge', 'understudy_event_loop_lag_seconds', help, lag),
      family('gauge', 'process_resident_memory_bytes', 'Resident memory of the process.', rss),
      family('gauge', 'nodejs_heap_size_used_bytes', 'Memory used by objects.', heapUsed),
      family('counter', 'process_cpu_seconds_total', 'Processor time used.', (user + system) / 1e6),
      family('gauge', 'process_start_time_seconds', 'Start of the process, in seconds since 1970.', startedAt),
      family('counter', 'understudy_log_lines_lost_total', 'Log lines not written.', lostLogLines()),
      family('gauge', 'understudy_journal_bytes', 'Memory of the entries of all journals.', journalBytes),
    ];
  }

  return {
    observe: requests.observe,
    collect: async (journalBytes: number) =>
      [...requests.collect(), ...collectProcess(journalBytes), ...(await collectDatabase(database))].join(''),
    close: () => delay.disable(),
  };
}

async function collectDatabase(database: Database) {
  const { statements, pool } = database.figures();
  const byWay = (figure: keyof (typeof statements)['reads']) =>
    Object.entries(statements).map(([way, figures]) => ({ labels: { way }, value: figures[figure] }));
  const [counted] = await within(scrapeMs, countSandboxes(database.read, {}), []);
  return [
    family('counter', 'understudy_database_statements_total', 'Statements sent.', byWay('sent')),
    family('counter', 'understudy_database_statements_failed_total', 'Statements that failed.', byWay('failed')),
    family('gauge', 'understudy_database_statements_in_flight', 'Statements not answered yet.', byWay('inFlight')),
    family('gauge', 'understudy_database_pool_connections', 'Open connections for transactions.', pool.connections),
    family('gauge', 'understudy_database_pool_idle', 'Idle connections for transactions.', pool.idle),
    family('gauge', 'understudy_database_pool_waiting', 'Callers waiting for a connection.', pool.waiting),
    family('gauge', 'understudy_database_up', 'Whether the database answered this scrape.', counted ? 1 : 0),
    family('gauge', 'understudy_sandboxes', 'Sandboxes, including default.', counted?.sandboxes ?? []),
  ];
}

const boundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const newSeries = (method: string, route: string) => ({
  labels: { method, route },
  /** Numbers of answers. The index is the status minus 100. */
  statuses: new Float64Array(500),
  /** Numbers of answers, by the first bound not exceeded. The last bucket has no bound. */
  buckets: new Float64Array(boundsSeconds.length + 1),
  sumSeconds: 0,
});

type Series = ReturnType<typeof newSeries>;

// Unserved paths share a series: a client that tries many paths must not make many series.
const unserved: { url?: string } = { url: '(unknown)' };

// `observe` runs at every answer. Arrays of numbers and no lookup by path make it fast.
function createRequestFigures() {
  // By the route's config, which is always the same object, and then by method.
  const byRoute = new Map<object, Record<string, Series>>();

  function observe(request: FastifyRequest, reply: FastifyReply) {
    const { method } = request;
    const config: { url?: string } = request.routeOptions.config;
    const route = config.url === undefined ? unserved : config;
    let ofRoute = byRoute.get(route);
    if (ofRoute === undefined) byRoute.set(route, (ofRoute = {}));
    const series = (ofRoute[method] ??= newSeries(method, route.url ?? ''));
    const seconds = reply.elapsedTime / 1000;
    series.statuses[reply.statusCode - 100]!++;
    series.sumSeconds += seconds;
    let bucket = 0;
    while (bucket < boundsSeconds.length && seconds > (boundsSeconds[bucket] as number)) bucket++;
    series.buckets[bucket]!++;
  }

  function collect() {
    const all = [...byRoute.values()].flatMap((ofRoute) => Object.values(ofRoute));
    const help = 'Time from the request headers to the end of the response.';
    const counts = all.flatMap(countsOf);
    return [
      family('counter', 'understudy_http_requests_total', 'Answered requests, by method, route and status.', counts),
      family('histogram', 'understudy_http_request_duration_seconds', help, all.flatMap(histogramOf)),
    ];
  }

  return { observe, collect };
}

const countsOf = ({ labels, statuses }: Series) =>
  [...statuses].flatMap((value, i) => (value === 0 ? [] : [{ labels: { ...labels, status: String(i + 100) }, value }]));

// In Prometheus, each bucket includes the buckets before it.
function histogramOf({ labels, buckets, sumSeconds }: Series) {
  let count = 0;
  const below = [...buckets].map((value, i) => {
    count += value;
    return { labels: { ...labels, le: String(boundsSeconds[i] ?? '+Inf') }, value: count, suffix: '_bucket' };
  });
  return [...below, { labels, value: sumSeconds, suffix: '_sum' }, { labels, value: count, suffix: '_count' }];
}

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  readonly suffix?: string;
}

type Type = 'counter' | 'gauge' | 'histogram';

export function family(type: Type, name: string, help: string, samples: number | readonly Sample[]) {
  const all: readonly Sample[] = typeof samples === 'number' ? [{ labels: {}, value: samples }] : samples;
  if (all.length === 0) return '';
  const lines = all.map(({ labels, value, suffix = '' }) => `${name}${suffix}${labelsText(labels)} ${value}\n`);
  return [`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`, ...lines].join('');
}

// JSON escapes backslashes, quotes and line breaks as the format does.
function labelsText(labels: Sample['labels']) {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
