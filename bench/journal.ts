// What the journal and a fault rule cost a list: three services on one database, without a journal, with one, and with one and a rule that
// fits no request; with the pauses of each one's garbage collector.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchServer } from './databases.ts';
import { Client } from './jobs/over-http.ts';
import { launchService } from './launch.ts';
import type { Options } from './options.ts';
import { printRows, printTable } from './report.ts';
import { median, type Subject, takeTurns } from './rounds.ts';

const lists = () => ({
  requests: [{ method: 'GET', path: '/api/users/alice/notifications/', headers: {} }],
  once: false,
});

/** A module for the service's process: at its end it writes the collector's pauses, in milliseconds, into the file. */
const observer = (file: string): string =>
  `import { writeFileSync } from 'node:fs';
  import { PerformanceObserver } from 'node:perf_hooks';
  const pauses = [];
  new PerformanceObserver((list) => pauses.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ['gc'] });
  process.on('exit', () => writeFileSync(${JSON.stringify(file)}, JSON.stringify(pauses)));`;

export async function benchJournal(server: BenchServer, options: Options): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-bench-'));
  const names = ['without', 'journal', 'journal and a rule'] as const;
  try {
    {
      await using undo = new AsyncDisposableStack();
      const database = await server.createDatabase('journal');
      const subjects: Subject[] = [];
      for (const name of names) {
        const settings = {
          ...(name === 'without' ? { UNDERSTUDY_JOURNAL_BYTES: '0' } : {}),
          NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(observer(join(folder, name)))}`,
        };
        const { url } = undo.use(await launchService(database, settings));
        subjects.push({ name, url, next: lists });
      }
      using client = new Client(subjects.at(-1)?.url ?? '');
      const rules = [{ match: { method: 'POST' }, status: 500, expires_in_seconds: 3600 }];
      await client.ask(200, 'PUT', '/_understudy/sandboxes/default/faults', { body: { rules } });
      const results = await takeTurns('journal', subjects, options, [1, 8, 32, 128]);
      printTable('Lists with and without a journal', results, subjects.slice(0, 1));
    }
    const rows = names.map((name) => {
      const pauses = JSON.parse(readFileSync(join(folder, name), 'utf8')) as number[];
      return [name, String(pauses.length), median(pauses).toFixed(2), Math.max(...pauses).toFixed(1)];
    });
    printRows('Pauses of the collector', ['', 'how many', 'p50 ms', 'most ms'], rows);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
