// Load by autocannon, in this process. It counts latency in whole milliseconds.
import autocannon from 'autocannon';
import type { Load, Measured } from './load.ts';

export async function loadByAutocannon({ url, requests, connections, seconds }: Load): Promise<Measured> {
  let used = 0;
  // The connections share the counter. If each had its own, all of them would begin with the first request.
  const next = (given: object) => ({ ...given, ...requests[used++ % requests.length] });
  const result = await autocannon({ url, connections, duration: seconds, requests: [{ setupRequest: next }] });
  return {
    perSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    used,
    failed: result.non2xx + result.errors + result.timeouts,
  };
}
