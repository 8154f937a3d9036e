// The process's own metrics: its event loop, memory and processor time.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { version } from '../version.ts';
import { type Family, single } from './metrics-text.ts';

// A timer's lateness includes its own step.
const resolutionMs = 10;

export function watchProcess(): { collect(): Family[]; close(): void } {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  // Since the last scrape: two scrapers share what they see.
  const lagSamples = () => {
    const late = (nanoseconds: number) =>
      delay.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000);
    const samples = [
      { labels: { quantile: '0.5' }, value: late(delay.percentile(50)) },
      { labels: { quantile: '0.99' }, value: late(delay.percentile(99)) },
      { labels: { quantile: '1' }, value: late(delay.max) },
    ];
    delay.reset();
    return samples;
  };
  return {
    collect: () => {
      const { heapUsed, rss } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      const startedAt = Math.round(performance.timeOrigin) / 1000;
      return [
        {
          name: 'understudy_info',
          help: 'The running version.',
          type: 'gauge',
          samples: [{ labels: { version }, value: 1 }],
        },
        {
          name: 'understudy_event_loop_lag_seconds',
          help: 'Lateness of the event loop since the last scrape, by quantile.',
          type: 'gauge',
          samples: lagSamples(),
        },
        single('gauge', 'process_resident_memory_bytes', 'Resident memory of the process.', rss),
        single('gauge', 'nodejs_heap_size_used_bytes', 'Memory used by objects.', heapUsed),
        single('counter', 'process_cpu_seconds_total', 'Processor time used.', (user + system) / 1e6),
        single('gauge', 'process_start_time_seconds', 'Start of the process, in seconds since 1970.', startedAt),
      ];
    },
    close: () => delay.disable(),
  };
}
