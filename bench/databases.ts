// The PostgreSQL server of the bench, and temporary databases on it, dropped when the run ends.
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { startEmbedded } from '../packaging/start-embedded.ts';
import { migrateToLatest } from '../src/database/migrator.ts';
import { makeFolder } from './folder.ts';
import { say } from './report.ts';

export interface BenchServer extends AsyncDisposable {
  readonly description: string;
  /** Makes a migrated, empty database and returns its URL. */
  createDatabase(name: string): Promise<string>;
}

/** The server of BENCH_DATABASE_URL, or an embedded one in a temporary folder. */
export async function openServer(): Promise<BenchServer> {
  await using undo = new AsyncDisposableStack();
  const url = process.env['BENCH_DATABASE_URL'] ?? (await startOwn(undo));
  const admin = undo.adopt(new Client({ connectionString: url }), (client) => client.end());
  await admin.connect();
  const { rows } = await admin.query<{ server_version: string }>('show server_version');
  const resources = undo.move();
  return {
    description: `PostgreSQL ${rows[0]?.server_version}`,
    async createDatabase(name) {
      const full = `understudy_bench_${process.pid}_${name}`;
      await admin.query(`create database ${escapeIdentifier(full)}`);
      resources.defer(() => admin.query(`drop database ${escapeIdentifier(full)} with (force)`).then(() => undefined));
      const own = new URL(url);
      own.pathname = `/${full}`;
      await migrateToLatest(own.href);
      return own.href;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function startOwn(undo: AsyncDisposableStack): Promise<string> {
  // A quarter of the machine's memory, as PostgreSQL's manual advises for a dedicated server, so that a million users fit.
  const settings = { shared_buffers: `${Math.floor(totalmem() / 4 / 1_048_576)}MB` };
  const server = await startEmbedded({ dataDir: join(makeFolder(), 'data'), settings, note: say });
  undo.defer(() => server.stop());
  return server.url;
}
