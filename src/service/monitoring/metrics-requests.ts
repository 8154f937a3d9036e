// Requests by method, route and status, and their durations. This runs for every answer, so it counts in arrays of
// plain numbers and looks nothing up by text.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { family, type Sample } from './metrics-text.ts';

/** Upper bounds of the histogram, in seconds. */
const boundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  readonly labels: { readonly method: string; readonly route: string };
  /** Answers by status; the index is the status less 100. */
  readonly statuses: number[];
  /** Answers that took no longer than each bound and longer than the one before; the last takes the rest. */
  readonly buckets: number[];
  sumSeconds: number;
}

// All unserved paths together, so that a client that tries paths doesn't fill the page.
const unserved: { url?: string } = { url: '(unknown)' };

const zeros = (length: number): number[] => Array.from({ length }, () => 0);

export function createRequestFigures() {
  // By the object that holds the route's url, which Fastify keeps for the life of the route; then by method.
  const byRoute = new Map<object, Record<string, Series>>();

  function observe(request: FastifyRequest, reply: FastifyReply): void {
    const { method } = request;
    const config: { url?: string } = request.routeOptions.config;
    const route = config.url === undefined ? unserved : config;
    let ofRoute = byRoute.get(route);
    if (ofRoute === undefined) byRoute.set(route, (ofRoute = {}));
    const series = (ofRoute[method] ??= {
      labels: { method, route: route.url ?? '' },
      statuses: zeros(500),
      buckets: zeros(boundsSeconds.length + 1),
      sumSeconds: 0,
    });
    const seconds = reply.elapsedTime / 1000;
    series.statuses[reply.statusCode - 100]!++;
    series.sumSeconds += seconds;
    let bucket = 0;
    while (bucket < boundsSeconds.length && seconds > (boundsSeconds[bucket] as number)) bucket++;
    series.buckets[bucket]!++;
  }

  function collect(): string[] {
    const all = [...byRoute.values()].flatMap((ofRoute) => Object.values(ofRoute));
    const help = 'Time from the arrival of the request head to the end of the answer.';
    const counts = all.flatMap(countsOf);
    return [
      family('counter', 'understudy_http_requests_total', 'Answered requests, by method, route and status.', counts),
      family('histogram', 'understudy_http_request_duration_seconds', help, all.flatMap(histogramOf)),
    ];
  }

  return { observe, collect };
}

const countsOf = ({ labels, statuses }: Series): Sample[] =>
  statuses.flatMap((value, i) => (value === 0 ? [] : [{ labels: { ...labels, status: String(i + 100) }, value }]));

// In Prometheus, each bucket includes those before it.
function histogramOf({ labels, buckets, sumSeconds }: Series): Sample[] {
  let count = 0;
  const below = buckets.map((value, i) => {
    count += value;
    return { labels: { ...labels, le: String(boundsSeconds[i] ?? '+Inf') }, value: count, suffix: '_bucket' };
  });
  return [...below, { labels, value: sumSeconds, suffix: '_sum' }, { labels, value: count, suffix: '_count' }];
}
