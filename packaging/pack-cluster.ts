// Makes the cluster that ships: with initdb, the migrations and the documented sample, packed into one file
// (docs/decisions/0025).
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { Client } from 'pg';
import { migrateToLatest } from '../src/database/migrator.ts';
import { openDatabase } from '../src/database/database.ts';
import { asAccount } from '../src/postgres/account.ts';
import { findVersion } from '../src/postgres/binaries.ts';
import { type PackedHead, readContent } from '../src/postgres/cluster.ts';
import { startEmbedded } from './start-embedded.ts';
import { folderAt } from '../src/postgres/folder.ts';
import { packedCluster } from '../src/base/files.ts';
import { seedDefaultSandbox } from '../src/seeds/load/apply.ts';
import { readNamedSeed } from '../src/seeds/load/named-seed.ts';
import { databaseOptions, readConfiguration } from '../src/service/config/config.ts';
import { describeContents } from '../src/service/process/provide-database.ts';

// Settings for a fast server, and for a cluster with few files: unpacking takes time per file.
const settings = { fsync: 'off', wal_recycle: 'off', wal_init_zero: 'off', min_wal_size: '2MB' };

/** @param quality the quality of the compression; the best, 11, takes ten seconds more than 9, and saves a seventh of the size */
export async function packCluster(quality = 9): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'understudy-pack-'));
  // If root runs this, the server runs as another account, which needs access.
  chmodSync(scratch, 0o711);
  try {
    const dataDir = join(scratch, 'data');
    const server = await startEmbedded({ dataDir, settings });
    try {
      await fill(server.url);
    } finally {
      await server.stop();
    }
    const { account, cluster } = folderAt(dataDir);
    const { folders, files, bytes } = asAccount(account, () => readContent(cluster));
    const version = findVersion();
    const head: PackedHead = { keys: [describeContents([]), describeContents()], version, folders, files };
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 24 };
    mkdirSync(dirname(packedCluster), { recursive: true });
    const draft = `${packedCluster}.${process.pid}`;
    writeFileSync(
      draft,
      Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), brotliCompressSync(bytes, { params })]),
    );
    renameSync(draft, packedCluster);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function fill(url: string): Promise<void> {
  await migrateToLatest(url);
  const database = openDatabase(databaseOptions(url, readConfiguration({})));
  const note = (line: string): void => void process.stderr.write(`${line}\n`);
  await seedDefaultSandbox(database.load, await readNamedSeed('documented'), { note });
  await database.close();
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of [
    // Marks the sandbox as never seeded. A first start with the same seed then only sets dates.
    "update understudy.sandboxes set seeded_at = null where name = 'default'",
    // Otherwise PostgreSQL would warn where ICU differs. No index sorts by ICU: all keys are collated "C".
    "update pg_collation set collversion = null where collprovider = 'i'",
    // Each of the two templates takes 300 files and 8 MB.
    "update pg_database set datistemplate = false where datname in ('template0', 'template1')",
    'drop database template0',
    'drop database template1',
    'vacuum (full, analyze)',
  ])
    await client.query(statement);
  await client.end();
}
