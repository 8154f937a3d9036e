// What the journal and a fault rule cost a list: three services on one database, without a journal, with one, and with one and a rule that
// fits no request; with the pauses of each one's garbage collector.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchServer } from './databases.ts';
import { Client } from './jobs/over-http.ts';
import { launchService } from './launch.ts';
import type { Options } from './options.ts';
import { print, printTable } from './report.ts';
import { median, takeTurns } from './rounds.ts';

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
  const files = ['without', 'journal', 'rule'].map((name) => join(folder, name));
  const launch = (url: string, file = '', settings = {}) =>
    launchService(url, {
      ...settings,
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(observer(file))}`,
    });
  try {
    {
      const database = await server.createDatabase('journal');
      await using without = await launch(database, files[0], { UNDERSTUDY_JOURNAL_BYTES: '0' });
      await using journal = await launch(database, files[1]);
      await using rule = await launch(database, files[2]);
      using client = new Client(rule.url);
      const rules = [{ method: 'POST', status: 500, expires_in_seconds: 3600 }];
      await client.ask(200, 'PUT', '/_understudy/sandboxes/default/faults', { body: { rules } });
      const subjects = [
        { name: 'without', url: without.url, next: lists },
        { name: 'journal', url: journal.url, next: lists },
        { name: 'journal and a rule', url: rule.url, next: lists },
      ];
      const turns = { ...options, connections: options.connections ?? [1, 8, 32, 128] };
      printTable('Lists with and without a journal', await takeTurns('journal', subjects, turns), subjects.slice(0, 1));
    }
    print('\n| pauses of the collector | how many | p50 ms | most ms |\n|---|---:|---:|---:|');
    for (const file of files) {
      const pauses = JSON.parse(readFileSync(file, 'utf8')) as number[];
      print(
        `| ${file.slice(folder.length + 1)} | ${pauses.length} | ${median(pauses).toFixed(2)} | ${Math.max(...pauses).toFixed(1)} |`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
