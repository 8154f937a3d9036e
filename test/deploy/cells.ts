// Cells: services with a database each, behind nginx with the shipped configuration.
import { join } from 'node:path';
import type { Test } from 'tap';
import { type Serving, startServing } from '../support/process.ts';
import { type Client, createSeededDatabase, type Service, startService } from '../support/service.ts';
import { startNginx } from './nginx.ts';
import { root } from '../support/pages.ts';
import { findFreePort } from '../support/programs.ts';

/** Headers that nginx adds: which service answered, as `127.0.0.1:port`, and the sandbox that nginx found. */
export const [cellHeader, sandboxHeader] = ['x-test-cell', 'x-test-sandbox'] as const;

const lineOf = (place: string) => `server ${place} weight=10 max_fails=0;`;

/** Runs nginx in front of these services, without the shipped file's lines for further services. */
export const balance = (
  t: Test,
  services: readonly { readonly url: string }[],
  replacements: readonly (readonly [from: string, to: string])[] = [],
): Promise<string> =>
  startNginx(t, join(root, 'deploy/nginx.conf'), [
    ...[1, 2, 3].map((n) => {
      const service = services[n - 1];
      return [lineOf(`understudy-${n}:8000`), service === undefined ? '' : lineOf(new URL(service.url).host)] as const;
    }),
    [
      'location / {',
      `location / { add_header ${cellHeader} $upstream_addr always; add_header ${sandboxHeader} $sandbox always;`,
    ],
    ...replacements,
  ]);

/** A service in this process with a database of its own. */
export async function startCell(t: Test, token?: string): Promise<Service> {
  const databaseUrl = await createSeededDatabase(t, 'documented');
  const access = { mode: 'on', token, allowedHosts: [], isLocal: false } as const;
  return startService(t, { databaseUrl, trustProxy: 1, admin: { access, maxSandboxes: 1000, journalBytes: 1 << 24 } });
}

export const startCells = (t: Test): Promise<Service[]> => Promise.all([1, 2, 3].map(() => startCell(t)));

/** Starts services as processes, one for each database URL. Several URLs may be the same. */
export async function serveCells(t: Test, databaseUrls: readonly string[]) {
  const ports = await Promise.all(databaseUrls.map(findFreePort));
  /** Starts one service, the first time or again. */
  const serve = (n: number): Promise<Serving> =>
    startServing(t, {
      PORT: String(ports[n]),
      DATABASE_URL: databaseUrls[n] as string,
      UNDERSTUDY_TRUST_PROXY: '1',
      UNDERSTUDY_ADMIN: 'on',
    });
  return { ports, serve, services: await Promise.all(ports.map((_, n) => serve(n))) };
}

/** The names of the sandboxes that a service has beside `default`. */
export async function listSandboxes(service: Client): Promise<string[]> {
  const { json } = await service.request('GET', '/_understudy/sandboxes');
  return (json as { name: string }[]).map(({ name }) => name).filter((name) => name !== 'default');
}
