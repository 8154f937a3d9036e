// The databases that each release left behind, migrated and replayed. make-dump.sh wrote them.
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Client } from 'pg';
import { t as file, test } from 'tap';
import { listMigrations } from '../../migrations/index.ts';
import { findSchema, migrateToLatest } from '../../src/database/migrator.ts';
import { createTestDatabase } from '../support/database.ts';
import { startService, transcriptsFolder } from '../support/service.ts';
import { assertReplay } from '../transcripts/engine/assert-replay.ts';
import { loadTranscripts } from '../transcripts/engine/load.ts';

file.setTimeout(180_000);

const dumps = globSync('*.sql', { cwd: import.meta.dirname }).toSorted();
const { scenarios } = await loadTranscripts(transcriptsFolder);

async function load(url: string, dump: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(readFileSync(join(import.meta.dirname, dump), 'utf8'));
  await client.end();
}

for (const dump of dumps)
  await test(`a database of ${basename(dump, '.sql')} is migrated, and answers as recorded from the data that it holds`, async (t) => {
    const databaseUrl = await createTestDatabase(t);
    await load(databaseUrl, dump);
    t.not(await findSchema(databaseUrl), 'missing');
    await migrateToLatest(databaseUrl);
    t.equal(await findSchema(databaseUrl), 'newest');
    const service = await startService(t, { databaseUrl, anonymous: 'strict' });
    const unlimited = scenarios.filter(({ name }) => !name.startsWith('ratelimit/'));
    await assertReplay(t, unlimited, service.url, async () => {
      const { status } = await service.request('POST', '/_understudy/sandboxes/default/reset');
      t.equal(status, 204);
    });
  });

await test('there is a dump of 0.1.0, and it has migrations of this version', async (t) => {
  t.ok(dumps.includes('0.1.0.sql'));
  const [{ name, checksum } = { name: '', checksum: '' }] = listMigrations();
  t.match(readFileSync(join(import.meta.dirname, '0.1.0.sql'), 'utf8'), `('${name}', '${checksum}'`);
});
