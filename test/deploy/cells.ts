// Cells: services with a database each behind nginx with the configuration that we ship.
import { join } from 'node:path';
import type { Test } from 'tap';
import { createSeededDatabase, type Service, startService } from '../support/service.ts';
import { startNginx } from './nginx.ts';

const shipped = join(import.meta.dirname, '../../deploy/nginx.conf');
const numbers = [1, 2, 3] as const;
const lineOf = (n: number) => `server understudy-${n}:8000 weight=10 max_fails=0;`;

/** Of each answer that came from a service: which one, as `127.0.0.1:port`, and what nginx took for the sandbox. */
export const [cellHeader, sandboxHeader] = ['x-test-cell', 'x-test-sandbox'] as const;

/** Runs nginx before the services of these URLs. Of two, the third one's line is left out. */
export const balance = (
  t: Test,
  urls: readonly string[],
  replacements: readonly (readonly [from: string, to: string])[] = [],
): Promise<string> =>
  startNginx(t, shipped, [
    ...numbers.map((n): [string, string] => {
      const url = urls[n - 1];
      return [lineOf(n), url === undefined ? '' : lineOf(n).replace(`understudy-${n}:8000`, new URL(url).host)];
    }),
    [
      'location / {',
      `location / { add_header ${cellHeader} $upstream_addr always; add_header ${sandboxHeader} $sandbox always;`,
    ],
    ...replacements,
  ]);

/** A service in this process with a database of its own. */
export async function startCell(t: Test): Promise<Service> {
  const databaseUrl = await createSeededDatabase(t, 'documented');
  const access = { mode: 'on', token: undefined, allowedHosts: [], isLocal: false } as const;
  return startService(t, { databaseUrl, trustProxy: 1, admin: { access, maxSandboxes: 1000, journalSize: 20 } });
}

export const startCells = (t: Test): Promise<Service[]> => Promise.all(numbers.map(() => startCell(t)));
