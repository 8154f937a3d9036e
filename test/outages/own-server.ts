// A PostgreSQL server that a test may end, kill and start again. It is durable, unlike the shared server.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbedded } from '../../packaging/start-embedded.ts';
import { migrateToLatest } from '../../src/database/migrator.ts';
import { seedDefaultSandbox } from '../../src/seeds/load/apply.ts';
import { readNamedSeed } from '../../src/seeds/load/named-seed.ts';
import type { Owner } from '../support/database.ts';
import { findFastFolder } from '../support/fast-folder.ts';
import { openForTest } from '../support/service.ts';

interface OwnServer {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  pid(): number;
}

/** A server whose database is migrated and holds the seed `documented`. */
export async function startOwnServer(t: Owner): Promise<OwnServer> {
  const dataDir = mkdtempSync(join(findFastFolder(), 'understudy-outage-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  let running: Awaited<ReturnType<typeof startEmbedded>> | undefined = await startEmbedded({ dataDir });
  t.teardown(() => running?.stop());
  await migrateToLatest(running.url);
  const database = openForTest(running.url);
  await seedDefaultSandbox(database.load, await readNamedSeed('documented'), { note: () => undefined });
  await database.close();
  return {
    get url() {
      return running?.url ?? '';
    },
    start: async () => {
      running = await startEmbedded({ dataDir });
    },
    stop: async () => {
      await running?.stop();
      running = undefined;
    },
    pid: () => Number(readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]),
  };
}
