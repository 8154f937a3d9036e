// The process's own figures: its event loop, memory and processor time.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { version } from '../version.ts';
import type { Family } from './metrics-text.ts';

// What a timer is late by includes the timer's own step.
const resolutionMs = 10;

export interface ProcessFigures {
  collect(): Family[];
  close(): void;
}

export function watchProcess(): ProcessFigures {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  // Lateness since the last look: two who look at it by turns share what they see.
  const lags = (): [string, number][] => {
    const late = (nanoseconds: number) =>
      delay.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000);
    const seen: [string, number][] = [
      ['0.5', late(delay.percentile(50))],
      ['0.99', late(delay.percentile(99))],
      ['1', late(delay.max)],
    ];
    delay.reset();
    return seen;
  };
  return {
    collect: () => {
      const { heapUsed, rss } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      return [
        gauge('understudy_info', 'The version that runs.', 1, { version }),
        {
          name: 'understudy_event_loop_lag_seconds',
          help: 'How late the event loop was since the last look, by quantile.',
          type: 'gauge',
          samples: lags().map(([quantile, value]) => ({ labels: { quantile }, value })),
        },
        gauge('process_resident_memory_bytes', 'Memory that the process holds.', rss),
        gauge('nodejs_heap_size_used_bytes', 'Memory that objects take.', heapUsed),
        { ...gauge('process_cpu_seconds_total', 'Processor time.', (user + system) / 1e6), type: 'counter' },
        gauge(
          'process_start_time_seconds',
          'When the process started, in seconds since 1970.',
          Math.round(performance.timeOrigin) / 1000,
        ),
      ];
    },
    close: () => delay.disable(),
  };
}

/** A family of one sample. */
export function gauge(name: string, help: string, value: number, labels: Record<string, string> = {}): Family {
  return { name, help, type: 'gauge', samples: [{ labels, value }] };
}
